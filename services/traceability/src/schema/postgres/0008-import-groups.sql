-- An imported event without an external id is known by what its rows shared: type, moment and
-- reference, as they were imported. Its block says whether the content is the same.
alter table import_keys
  drop column content_key,
  add column group_key text collate "C" not null default '';

update import_keys k
set group_key = e.event_type || ' ' || e.occurred_at || ' ' || e.reference
from events e
where e.height = k.height;

-- The rows of an event that was corrected hold what counts now, its block what was imported. A text that
-- nobody can read leaves a key that the verifier reports, like the text itself.
do $$
declare
  corrected record;
  imported json;
begin
  for corrected in
    select b.height, b.canonical
    from import_keys k
    join events e on e.height = k.height
    join blocks b on b.height = k.height
    where e.correction_count > 0
  loop
    begin
      imported := corrected.canonical::json #> '{payload,event}';
      update import_keys
      set group_key = coalesce(
        (imported ->> 'event_type') || ' ' || (imported ->> 'occurred_at') || ' ' ||
          (imported ->> 'reference'),
        ''
      )
      where height = corrected.height;
    exception
      when data_exception then
        update import_keys set group_key = '' where height = corrected.height;
    end;
  end loop;
end $$;

alter table import_keys
  alter column group_key drop default;

create index import_keys_by_group on import_keys (tenant_no, group_key, height);
