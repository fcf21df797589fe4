-- Imports of files, as a brand lists them: what was sent, by whom, and what became of it. No block has it and no
-- cell of a file stands here. The file itself waits in a folder of one machine.
create table imports (
  import_id text primary key,
  tenant_id text not null,
  -- Whether a person sent the file on a page, or a key did.
  origin text not null check (origin in ('page', 'api')),
  -- Whoever sent it.
  actor text not null,
  -- As the sender called it; null: it had no name.
  file_name text,
  file_kind text not null check (file_kind in ('csv', 'xlsx')),
  file_bytes integer,
  -- The folder that the file waits in, and the machine that has it; null: no file waits.
  folder_id text,
  machine text,
  state text not null check (
    state in ('open', 'checking', 'checked', 'importing', 'imported', 'stopped', 'failed', 'removed')
  ),
  created_at text not null,
  -- While something is done, the process that does it says every few seconds that it still lives.
  changed_at text not null,
  row_count integer,
  event_count integer,
  accepted integer,
  duplicates integer,
  rejected integer,
  -- Events that are on their way through, while it is imported.
  done_count integer,
  -- What is wrong by row and column, warnings, some of the blocks: as JSON.
  report text
) strict;

create index imports_by_tenant on imports (tenant_id, created_at, import_id);
create index imports_by_age on imports (created_at);

-- What the columns of a file are, as people of a brand said for a set of names in its header.
create table import_mappings (
  tenant_id text not null,
  -- SHA-256 of the names, in hex.
  headers text not null,
  mapping text not null,
  actor text not null,
  saved_at text not null,
  primary key (tenant_id, headers)
) strict, without rowid;
