-- Version 2 of the chain format: blocks of what people decided. Rows of decisions are derived from their blocks;
-- the private values that a block commits to are kept here, erasable.
create table decisions (
  height integer primary key,
  tenant_id text not null,
  type text not null,
  -- What it is about among those of the tenant and the type, such as the number of a case.
  subject text not null
) strict;

create index decisions_by_subject on decisions (tenant_id, type, subject, height);

create table private_decisions (
  height integer not null,
  name text not null,
  value text not null,
  salt text not null,
  primary key (height, name)
) strict, without rowid;

-- The blocks that set a hold by hand and ended it.
alter table lot_holds add column held_height integer;
alter table lot_holds add column released_height integer;

create index lot_holds_by_held_height on lot_holds (held_height)
  where held_height is not null;
create index lot_holds_by_released_height on lot_holds (released_height)
  where released_height is not null;
