-- A block links to the one before by the text that is hashed. The hash of the block before stood in a
-- column as well, which a foreign key checked with a look-up for each row. Triggers check the same, once for
-- each statement.

alter table blocks drop column prev_height, drop column prev_hash;
-- What is left of the index over whole hashes is for the search by their first digits.
alter table blocks drop constraint blocks_hash_height_key;
create index blocks_by_hash on blocks (left(hash, 12));
alter table blocks add constraint blocks_height_check check (height >= 0) not valid;

-- The database itself refuses a chain that does not link. Only genesis has no block before it.
create function blocks_must_link() returns trigger
language plpgsql
set search_path from current
as $$
begin
  if exists (
    select
    from added a
    left join blocks b on b.height = a.height - 1
    where a.height > 0
      and right(a.canonical, 80) is distinct from ',"prev_hash":"' || b.hash || '"}'
  ) then
    raise exception 'a block must carry the hash of the block before it'
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end
$$;
create trigger blocks_link after insert on blocks
  referencing new table as added
  for each statement execute function blocks_must_link();

create function blocks_must_stay() returns trigger
language plpgsql
as $$
begin
  raise exception 'a block never changes' using errcode = 'foreign_key_violation';
end
$$;
create trigger blocks_stay before update on blocks
  for each row execute function blocks_must_stay();

create function blocks_must_hold() returns trigger
language plpgsql
set search_path from current
as $$
begin
  if exists (
    select
    from removed r
    join blocks b on b.height = r.height + 1
  ) then
    raise exception 'a block that another one links to is never deleted'
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end
$$;
create trigger blocks_hold after delete on blocks
  referencing old table as removed
  for each statement execute function blocks_must_hold();
