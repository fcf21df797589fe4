-- Imports of files, as a brand lists them: what was sent, by whom, and what became of it. No block has it and no
-- cell of a file stands here. The file itself waits in a folder of one machine.
create table imports (
  import_id text collate "C" primary key,
  tenant_id text collate "C" not null,
  -- Whether a person sent the file on a page, or a key did.
  origin text collate "C" not null check (origin in ('page', 'api')),
  -- Whoever sent it.
  actor text collate "C" not null,
  -- As the sender called it; null: it had no name.
  file_name text collate "C",
  file_kind text collate "C" not null check (file_kind in ('csv', 'xlsx')),
  file_bytes bigint,
  -- The folder that the file waits in, and the machine that has it; null: no file waits.
  folder_id text collate "C",
  machine text collate "C",
  state text collate "C" not null check (
    state in ('open', 'checking', 'checked', 'importing', 'imported', 'stopped', 'failed', 'removed')
  ),
  created_at text collate "C" not null,
  -- While something is done, the process that does it says every few seconds that it still lives.
  changed_at text collate "C" not null,
  row_count bigint,
  event_count bigint,
  accepted bigint,
  duplicates bigint,
  rejected bigint,
  -- Events that are on their way through, while it is imported.
  done_count bigint,
  -- What is wrong by row and column, warnings, some of the blocks: as JSON.
  report text collate "C"
);

create index imports_by_tenant on imports (tenant_id, created_at, import_id);
create index imports_by_age on imports (created_at);

-- What the columns of a file are, as people of a brand said for a set of names in its header.
create table import_mappings (
  tenant_id text collate "C" not null,
  -- SHA-256 of the names, in hex.
  headers text collate "C" not null,
  mapping text collate "C" not null,
  actor text collate "C" not null,
  saved_at text collate "C" not null,
  primary key (tenant_id, headers)
);
