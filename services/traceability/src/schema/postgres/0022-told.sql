-- What consumers are told of brands, products and places, as the last block about each says. A brand of before
-- has no height until a block says the same.
alter table brands add column height bigint;

create index brands_by_height on brands (height);

create table products (
  tenant_id text collate "C" not null,
  sku text collate "C" not null,
  -- Canonical JSON: a text for each language.
  names text collate "C" not null,
  gtin text collate "C",
  -- SHA-256 of its bytes.
  picture text collate "C",
  updated_at text collate "C" not null,
  height bigint not null,
  primary key (tenant_id, sku)
);

create index products_by_height on products (height);
create index products_by_picture on products (picture) where picture is not null;

create table places (
  tenant_id text collate "C" not null,
  location text collate "C" not null,
  name text collate "C" not null,
  address text collate "C",
  gln text collate "C",
  updated_at text collate "C" not null,
  height bigint not null,
  primary key (tenant_id, location)
);

create index places_by_height on places (height);

-- Their SHA-256 is in the blocks of the products; the bytes are here alone.
create table pictures (
  sha256 text collate "C" primary key,
  bytes bytea not null
);

-- Brands that no block tells of: there are none at a hub that has sealed what it had.
create index brands_unsealed on brands (tenant_id)
  where height is null;
