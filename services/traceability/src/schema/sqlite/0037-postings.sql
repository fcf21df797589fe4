-- Who posted events, and what their posts were warned of: a row for each run of blocks that one caller posted in one
-- group. For the brand alone: no block has it and nothing is derived from it, so that a row may be erased.
create table postings (
  first_height integer primary key,
  last_height integer not null,
  -- As the audit names whoever posts.
  actor text not null,
  -- How it came to the hub.
  came text not null check (came in ('person', 'key', 'hub')),
  -- JSON, [[height, code, line or null], …]; null: there were none.
  warnings text
) strict;
