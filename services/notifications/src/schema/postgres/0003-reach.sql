-- Reaching people beyond the page: devices and mail as receivers of the outbox beside webhooks, escalation,
-- what belongs together, adapters of other senders, and what an owner may take away.

-- Where the sender points to; https or http.
alter table notifications add column url text collate "C";
-- What belongs together in a group, as the sender calls it; status (firing or resolved) says what it is now.
alter table notifications add column dedup_key text collate "C";
alter table notifications add column status text collate "C";
-- When its texts were taken away; its place stays.
alter table notifications add column redacted_at bigint;

create index notifications_by_dedup_key on notifications (group_id, dedup_key, seq)
where dedup_key is not null;

-- Those that stand for themselves, for lists in which all that belong together are one.
create index notifications_alone on notifications (group_id, severity, seq) where dedup_key is null;

-- What belongs together: notifications of one dedup_key, from the first after a resolved one on, with all that
-- resolve them. Written with each of them, so that a list reads one row for all.
create table occurrences (
  group_id text collate "C" not null,
  first_seq bigint not null,
  -- Empty once its last notification was redacted.
  dedup_key text collate "C" not null,
  -- Of the newest.
  last_seq bigint not null,
  severity text collate "C" not null,
  status text collate "C",
  -- How many they are and were.
  count bigint not null,
  first_at bigint not null,
  primary key (group_id, first_seq)
);

create index occurrences_by_dedup_key on occurrences (group_id, dedup_key, first_seq);
create index occurrences_by_last on occurrences (group_id, severity, last_seq);

-- Critical ones that nobody has acknowledged; of what belongs together the newest alone, unless it is resolved.
create table unacknowledged (
  group_id text collate "C" not null,
  seq bigint not null,
  primary key (group_id, seq)
);

insert into unacknowledged (group_id, seq)
select n.group_id, n.seq
from notifications n
where n.severity = 'critical'
  and not exists (
    select 1
    from acknowledgements a
    where a.group_id = n.group_id and a.seq = n.seq
  );
-- Where what belongs together ends.
create index notifications_resolved on notifications (group_id, dedup_key, seq) where status = 'resolved';

alter table acknowledgements add column comment text collate "C";

-- null: a key of the interface; else the one adapter that it posts by (alertmanager, grafana, …).
alter table group_keys add column adapter text collate "C";
-- Of an adapter whose sender signs what it sends: what verifies cannot be kept as a hash.
alter table group_keys add column signing_secret text collate "C";

-- What it is sent: standard (Standard Webhooks), slack or ntfy.
alter table webhooks add column format text collate "C" not null default 'standard';
-- Of an ntfy server that asks for one: what is sent cannot be kept as a hash.
alter table webhooks add column access_token text collate "C";

-- Nothing of the group goes to devices of this person until then, but what is escalated to them.
alter table members add column muted_until bigint;

-- Keys of the service itself, made at its first start: VAPID, and what signs links of mails.
create table service_keys (
  name text collate "C" primary key,
  value text collate "C" not null,
  created_at bigint not null
);

-- How a person wants to be reached; no row: as a new person.
create table reach_preferences (
  -- Of a row of people.accounts.
  account_id text collate "C" primary key,
  -- Minutes of the day in time_zone; null: no quiet hours. They may go over midnight.
  quiet_from bigint,
  quiet_until bigint,
  -- Of the IANA database.
  time_zone text collate "C",
  -- 1: critical ones come in quiet hours, too.
  quiet_lets_critical bigint not null default 1
);

-- Receivers of Web Push.
create table devices (
  id text collate "C" primary key,
  -- Of a row of people.accounts.
  account_id text collate "C" not null,
  -- What the browser calls itself.
  name text collate "C" not null,
  endpoint text collate "C" not null unique,
  -- As the browser gave them (base64url): what encrypts cannot be kept as a hash.
  p256dh text collate "C" not null,
  auth text collate "C" not null,
  -- Notifications below it are not sent.
  min_severity text collate "C" not null,
  -- active, paused (by its person), disabled (by what its push service answered) or deleted (until its
  -- deliveries are).
  status text collate "C" not null,
  disabled_reason text collate "C",
  failures bigint not null default 0,
  failing_since bigint,
  created_at bigint not null
);

create index devices_by_account on devices (account_id, created_at);
-- What is left of them is taken away by the worker.
create index devices_stopped on devices (id) where status <> 'active';

