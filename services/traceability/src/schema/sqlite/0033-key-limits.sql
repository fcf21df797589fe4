-- What a key may be used for. Keys of before may be used for all that their role opens.
alter table api_keys add column limited_to text not null default 'all'
  check (limited_to in ('read', 'post-events', 'all'));
-- The keys of a brand, as its managers list and count them.
create index api_keys_by_tenant on api_keys (tenant_id, created_at, key_id);
-- When a key was used last, to the minute: written beside requests, by any process. No row: never since this file.
create table key_uses (
  key_id text primary key,
  last_used_at text not null
) strict;
