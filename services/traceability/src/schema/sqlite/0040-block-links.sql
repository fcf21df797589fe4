-- A block links to the one before by the text that is hashed. The hash of the block before stood in a
-- column as well, and a foreign key with an index over all hashes checked it: each block wrote a page of
-- its own into that index. Triggers check the same, and the search by hashes has a table that is filled
-- in sorted portions.
--
-- Foreign keys are off while the schema changes, so other tables may refer to the one that is dropped. What
-- is freed held nothing private, so it is not overwritten.

create table blocks_anew (
  height integer primary key check (height >= 0),
  hash text not null,
  canonical text not null
) strict;
insert into blocks_anew (height, hash, canonical)
  select height, hash, canonical from blocks order by height;
pragma secure_delete = off;
drop table blocks;
alter table blocks_anew rename to blocks;
pragma secure_delete = on;

-- The database itself refuses a chain that does not link. Only genesis has no block before it.
create trigger blocks_link before insert on blocks
when new.height > 0
begin
  select raise(abort, 'a block must carry the hash of the block before it')
  where not exists (
    select 1
    from blocks
    where height = new.height - 1
      and substr(new.canonical, -80) = ',"prev_hash":"' || hash || '"}'
  );
end;

create trigger blocks_stay before update of height, hash, canonical on blocks
begin
  select raise(abort, 'a block never changes');
end;

create trigger blocks_hold before delete on blocks
when exists (select 1 from blocks where height = old.height + 1)
begin
  select raise(abort, 'a block that another one links to is never deleted');
end;

-- The first bytes of the hashes of blocks, for the search by a prefix: runs of 65,536 heights, each in the
-- order of hashes, so that what is added touches the pages of the last run alone.
create table block_hashes (
  run integer not null,
  prefix blob not null,
  height integer not null,
  primary key (run, prefix, height)
) strict, without rowid;

-- The last block in that table; those behind it are looked through one by one.
create table block_hashes_through (
  id integer primary key check (id = 1),
  height integer not null
) strict;
insert into block_hashes_through (id, height) values (1, -1);
