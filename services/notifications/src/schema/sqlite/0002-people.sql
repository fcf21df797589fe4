-- People have a database of their own, which connections attach as `people`; what was kept of them here is
-- copied there before. The tables of before are dropped, and what refers to them is written anew without.

-- Nothing is dropped that was not copied: a row that is missing there is refused here.
create temp table people_copied (missing integer not null check (missing = 0)) strict;

insert into people_copied (missing)
select count(*) from accounts where id not in (select id from people.accounts);

drop table people_copied;

-- Rows of `deliveries` refer to `webhooks`, which is empty for a moment.
pragma defer_foreign_keys = on;

drop table sessions;
drop table setup_links;
drop table invitations;

alter table members rename to members_before;
drop index members_by_account;

create table members (
  group_id text not null references groups (id),
  -- Of a row of people.accounts.
  account_id text not null,
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

insert into members (group_id, account_id, role, joined_at, read_up_to, read_revision)
select group_id, account_id, role, joined_at, read_up_to, read_revision
from members_before;

drop table members_before;

alter table group_keys rename to group_keys_before;
drop index group_keys_by_group;

create table group_keys (
  -- The part of the key that is no secret.
  id text primary key,
  group_id text not null references groups (id),
  name text not null,
  -- SHA-256 of the whole key.
  secret_hash text not null unique,
  -- Of a row of people.accounts.
  created_by text,
  created_at integer not null,
  expires_at integer,
  -- The key that took its place; expires_at then says until when both are good.
  rotated_to text,
  revoked_at integer,
  last_used_at integer
) strict;

create index group_keys_by_group on group_keys (group_id, created_at);

insert into group_keys (
  id, group_id, name, secret_hash, created_by, created_at, expires_at, rotated_to, revoked_at, last_used_at
)
select
  id, group_id, name, secret_hash, created_by, created_at, expires_at, rotated_to, revoked_at, last_used_at
from group_keys_before;

drop table group_keys_before;

alter table read_tokens rename to read_tokens_before;
drop index read_tokens_by_account;

create table read_tokens (
  id text primary key,
  -- Of a row of people.accounts.
  account_id text not null,
  name text not null,
  secret_hash text not null unique,
  created_at integer not null,
  expires_at integer,
  revoked_at integer,
  last_used_at integer
) strict;

create index read_tokens_by_account on read_tokens (account_id, created_at);

insert into read_tokens (
  id, account_id, name, secret_hash, created_at, expires_at, revoked_at, last_used_at
)
select id, account_id, name, secret_hash, created_at, expires_at, revoked_at, last_used_at
from read_tokens_before;

drop table read_tokens_before;

-- Not by its name: `deliveries` would follow it, and refer to the table that is dropped.
create table webhooks_before as
select
  id, group_id, name, url, min_severity, status, disabled_reason, secret, previous_secret, previous_until,
  failures, failing_since, created_by, created_at
from webhooks;

drop table webhooks;

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
  -- Of a row of people.accounts.
  created_by text not null,
  created_at integer not null
) strict;

create index webhooks_by_group on webhooks (group_id, created_at);

insert into webhooks (
  id, group_id, name, url, min_severity, status, disabled_reason, secret, previous_secret, previous_until,
  failures, failing_since, created_by, created_at
)
select
  id, group_id, name, url, min_severity, status, disabled_reason, secret, previous_secret, previous_until,
  failures, failing_since, created_by, created_at
from webhooks_before;

drop table webhooks_before;

drop table accounts;

-- Whether an invitation was used in its group: asked again when a crash hid the answer.
create index audit_by_invitation on audit (subject) where action = 'invitation_accepted';