create table device_deliveries (
  id text collate "C" primary key,
  device_id text collate "C" not null references devices (id),
  group_id text collate "C" not null,
  seq bigint not null,
  -- created or escalated.
  kind text collate "C" not null,
  status text collate "C" not null,
  attempts bigint not null default 0,
  attempts_before bigint not null default 0,
  due_at bigint not null,
  created_at bigint not null,
  ended_at bigint
);

create index device_deliveries_due on device_deliveries (device_id, due_at) where status = 'pending';
create index device_deliveries_by_status on device_deliveries (device_id, status, seq);
create index device_deliveries_by_end on device_deliveries (ended_at) where ended_at is not null;
create index device_deliveries_open on device_deliveries (group_id, seq) where status = 'pending';

create table device_attempts (
  delivery_id text collate "C" not null references device_deliveries (id) on delete cascade,
  attempt bigint not null,
  at bigint not null,
  took_ms bigint not null,
  http_status bigint,
  error text collate "C",
  primary key (delivery_id, attempt)
);

-- Receivers of mail: one for each person who wants some; the address is the account's.
create table mail_receivers (
  id text collate "C" primary key,
  -- Of a row of people.accounts.
  account_id text collate "C" not null unique,
  -- Notifications below it are not sent.
  min_severity text collate "C" not null,
  -- at_once, hourly or daily.
  rhythm text collate "C" not null,
  -- active, paused (by its person, also by the link of a mail), disabled (by what the mail server answered)
  -- or deleted (until its deliveries are).
  status text collate "C" not null,
  disabled_reason text collate "C",
  failures bigint not null default 0,
  failing_since bigint,
  created_at bigint not null,
  -- Mails of the hour that began then with one of them: no more than the limit go in it.
  hour_from bigint,
  hour_mails bigint not null default 0
);

create index mail_receivers_stopped on mail_receivers (id) where status <> 'active';

create table mail_deliveries (
  id text collate "C" primary key,
  receiver_id text collate "C" not null references mail_receivers (id),
  group_id text collate "C" not null,
  seq bigint not null,
  -- created or escalated.
  kind text collate "C" not null,
  status text collate "C" not null,
  attempts bigint not null default 0,
  attempts_before bigint not null default 0,
  due_at bigint not null,
  created_at bigint not null,
  ended_at bigint
);

create index mail_deliveries_due on mail_deliveries (receiver_id, due_at) where status = 'pending';
create index mail_deliveries_by_status on mail_deliveries (receiver_id, status, seq);
create index mail_deliveries_by_end on mail_deliveries (ended_at) where ended_at is not null;
create index mail_deliveries_open on mail_deliveries (group_id, seq) where status = 'pending';

create table mail_attempts (
  delivery_id text collate "C" not null references mail_deliveries (id) on delete cascade,
  attempt bigint not null,
  at bigint not null,
  took_ms bigint not null,
  http_status bigint,
  error text collate "C",
  primary key (delivery_id, attempt)
);

-- seq of the newest notification that an owner's export held.
alter table groups add column exported_seq bigint;
-- It is nobody's any more, and what it held is being deleted; the row stays, so that its id is not given again.
alter table groups add column deleted_at bigint;

-- Members of a deleted group, until what each of them has read is deleted.
create table former_members (
  group_id text collate "C" not null references groups (id),
  account_id text collate "C" not null,
  primary key (group_id, account_id)
);

-- Where critical notifications of a group go that nobody acknowledged in time.
create table escalations (
  group_id text collate "C" primary key references groups (id),
  after_minutes bigint not null,
  -- Another group; null: to the people of `escalation_people` alone.
  to_group_id text collate "C" references groups (id),
  -- The key of that group that they are posted with; its owners end it by revoking the key.
  key_id text collate "C",
  -- Everything of the group up to it was looked at.
  checked_seq bigint not null,
  set_by text collate "C" not null,
  set_at bigint not null
);

create index escalations_by_target on escalations (to_group_id) where to_group_id is not null;

create table escalation_people (
  group_id text collate "C" not null references groups (id),
  -- Of a row of people.accounts.
  account_id text collate "C" not null,
  primary key (group_id, account_id)
);

-- Each is escalated once.
create table escalated (
  group_id text collate "C" not null,
  seq bigint not null,
  at bigint not null,
  after_minutes bigint not null,
  -- The key that it has still to be posted with in to_group_id; null: there is nothing more to post.
  key_id text collate "C",
  to_group_id text collate "C",
  -- What it became there.
  to_seq bigint,
  primary key (group_id, seq)
);

create index escalated_open on escalated (group_id, seq) where key_id is not null;
