-- The state of a witness, in a database of its own that belongs to its key: restoring an older copy
-- would let the key sign a second history, so no backup of a hub holds it.

-- The key that this state belongs to; one row.
create table witness_identity (
  id integer primary key check (id = 1),
  vkey text not null
) strict;

-- What was cosigned last of each log. Before the first cosignature: size 0 and the root of the empty tree.
create table cosigned_logs (
  origin text primary key,
  size integer not null,
  root blob not null,
  -- The three lines and the log's own signatures, and the time of the cosignature in seconds since 1970;
  -- null before the first one. The cosignature follows from both: Ed25519 is deterministic.
  checkpoint text,
  cosigned_at integer
) strict;

-- The keys of the logs, as the list had them when they were added.
create table log_keys (
  vkey text primary key,
  origin text not null references cosigned_logs (origin),
  qpd integer not null,
  contact text not null
) strict;
create index log_keys_by_origin on log_keys (origin);
