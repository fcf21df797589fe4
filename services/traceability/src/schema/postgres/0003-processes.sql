-- What the processes that serve one hub share about themselves. None of it is of the ledger: lost, it
-- is made anew. SQLite serves one process, which keeps this in memory.

-- Work that one process does at a time; whoever holds a lease renews it before it expires.
create table leases (
  name text collate "C" primary key,
  holder text collate "C" not null,
  expires_at timestamptz not null
) with (fillfactor = 25);

-- How far the background verifier has found the chain as it was sealed.
create table verifier_progress (
  id bigint primary key check (id = 1),
  verified_through bigint not null,
  verified_at text collate "C"
) with (fillfactor = 25);

-- How often each caller has asked within the running minute, in the shape that rate-limiter-flexible
-- expects. Unlogged: counting costs no write to disk, and a crash of the server starts at zero.
create unlogged table rate_counts (
  key text collate "C" primary key,
  points bigint not null default 0,
  -- Milliseconds since 1970.
  expire bigint
) with (fillfactor = 50);
