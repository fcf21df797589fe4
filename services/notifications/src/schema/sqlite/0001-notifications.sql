-- Groups, people, keys, notifications and everything around them. Times are milliseconds since the Unix
-- epoch, UTC. Identifiers are texts with a prefix that says of what (grp_, usr_, …).

-- One row. Whoever adds to the feed takes its row first, so positions are given in the order in which
-- transactions commit: a reader that has seen a position has seen all before it.
create table feed_head (
  id integer primary key check (id = 1),
  -- The newest position of `notifications` and `signals` together.
  position integer not null,
  -- When it was given; it never goes back, even when a clock does.
  at integer not null
) strict;

insert into feed_head (id, position, at) values (1, 0, 0);

create table accounts (
  id text primary key,
  -- In lower case.
  email text not null unique,
  name text not null,
  -- argon2id, in the PHC string format.
  password_hash text not null,
  created_at integer not null
) strict;

create table sessions (
  -- SHA-256 of the cookie.
  token_hash text primary key,
  account_id text not null references accounts (id),
  -- What the browser calls itself, for the list of one's own sessions.
  agent text not null,
  created_at integer not null,
  last_seen_at integer not null,
  expires_at integer not null
) strict;

create index sessions_by_account on sessions (account_id, created_at);

create table setup_links (
  -- SHA-256 of the secret in the link.
  token_hash text primary key,
  created_at integer not null,
  expires_at integer not null,
  used_at integer
) strict;

create table groups (
  id text primary key,
  name text not null,
  -- 1: posts are refused.
  paused integer not null default 0,
  retention_days integer not null,
  retention_rows integer not null,
  created_at integer not null
) strict;

-- Apart from `groups`, because it changes with each post.
create table group_heads (
  group_id text primary key references groups (id),
  -- seq of the newest notification; 0: there was none yet.
  head_seq integer not null default 0,
  -- seq and position of the newest notification that retention has deleted; those that are there
  -- follow without gaps.
  pruned_seq integer not null default 0,
  pruned_position integer not null default 0
) strict;

create table members (
  group_id text not null references groups (id),
  account_id text not null references accounts (id),
  -- owner or member.
  role text not null,
  joined_at integer not null,
  -- Everything up to it is read, but for the rows of `read_exceptions`.
  read_up_to integer not null,
  -- Grows with each change of what this person has read.
  read_revision integer not null default 0,
  primary key (group_id, account_id)
) strict;

create index members_by_account on members (account_id, group_id);

-- Read although above read_up_to (1), or unread although not above it (0).
create table read_exceptions (
  account_id text not null,
  group_id text not null,
  seq integer not null,
  is_read integer not null,
  primary key (account_id, group_id, seq)
) strict;

create table invitations (
  id text primary key,
  -- SHA-256 of the secret in the link.
  token_hash text not null unique,
  group_id text not null references groups (id),
  role text not null,
  -- Whom it is meant for, as the owner wrote it; anybody with the link may use it when null.
  email text,
  invited_by text not null references accounts (id),
  created_at integer not null,
  expires_at integer not null,
  accepted_at integer,
  accepted_by text references accounts (id),
  revoked_at integer
) strict;

create index invitations_by_group on invitations (group_id, created_at);

-- Keys that post. They stay when they are revoked: a notification says which one it came with.
create table group_keys (
  -- The part of the key that is no secret.
  id text primary key,
  group_id text not null references groups (id),
  name text not null,
  -- SHA-256 of the whole key.
  secret_hash text not null unique,
  created_by text references accounts (id),
  created_at integer not null,
  expires_at integer,
  -- The key that took its place; expires_at then says until when both are good.
  rotated_to text,
  revoked_at integer,
  last_used_at integer
) strict;

create index group_keys_by_group on group_keys (group_id, created_at);

-- Tokens that machines read with, in the name of a person.
create table read_tokens (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  secret_hash text not null unique,
  created_at integer not null,
  expires_at integer,
  revoked_at integer,
  last_used_at integer
) strict;

create index read_tokens_by_account on read_tokens (account_id, created_at);

create table notifications (
  -- Its position in the feed: the `id` of answers and of the stream.
  id integer primary key,
  group_id text not null,
  -- From 1, without gaps, in the order of the commits.
  seq integer not null,
  title text not null,
  body text,
  severity text not null,
  created_at integer not null,
  -- The key it came with; of a test post by a person, that person.
  key_id text,
  account_id text,
  unique (group_id, seq)
) strict;

