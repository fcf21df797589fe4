-- What consumers are told of brands, products and places, as the last block about each says. A brand of before
-- has no height until a block says the same.
alter table brands add column height integer;

create index brands_by_height on brands (height);

create table products (
  tenant_id text not null,
  sku text not null,
  -- Canonical JSON: a text for each language.
  names text not null,
  gtin text,
  -- SHA-256 of its bytes.
  picture text,
  updated_at text not null,
  height integer not null,
  primary key (tenant_id, sku)
) strict, without rowid;

create index products_by_height on products (height);
create index products_by_picture on products (picture) where picture is not null;

create table places (
  tenant_id text not null,
  location text not null,
  name text not null,
  address text,
  gln text,
  updated_at text not null,
  height integer not null,
  primary key (tenant_id, location)
) strict, without rowid;

create index places_by_height on places (height);

-- Their SHA-256 is in the blocks of the products; the bytes are here alone.
create table pictures (
  sha256 text primary key,
  bytes blob not null
) strict;

-- Brands that no block tells of: there are none at a hub that has sealed what it had.
create index brands_unsealed on brands (tenant_id)
  where height is null;
