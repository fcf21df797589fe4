-- What corrections, holds and quantities make of the lots. Derived from the blocks: corrections,
-- mentions, provenances, quantities, texts and the standing of each lot. Kept beside the chain:
-- private values of corrections, holds and the audit.

-- Which way of deriving rows made these; an older one is made anew at the start (rebuild.ts).
alter table head add column derived_version integer not null default 1;

alter table tenants add column corrections integer not null default 0;

-- The rows of events and lines say what counts: the event as sealed with its corrections applied.
alter table events add column correction_count integer not null default 0;
-- 1: a correction says that it did not happen. It moves nothing and links nothing then.
alter table events add column voided integer not null default 0;

-- The SKU it was first named with; product_sku is that of its first line that counts, if there is one.
alter table lots add column first_sku text not null default '';
alter table lots add column status text not null default 'active';
alter table lots add column on_hold integer not null default 0;
-- Accounts (SKU and unit) with something left, and those out of which more went than came in.
alter table lots add column stocked integer not null default 0;
alter table lots add column over_issued integer not null default 0;

create index lots_by_status on lots (tenant_no, status, lot_no);
create index lots_on_hold on lots (tenant_no, lot_no)
  where on_hold = 1;

-- The mass balance of a lot for one SKU and unit, decimal texts; null where nothing moved. An account
-- is there for whatever was seen, also when it moved nothing. Without foreign keys, here and below where
-- every event writes: the verifier compares these rows with their lots.
create table lot_quantities (
  lot_no integer not null,
  product_sku text not null,
  unit text not null,
  received text,
  returned text,
  produced text,
  consumed text,
  packed text,
  packed_from text,
  shipped text,
  sold text,
  disposed text,
  -- The removal that occurred last, which tells a disposed lot from a depleted one.
  removed_at text,
  removed_height integer,
  removed_part text,
  primary key (lot_no, product_sku, unit)
) strict, without rowid;

-- Where the lot of a line came from, for lines that say so and count.
create table provenances (
  height integer not null,
  line_no integer not null,
  tenant_no integer not null,
  lot_no integer not null references lots (lot_no),
  -- 1: of a RECEIVE, and so an upstream leaf in the genealogy.
  is_leaf integer not null,
  supplier_name text,
  origin_facility text,
  supplier_lot_code text,
  primary key (height, line_no)
) strict, without rowid;

create index provenances_by_lot on provenances (lot_no, height, line_no);
create index provenances_by_supplier_lot on provenances (tenant_no, supplier_lot_code, lot_no)
  where supplier_lot_code is not null;

create table corrections (
  height integer primary key references blocks (height),
  tenant_no integer not null references tenants (tenant_no),
  corrects_height integer not null references events (height),
  change_count integer not null
) strict;

create index corrections_by_event on corrections (corrects_height, height);
create index corrections_by_tenant on corrections (tenant_no, height);

-- Blocks that concern a lot besides those whose lines name it now: corrections of such a line or of
-- its event, and events whose lines named the lot until they were corrected.
create table lot_mentions (
  height integer not null,
  lot_no integer not null references lots (lot_no),
  primary key (height, lot_no)
) strict, without rowid;

create index lot_mentions_by_lot on lot_mentions (lot_no, height);

-- What a lot is found by, in lower case: its code, SKUs, suppliers and their lot codes, one a line.
create table lot_texts (
  tenant_no integer not null,
  lot_no integer not null,
  text text not null,
  primary key (tenant_no, lot_no)
) strict, without rowid;

-- Which three letters stand in which text; rowid is tenant_no * 2^32 + lot_no. Lots behind `lot_no`
-- of lot_search_through are not in it yet and are looked through one by one.
create virtual table lot_search using fts5 (
  text,
  content = '',
  contentless_delete = 1,
  detail = none,
  tokenize = 'trigram case_sensitive 1'
);

-- Segments that are merged at a time: twice the default writes less, and a query costs the same.
insert into lot_search (lot_search, rank) values ('automerge', 8);

create table lot_search_through (
  id integer primary key check (id = 1),
  lot_no integer not null
) strict;

insert into lot_search_through (id, lot_no) values (1, 0);

-- What opens the commitments of corrections: who asked for one, and private values before and after.
create table private_requests (
  height integer primary key,
  requested_by text not null,
  salt text not null
) strict;

create table private_changes (
  height integer not null,
  change_no integer not null,
  from_text text,
  to_text text,
  salt text not null,
  primary key (height, change_no)
) strict, without rowid;

create table lot_holds (
  hold_no integer primary key,
  lot_no integer not null references lots (lot_no),
  -- `manual`, or the number of the case that holds the lot.
  source text not null,
  reason text not null,
  held_by text not null,
  held_since text not null,
  released_at text,
  released_by text
) strict;

create index lot_holds_by_lot on lot_holds (lot_no, hold_no);
create unique index lot_holds_open on lot_holds (lot_no, source)
  where released_at is null;

-- Who did what, append-only. `details` is a JSON object without private values.
create table audit_entries (
  id integer primary key,
  at text not null,
  tenant_id text,
  actor text not null,
  action text not null,
  entity_type text not null,
  entity_id text not null,
  block_height integer,
  request_id text,
  details text not null
) strict;

create index audit_entries_by_tenant on audit_entries (tenant_id, id);
create index audit_entries_by_action on audit_entries (tenant_id, action, id);