create index notifications_by_severity on notifications (group_id, severity, seq);
-- Where a reader of the group goes on. (Along positions neither seq nor created_at goes back, so what is
-- older than some time is found by seq.)
create index notifications_by_position on notifications (group_id, id);

-- Who has taken up a critical notification.
create table acknowledgements (
  group_id text not null,
  seq integer not null,
  account_id text not null,
  at integer not null,
  primary key (group_id, seq)
) strict;

-- What a repeated request is answered with. Nothing of it is read from the notification, which may be
-- deleted earlier.
create table idempotency_keys (
  group_id text not null,
  idempotency_key text not null,
  -- SHA-256 of the content.
  content_hash text not null,
  notification_id integer not null,
  seq integer not null,
  created_at integer not null,
  primary key (group_id, idempotency_key)
) strict;

create index idempotency_keys_by_age on idempotency_keys (created_at);

-- What readers hear besides notifications, at positions of the same feed: reads, acknowledgements, who
-- came and went. Kept for a day.
create table signals (
  position integer primary key,
  -- See SignalKind in src/feed/signals.ts.
  kind text not null,
  group_id text,
  -- Of one person, when only that person's readers hear it.
  account_id text,
  -- JSON.
  detail text not null,
  at integer not null
) strict;

create index signals_by_age on signals (at);
-- Where a reader goes on: with what a group hears, and with what one person has read.
create index signals_by_group on signals (group_id, position) where kind <> 'read';
create index signals_by_account on signals (account_id, position) where kind = 'read';

create table webhooks (
  id text primary key,
  group_id text not null references groups (id),
  name text not null,
  url text not null,
  -- Notifications below it are not sent.
  min_severity text not null,
  -- active, paused (by a person), disabled (by what it answered) or deleted (until its deliveries are).
  status text not null,
  disabled_reason text,
  -- As the receiver has it (whsec_…): what signs cannot be kept as a hash.
  secret text not null,
  -- Signs beside `secret` until previous_until, so that a receiver can change over.
  previous_secret text,
  previous_until integer,
  -- Tries that failed, one after the other, since one succeeded; and when the first of them did.
  failures integer not null default 0,
  failing_since integer,
  created_by text not null references accounts (id),
  created_at integer not null
) strict;

create index webhooks_by_group on webhooks (group_id, created_at);

-- The outbox: written in the transaction of the notification.
create table deliveries (
  -- The same over all tries: the webhook-id of the request.
  id text primary key,
  webhook_id text not null references webhooks (id),
  group_id text not null,
  seq integer not null,
  -- pending, delivered or failed.
  status text not null,
  -- Tries that were begun; a crash may leave one of them without its row in `delivery_attempts`.
  attempts integer not null default 0,
  -- How many of them were before it was last sent anew by a person.
  attempts_before integer not null default 0,
  -- When it is due; while it is being tried, when another may take it for abandoned.
  due_at integer not null,
  created_at integer not null,
  ended_at integer
) strict;

-- A webhook that is far behind hides no other: each has an order of its own.
create index deliveries_due on deliveries (webhook_id, due_at) where status = 'pending';
create index deliveries_by_status on deliveries (webhook_id, status, seq);
-- The log is kept for some time.
create index deliveries_by_end on deliveries (ended_at) where ended_at is not null;
-- Retention asks whether a notification is still to be sent.
create index deliveries_open on deliveries (group_id, seq) where status = 'pending';

create table delivery_attempts (
  delivery_id text not null references deliveries (id) on delete cascade,
  attempt integer not null,
  at integer not null,
  -- Milliseconds until the answer, or until it failed.
  took_ms integer not null,
  -- Status of the answer; null when there was none.
  http_status integer,
  -- Why there was none, in words.
  error text,
  primary key (delivery_id, attempt)
) strict;

create table audit (
  id integer primary key autoincrement,
  at integer not null,
  -- null: by the operator's command line or by the service itself.
  account_id text,
  -- Who, as it was called then.
  actor text not null,
  -- See AuditAction in src/store/audit.ts.
  action text not null,
  group_id text,
  -- What it was done to, such as the id of a key.
  subject text,
  -- JSON; never a secret.
  details text not null
) strict;

create index audit_by_group on audit (group_id, id);
