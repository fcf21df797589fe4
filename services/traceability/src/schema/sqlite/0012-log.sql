-- The log over the chain: a Merkle tree whose leaves are the hashes of the blocks.

-- The roots of the largest complete subtrees that the blocks make up, the largest first, 32 bytes each;
-- null while the tree of an older hub is being built.
alter table head add column frontier blob;

-- Complete tiles: 256 hashes of one level of the tree, and the root over them. Derived from the blocks.
-- The root comes first: roots are read by the hundred, and an engine walks over what stands before them.
create table log_tiles (
  level integer not null,
  tile integer not null,
  root blob not null,
  hashes blob not null,
  primary key (level, tile)
) strict;

-- Each name that the log has had, with the keys that sign under it: one vkey a line, the current one first.
create table log_epochs (
  epoch integer primary key,
  origin text not null unique,
  vkeys text not null,
  begun_at text not null
) strict;
