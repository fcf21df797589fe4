-- The audit is a chain: each entry gets its place and its hash after it was written, by the one process that has
-- the turn to do so. Entries themselves are only ever added.
create table audit_chain (
  -- From 1, without a gap.
  sequence bigint primary key,
  entry_id bigint not null unique,
  -- SHA-256 hex over the entry, its place and the hash before it (docs/chain-format.md).
  hash text collate "C" not null
);

-- Up to which id each entry that was ever written is in the chain.
create table audit_progress (
  id bigint primary key check (id = 1),
  through bigint not null
);

-- Blocks of the type audit: the newest place and hash at that time.
create table audit_blocks (
  height bigint primary key,
  sequence bigint not null,
  hash text collate "C" not null
);
