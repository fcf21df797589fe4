-- Groups, people, keys, notifications and everything around them. Times are milliseconds since the Unix
-- epoch, UTC. Identifiers are texts with a prefix that says of what (grp_, usr_, …).

-- One row. Whoever adds to the feed takes its row first, so positions are given in the order in which
-- transactions commit: a reader that has seen a position has seen all before it.
create table feed_head (
  id bigint primary key check (id = 1),
  -- The newest position of `notifications` and `signals` together.
  position bigint not null,
  -- When it was given; it never goes back, even when a clock does.
  at bigint not null
) with (fillfactor = 10);

insert into feed_head (id, position, at) values (1, 0, 0);

-- Processes over one database tell each other that there is something new, whatever moved the feed. A
-- transaction that moves it many times tells once.
create function tell_feed() returns trigger language plpgsql as $$
begin
  notify notifications_feed;
  return null;
end
$$;

create trigger feed_moved after update on feed_head
for each statement execute function tell_feed();

create table accounts (
  id text collate "C" primary key,
  -- In lower case.
  email text collate "C" not null unique,
  name text collate "C" not null,
  -- argon2id, in the PHC string format.
  password_hash text collate "C" not null,
  created_at bigint not null
);

create table sessions (
  -- SHA-256 of the cookie.
  token_hash text collate "C" primary key,
  account_id text collate "C" not null references accounts (id),
  -- What the browser calls itself, for the list of one's own sessions.
  agent text collate "C" not null,
  created_at bigint not null,
  last_seen_at bigint not null,
  expires_at bigint not null
);

create index sessions_by_account on sessions (account_id, created_at);

create table setup_links (
  -- SHA-256 of the secret in the link.
  token_hash text collate "C" primary key,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);

create table groups (
  id text collate "C" primary key,
  name text collate "C" not null,
  -- 1: posts are refused.
  paused bigint not null default 0,
  retention_days bigint not null,
  retention_rows bigint not null,
  created_at bigint not null
);

-- Apart from `groups`, because it changes with each post.
create table group_heads (
  group_id text collate "C" primary key references groups (id),
  -- seq of the newest notification; 0: there was none yet.
  head_seq bigint not null default 0,
  -- seq and position of the newest notification that retention has deleted; those that are there
  -- follow without gaps.
  pruned_seq bigint not null default 0,
  pruned_position bigint not null default 0
) with (fillfactor = 50);

create table members (
  group_id text collate "C" not null references groups (id),
  account_id text collate "C" not null references accounts (id),
  -- owner or member.
  role text collate "C" not null,
  joined_at bigint not null,
  -- Everything up to it is read, but for the rows of `read_exceptions`.
  read_up_to bigint not null,
  -- Grows with each change of what this person has read.
  read_revision bigint not null default 0,
  primary key (group_id, account_id)
) with (fillfactor = 50);

create index members_by_account on members (account_id, group_id);

-- Read although above read_up_to (1), or unread although not above it (0).
create table read_exceptions (
  account_id text collate "C" not null,
  group_id text collate "C" not null,
  seq bigint not null,
  is_read bigint not null,
  primary key (account_id, group_id, seq)
);

create table invitations (
  id text collate "C" primary key,
  -- SHA-256 of the secret in the link.
  token_hash text collate "C" not null unique,
  group_id text collate "C" not null references groups (id),
  role text collate "C" not null,
  -- Whom it is meant for, as the owner wrote it; anybody with the link may use it when null.
  email text collate "C",
  invited_by text collate "C" not null references accounts (id),
  created_at bigint not null,
  expires_at bigint not null,
  accepted_at bigint,
  accepted_by text collate "C" references accounts (id),
  revoked_at bigint
);

create index invitations_by_group on invitations (group_id, created_at);

-- Keys that post. They stay when they are revoked: a notification says which one it came with.
create table group_keys (
  -- The part of the key that is no secret.
  id text collate "C" primary key,
  group_id text collate "C" not null references groups (id),
  name text collate "C" not null,
  -- SHA-256 of the whole key.
  secret_hash text collate "C" not null unique,
  created_by text collate "C" references accounts (id),
  created_at bigint not null,
  expires_at bigint,
  -- The key that took its place; expires_at then says until when both are good.
  rotated_to text collate "C",
  revoked_at bigint,
  last_used_at bigint
);

create index group_keys_by_group on group_keys (group_id, created_at);

-- Tokens that machines read with, in the name of a person.
create table read_tokens (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts (id),
  name text collate "C" not null,
  secret_hash text collate "C" not null unique,
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint,
  last_used_at bigint
);

create index read_tokens_by_account on read_tokens (account_id, created_at);

create table notifications (
  -- Its position in the feed: the `id` of answers and of the stream.
  id bigint primary key,
  group_id text collate "C" not null,
  -- From 1, without gaps, in the order of the commits.
  seq bigint not null,
  title text collate "C" not null,
  body text collate "C",
  severity text collate "C" not null,
  created_at bigint not null,
  -- The key it came with; of a test post by a person, that person.
  key_id text collate "C",
  account_id text collate "C",
  unique (group_id, seq)
);

