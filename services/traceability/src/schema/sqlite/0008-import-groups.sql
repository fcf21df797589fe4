-- An imported event without an external id is known by what its rows shared: type, moment and
-- reference, as they were imported. Its block says whether the content is the same.
alter table import_keys rename to import_keys_before;

create table import_keys (
  height integer primary key,
  tenant_no integer not null,
  group_key text not null
) strict;

-- The rows of an event that was corrected hold what counts now, its block what was imported. A text that
-- nobody can read leaves a key that the verifier reports, like the text itself.
insert into import_keys (height, tenant_no, group_key)
select
  k.height,
  k.tenant_no,
  coalesce(
    case
      when e.correction_count = 0 then e.event_type || ' ' || e.occurred_at || ' ' || e.reference
      when json_valid(b.canonical) then
        json_extract(b.canonical, '$.payload.event.event_type') || ' ' ||
        json_extract(b.canonical, '$.payload.event.occurred_at') || ' ' ||
        json_extract(b.canonical, '$.payload.event.reference')
    end,
    ''
  )
from import_keys_before k
left join events e on e.height = k.height
left join blocks b on b.height = k.height;

drop table import_keys_before;

create index import_keys_by_group on import_keys (tenant_no, group_key, height);
