-- What was found wrong with the clock of a machine that writes. Open as long as it is neither accepted by
-- an operator nor over.
create table clock_alarms (
  id integer primary key,
  machine text not null,
  code text not null,
  -- What was wrong, as a number of milliseconds that the same fault gives again (clock-trust.ts).
  reading_ms integer not null,
  message text not null,
  -- What the clock showed.
  found_at text not null,
  accepted_at text,
  ended_at text
) strict;
