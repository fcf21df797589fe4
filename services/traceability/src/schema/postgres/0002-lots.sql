-- What corrections, holds and quantities make of the lots. Derived from the blocks: corrections,
-- mentions, provenances, quantities, texts and the standing of each lot. Kept beside the chain:
-- private values of corrections, holds and the audit.

-- For the search of lots: three-letter pieces of texts, and numbers beside them in one index. Both come
-- with PostgreSQL (package postgresql-contrib); whoever may create objects in the database may create
-- them.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Which way of deriving rows made these; an older one is made anew at the start (rebuild.ts).
alter table head add column derived_version bigint not null default 1;

alter table tenants add column corrections bigint not null default 0;

-- The rows of events and lines say what counts: the event as sealed with its corrections applied.
alter table events add column correction_count bigint not null default 0;
-- 1: a correction says that it did not happen. It moves nothing and links nothing then.
alter table events add column voided bigint not null default 0;

-- The SKU it was first named with; product_sku is that of its first line that counts, if there is one.
alter table lots add column first_sku text collate "C" not null default '';
alter table lots add column status text collate "C" not null default 'active';
alter table lots add column on_hold bigint not null default 0;
-- Accounts (SKU and unit) with something left, and those out of which more went than came in.
alter table lots add column stocked bigint not null default 0;
alter table lots add column over_issued bigint not null default 0;

create index lots_by_status on lots (tenant_no, status, lot_no);
create index lots_on_hold on lots (tenant_no, lot_no)
  where on_hold = 1;

-- The mass balance of a lot for one SKU and unit, decimal texts; null where nothing moved. An account
-- is there for whatever was seen, also when it moved nothing. Each movement writes a new version of its
-- row, for which its page keeps room; nothing that changes is indexed.
create table lot_quantities (
  lot_no bigint not null,
  product_sku text collate "C" not null,
  unit text collate "C" not null,
  received text collate "C",
  returned text collate "C",
  produced text collate "C",
  consumed text collate "C",
  packed text collate "C",
  packed_from text collate "C",
  shipped text collate "C",
  sold text collate "C",
  disposed text collate "C",
  -- The removal that occurred last, which tells a disposed lot from a depleted one.
  removed_at text collate "C",
  removed_height bigint,
  removed_part text collate "C",
  primary key (lot_no, product_sku, unit)
) with (fillfactor = 70);

-- Where the lot of a line came from, for lines that say so and count.
create table provenances (
  height bigint not null,
  line_no bigint not null,
  tenant_no bigint not null,
  lot_no bigint not null,
  -- 1: of a RECEIVE, and so an upstream leaf in the genealogy.
  is_leaf bigint not null,
  supplier_name text collate "C",
  origin_facility text collate "C",
  supplier_lot_code text collate "C",
  primary key (height, line_no)
);

create index provenances_by_lot on provenances (lot_no, height, line_no);
-- With the places of the lines, which SQLite's index has without naming them.
create index provenances_by_supplier_lot
  on provenances (tenant_no, supplier_lot_code, lot_no, height, line_no)
  where supplier_lot_code is not null;

create table corrections (
  height bigint primary key,
  tenant_no bigint not null,
  corrects_height bigint not null,
  change_count bigint not null
);

create index corrections_by_event on corrections (corrects_height, height);
create index corrections_by_tenant on corrections (tenant_no, height);

-- Blocks that concern a lot besides those whose lines name it now: corrections of such a line or of
-- its event, and events whose lines named the lot until they were corrected.
create table lot_mentions (
  height bigint not null,
  lot_no bigint not null,
  primary key (height, lot_no)
);

create index lot_mentions_by_lot on lot_mentions (lot_no, height);

-- What a lot is found by, in lower case: its code, SKUs, suppliers and their lot codes, one a line.
create table lot_texts (
  tenant_no bigint not null,
  lot_no bigint not null,
  text text collate "C" not null,
  primary key (tenant_no, lot_no)
);

-- Which three letters stand in which text, for 2^14 lots of a tenant at a time: a search looks at few such
-- stretches at once, however many lots have the letters (lot-search.ts).
--
-- New texts wait in a list that every search looks through: putting each into all its places at once
-- takes eight times as long, while the head is locked. The service empties the list in between appends;
-- an append does so itself when the list reaches this limit, in KiB, some 6,000 lots.
create index lot_texts_by_piece on lot_texts
  using gin ((tenant_no * 4294967296 + lot_no / 16384), text gin_trgm_ops)
  with (fastupdate = on, gin_pending_list_limit = 8192);

-- What opens the commitments of corrections: who asked for one, and private values before and after.
create table private_requests (
  height bigint primary key,
  requested_by text collate "C" not null,
  salt text collate "C" not null
);

create table private_changes (
  height bigint not null,
  change_no bigint not null,
  from_text text collate "C",
  to_text text collate "C",
  salt text collate "C" not null,
  primary key (height, change_no)
);

create table lot_holds (
  hold_no bigint generated by default as identity primary key,
  lot_no bigint not null,
  -- `manual`, or the number of the case that holds the lot.
  source text collate "C" not null,
  reason text collate "C" not null,
  held_by text collate "C" not null,
  held_since text collate "C" not null,
  released_at text collate "C",
  released_by text collate "C"
);

create index lot_holds_by_lot on lot_holds (lot_no, hold_no);
create unique index lot_holds_open on lot_holds (lot_no, source)
  where released_at is null;

-- Who did what, append-only. `details` is a JSON object without private values.
create table audit_entries (
  id bigint generated by default as identity primary key,
  at text collate "C" not null,
  tenant_id text collate "C",
  actor text collate "C" not null,
  action text collate "C" not null,
  entity_type text collate "C" not null,
  entity_id text collate "C" not null,
  block_height bigint,
  request_id text collate "C",
  details text collate "C" not null
);

create index audit_entries_by_tenant on audit_entries (tenant_id, id);
create index audit_entries_by_action on audit_entries (tenant_id, action, id);
