-- Where the hub sends what happens in a brand, as its managers set it up; the package of webhooks reads and writes
-- these tables (packages/webhooks/src/outbox/tables.ts). Times are milliseconds since the Unix epoch.
create table webhooks (
  id text primary key,
  tenant_id text not null,
  name text not null,
  -- https://…, or lothub-inbox:… with the key of a group of the inbox that the same process serves.
  url text not null,
  -- Types of what is sent, each between two spaces.
  event_types text not null,
  -- Of the texts that people read in a group of the inbox.
  language text not null,
  -- active, paused (by a person), disabled (by what it answered) or deleted (until its deliveries are).
  status text not null,
  disabled_reason text,
  -- As the receiver has it (whsec_…): what signs cannot be kept as a hash. Empty for a group of the inbox.
  secret text not null,
  -- Signs beside `secret` until previous_until, so that a receiver can change over.
  previous_secret text,
  previous_until integer,
  -- Tries that failed, one after the other, since one succeeded; and when the first of them did.
  failures integer not null default 0,
  failing_since integer,
  created_by text not null,
  created_at integer not null
) strict;
create index webhooks_by_tenant on webhooks (tenant_id, created_at);

-- The outbox: written in the transaction of what it tells of. A webhook gets its rows in the order of `seq`.
create table webhook_deliveries (
  seq integer primary key,
  -- The same over all tries: the webhook-id of the request.
  id text not null unique,
  webhook_id text not null,
  event_type text not null,
  -- When it happened, and what is sent of it, without the block that says it.
  at text not null,
  data text not null,
  block_height integer,
  -- pending, delivered or failed.
  status text not null,
  attempts integer not null default 0,
  -- How many of them were before it was last sent anew by a person.
  attempts_before integer not null default 0,
  -- When it is due; while it is being tried, when another may take it for abandoned.
  due_at integer not null,
  created_at integer not null,
  ended_at integer
) strict;
create index webhook_deliveries_by_status on webhook_deliveries (webhook_id, status, seq);
-- The log is kept for some time.
create index webhook_deliveries_by_end on webhook_deliveries (ended_at) where ended_at is not null;

create table webhook_attempts (
  delivery_id text not null references webhook_deliveries (id) on delete cascade,
  attempt integer not null,
  at integer not null,
  took_ms integer not null,
  -- Status of the answer; null when there was none.
  http_status integer,
  -- Why there was none, in words.
  error text,
  primary key (delivery_id, attempt)
) strict;

-- How far the hub has looked for what is told behind its transaction, and what of it was told.
create table webhook_looks (
  name text primary key,
  position integer not null
) strict;

-- Breaches of holds in the order of their blocks.
create index audit_entries_of_breaches on audit_entries (block_height) where action = 'hold_breach';
