-- The ledger: blocks are the truth; events, lines, lots, tenants and head are derived from them in
-- the same transaction. Private values and import keys stand beside the chain, never on it.

create table blocks (
  height integer primary key,
  prev_height integer,
  prev_hash text not null,
  hash text not null,
  canonical text not null,
  -- One index serves the link between blocks and the search by hash prefix.
  unique (hash, height),
  -- The database itself refuses a chain that does not link. Only genesis has no block before it.
  foreign key (prev_height, prev_hash) references blocks (height, hash),
  check ((height = 0 and prev_height is null) or (height > 0 and prev_height is height - 1))
) strict;

create table head (
  id integer primary key check (id = 1),
  height integer not null,
  hash text not null,
  recorded_at text not null,
  transactions integer not null,
  lots integer not null,
  tenants integer not null
) strict;

create table tenants (
  tenant_no integer primary key,
  tenant_id text not null unique,
  first_height integer not null,
  last_height integer not null,
  events integer not null,
  transactions integer not null,
  lots integer not null
) strict;

create table events (
  height integer primary key references blocks (height),
  tenant_no integer not null references tenants (tenant_no),
  event_type text not null,
  external_id text,
  occurred_at text not null,
  reference text not null,
  line_count integer not null,
  -- How the event links its lots: 0 not at all, 1 in to out, 2 by its reference (link-basis.ts).
  link_basis integer not null
) strict;

create index events_by_tenant on events (tenant_no, height);
create unique index events_by_external_id on events (tenant_no, external_id)
  where external_id is not null;
create index events_by_reference on events (reference, height);
create index events_by_tenant_reference on events (tenant_no, reference, height);
-- One reference may stand on any number of events; only the one-sided ones link.
create index events_linked_by_reference on events (tenant_no, reference, height)
  where link_basis = 2;

create table lots (
  lot_no integer primary key,
  tenant_no integer not null references tenants (tenant_no),
  lot_code text not null,
  product_sku text not null,
  first_height integer not null,
  unique (tenant_no, lot_code)
) strict;

create index lots_by_code on lots (lot_code, first_height);

create table lines (
  height integer not null references events (height),
  line_no integer not null,
  lot_no integer not null references lots (lot_no),
  product_sku text not null,
  direction text not null,
  quantity text not null,
  unit text not null,
  -- The event's, so that a walk sees in the index alone which events of a lot link it.
  link_basis integer not null,
  primary key (height, line_no)
) strict, without rowid;

create index lines_by_lot on lines (lot_no, height, direction, link_basis);

-- What a SELL line says of a customer: committed to on the chain, kept here, erasable.
create table private_lines (
  height integer not null,
  line_no integer not null,
  customer_ref text,
  channel text,
  salt text not null,
  primary key (height, line_no)
) strict, without rowid;

create index private_lines_by_customer on private_lines (customer_ref, height)
  where customer_ref is not null;

create table private_notes (
  height integer primary key,
  notes text not null,
  salt text not null
) strict;

-- The content of imported events that came without an external id, so that a file imported twice
-- adds nothing. The key covers public fields only; commitments tell the rest apart.
create table import_keys (
  height integer primary key,
  tenant_no integer not null,
  content_key text not null
) strict;

create index import_keys_by_content on import_keys (tenant_no, content_key, height);

-- A mismatch that was found; `chain_valid` is false while one is open.
create table chain_alarms (
  id integer primary key,
  height integer not null,
  code text not null,
  message text not null,
  found_at text not null,
  cleared_at text
) strict;

create table api_keys (
  key_id text primary key,
  role text not null check (role in ('tenant', 'admin')),
  label text not null,
  key_hash text not null unique,
  tenant_id text,
  origin text not null check (origin in ('issued', 'settings')),
  created_at text not null,
  expires_at text,
  revoked_at text
) strict;

create table brands (
  tenant_id text primary key,
  name text,
  website text,
  recall_contact text,
  updated_at text not null
) strict;
