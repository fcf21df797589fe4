-- Recall cases, what they cover, whom they concern; and drills. All of it stands beside the chain: a
-- case says what people decided, and no block tells it. lots.recalled follows from the cases.

-- 1: a case that covers the lot has reached `notification` and was not cancelled.
alter table lots add column recalled integer not null default 0;

create index lots_recalled on lots (tenant_no, lot_no)
  where recalled = 1;

create table recall_cases (
  case_id integer primary key,
  -- Unique in the hub: RC-2026-0001.
  case_no text not null unique,
  tenant_no integer not null,
  -- Of an own lot; of a supplier's when there is no seed_lot_no.
  seed_lot_code text not null,
  seed_lot_no integer,
  title text not null,
  reason text not null,
  severity text not null,
  direction text not null,
  auto_hold integer not null,
  -- Private, like every name of a person here.
  opened_by text not null,
  opened_at text not null,
  -- The tip when the scope was looked for first.
  opened_height integer not null,
  opened_hash text not null,
  status text not null,
  updated_at text not null,
  -- When it reached `notification` first: its lots are recalled from then on.
  notified_at text,
  -- When it was closed or cancelled: nothing of it changes any more.
  ended_at text,
  -- Grows with each change, so that a change that was planned on an older state is not made.
  revision integer not null default 1,
  -- What stood in the impact at the opening, as JSON, without private values.
  snapshot text not null
) strict;

create index recall_cases_by_tenant on recall_cases (tenant_no, case_id);
create index recall_cases_open on recall_cases (case_id)
  where ended_at is null;
create index recall_cases_by_seed on recall_cases (tenant_no, seed_lot_code, case_id);

-- Each step of a case, the opening first.
create table recall_moves (
  case_id integer not null,
  move_no integer not null,
  from_status text,
  to_status text not null,
  moved_at text not null,
  moved_by text,
  note text,
  primary key (case_id, move_no)
) strict, without rowid;

-- The lots that a case covers, and those that it covered once.
create table recall_lots (
  case_id integer not null,
  lot_no integer not null,
  relation text not null,
  distance integer not null,
  -- 1: an ancestor and a descendant at once; relation and distance are those of the nearer way.
  both_ways integer not null default 0,
  -- 1: in the snapshot that was taken at the opening.
  in_snapshot integer not null,
  entered_at text not null,
  -- The chain's height when it was found to be in the impact, or not to be in it any more.
  entered_height integer not null,
  left_at text,
  left_height integer,
  primary key (case_id, lot_no)
) strict, without rowid;

create index recall_lots_by_lot on recall_lots (lot_no, case_id)
  where left_at is null;

-- An outbox that the brand's own tools pull and confirm: whom a case concerns.
create table recall_notifications (
  notification_id integer primary key,
  case_id integer not null,
  audience text not null,
  -- A customer, a class of channels, a supplier; the audience itself where there is one of it only. A
  -- customer that was erased has none.
  recipient text,
  status text not null,
  created_at text not null,
  ready_at text,
  sent_at text,
  acknowledged_at text,
  resolved_at text,
  response text,
  unique (case_id, audience, recipient)
) strict;

create index recall_notifications_by_case on recall_notifications (case_id, notification_id);
create index recall_notifications_by_recipient on recall_notifications (audience, recipient);

-- Through which block the open cases have been widened; no row before the first case.
create table recall_progress (
  id integer primary key check (id = 1),
  followed_height integer not null
) strict;

create table recall_drills (
  drill_id integer primary key,
  tenant_no integer not null,
  lot_code text not null,
  drilled_at text not null,
  actor text not null,
  height integer not null,
  tip_hash text not null,
  -- Microseconds.
  elapsed_us integer not null,
  -- What the trace found, as JSON, without private values.
  result text not null
) strict;

-- Newest first, as the indexes below.
create index recall_drills_by_tenant on recall_drills (tenant_no, (-drill_id));

-- Newest first by an expression that no other index has: in the order of the ids themselves PostgreSQL
-- would walk past the rows of all others to those of a rare state, action or tenant.
create index recall_cases_open_newest on recall_cases (tenant_no, (-case_id))
  where ended_at is null;
create index lots_on_hold_newest on lots (tenant_no, (-lot_no))
  where on_hold = 1;
create index lots_recalled_newest on lots (tenant_no, (-lot_no))
  where recalled = 1;
drop index audit_entries_by_tenant;
drop index audit_entries_by_action;
create index audit_entries_by_tenant on audit_entries (tenant_id, (-id));
create index audit_entries_by_action on audit_entries (tenant_id, action, (-id));
create index audit_entries_by_entity on audit_entries (tenant_id, entity_id, (-id));