create index notifications_by_severity on notifications (group_id, severity, seq);
-- Where a reader of the group goes on. (Along positions neither seq nor created_at goes back, so what is
-- older than some time is found by seq.)
create index notifications_by_position on notifications (group_id, id);

-- Who has taken up a critical notification.
create table acknowledgements (
  group_id text collate "C" not null,
  seq bigint not null,
  account_id text collate "C" not null,
  at bigint not null,
  primary key (group_id, seq)
);

-- What a repeated request is answered with. Nothing of it is read from the notification, which may be
-- deleted earlier.
create table idempotency_keys (
  group_id text collate "C" not null,
  idempotency_key text collate "C" not null,
  -- SHA-256 of the content.
  content_hash text collate "C" not null,
  notification_id bigint not null,
  seq bigint not null,
  created_at bigint not null,
  primary key (group_id, idempotency_key)
);

create index idempotency_keys_by_age on idempotency_keys (created_at);

-- What readers hear besides notifications, at positions of the same feed: reads, acknowledgements, who
-- came and went. Kept for a day.
create table signals (
  position bigint primary key,
  -- See SignalKind in src/feed/signals.ts.
  kind text collate "C" not null,
  group_id text collate "C",
  -- Of one person, when only that person's readers hear it.
  account_id text collate "C",
  -- JSON.
  detail text collate "C" not null,
  at bigint not null
);

create index signals_by_age on signals (at);
-- Where a reader goes on: with what a group hears, and with what one person has read.
create index signals_by_group on signals (group_id, position) where kind <> 'read';
create index signals_by_account on signals (account_id, position) where kind = 'read';

create table webhooks (
  id text collate "C" primary key,
  group_id text collate "C" not null references groups (id),
  name text collate "C" not null,
  url text collate "C" not null,
  -- Notifications below it are not sent.
  min_severity text collate "C" not null,
  -- active, paused (by a person), disabled (by what it answered) or deleted (until its deliveries are).
  status text collate "C" not null,
  disabled_reason text collate "C",
  -- As the receiver has it (whsec_…): what signs cannot be kept as a hash.
  secret text collate "C" not null,
  -- Signs beside `secret` until previous_until, so that a receiver can change over.
  previous_secret text collate "C",
  previous_until bigint,
  -- Tries that failed, one after the other, since one succeeded; and when the first of them did.
  failures bigint not null default 0,
  failing_since bigint,
  created_by text collate "C" not null references accounts (id),
  created_at bigint not null
);

create index webhooks_by_group on webhooks (group_id, created_at);

-- The outbox: written in the transaction of the notification.
create table deliveries (
  -- The same over all tries: the webhook-id of the request.
  id text collate "C" primary key,
  webhook_id text collate "C" not null references webhooks (id),
  group_id text collate "C" not null,
  seq bigint not null,
  -- pending, delivered or failed.
  status text collate "C" not null,
  -- Tries that were begun; a crash may leave one of them without its row in `delivery_attempts`.
  attempts bigint not null default 0,
  -- How many of them were before it was last sent anew by a person.
  attempts_before bigint not null default 0,
  -- When it is due; while it is being tried, when another may take it for abandoned.
  due_at bigint not null,
  created_at bigint not null,
  ended_at bigint
);

-- A webhook that is far behind hides no other: each has an order of its own.
create index deliveries_due on deliveries (webhook_id, due_at) where status = 'pending';
create index deliveries_by_status on deliveries (webhook_id, status, seq);
-- The log is kept for some time.
create index deliveries_by_end on deliveries (ended_at) where ended_at is not null;
-- Retention asks whether a notification is still to be sent.
create index deliveries_open on deliveries (group_id, seq) where status = 'pending';

create table delivery_attempts (
  delivery_id text collate "C" not null references deliveries (id) on delete cascade,
  attempt bigint not null,
  at bigint not null,
  -- Milliseconds until the answer, or until it failed.
  took_ms bigint not null,
  -- Status of the answer; null when there was none.
  http_status bigint,
  -- Why there was none, in words.
  error text collate "C",
  primary key (delivery_id, attempt)
);

create table audit (
  id bigint generated always as identity primary key,
  at bigint not null,
  -- null: by the operator's command line or by the service itself.
  account_id text collate "C",
  -- Who, as it was called then.
  actor text collate "C" not null,
  -- See AuditAction in src/store/audit.ts.
  action text collate "C" not null,
  group_id text collate "C",
  -- What it was done to, such as the id of a key.
  subject text collate "C",
  -- JSON; never a secret.
  details text collate "C" not null
);

create index audit_by_group on audit (group_id, id);

-- Work that one of several processes does at a time; see lease.ts of the kit.
create table leases (
  name text collate "C" primary key,
  holder text collate "C" not null,
  expires_at timestamptz not null
) with (fillfactor = 25);

-- How much each caller has used of what it may send, for all processes together. Unlogged: counting
-- costs no write to disk, and a crash of the server starts anew.
create unlogged table rate_buckets (
  key text collate "C" primary key,
  -- When it may send its whole burst again, in microseconds since the Unix epoch.
  full_at bigint not null,
  -- How many requests the statement that wrote the row last was given.
  granted bigint not null
) with (fillfactor = 50);
