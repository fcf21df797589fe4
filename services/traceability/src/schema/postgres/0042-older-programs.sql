-- Processes of an older version write nothing more from here on, which is where the upgrade begins: rows of cases,
-- holds, brands, keys and entries of the audit that they write would have no block.

-- 0.5 compares this number before it appends. Rows count as older than this version until they are made anew.
update head set derived_version = 4;

-- Each session says of which generation its program is; those before the first upgrade that asks say nothing. A
-- later upgrade that older processes must not write beside replaces this function with a higher number.
create function refuse_older_programs() returns trigger
language plpgsql
as $$
begin
  if coalesce(nullif(current_setting('lothub.generation', true), '')::bigint, 1) < 2 then
    raise exception 'another process has brought the database to a newer version: end this one and start the newer program'
      using errcode = 'LH001',
        hint = 'By hand: set lothub.generation = 2';
  end if;
  return null;
end
$$;

do $$
declare
  name text;
begin
  foreach name in array array[
    'head', 'lot_holds', 'recall_cases', 'recall_moves', 'recall_lots', 'recall_notifications', 'recall_drills',
    'brands', 'api_keys', 'audit_entries', 'private_lines', 'private_notes', 'private_requests', 'private_changes'
  ]
  loop
    execute format(
      'create trigger older_programs before insert or update or delete on %I '
        'for each statement execute function refuse_older_programs()',
      name
    );
  end loop;
end
$$;
