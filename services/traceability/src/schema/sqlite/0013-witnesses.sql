-- Witnesses of the log: what they have cosigned, and what each of them has seen.

-- Checkpoints with the cosignatures that satisfied the hub's policy, as they are published: the last 1,000
-- and one a day.
create table log_checkpoints (
  epoch integer not null,
  size integer not null,
  root blob not null,
  note text not null,
  published_at text not null,
  primary key (epoch, size)
) strict;

-- How large a tree each witness has cosigned, by its key; what it answered last, and since when it answers so.
create table log_witnesses (
  epoch integer not null,
  vkey text not null,
  size integer not null,
  cosigned_at text,
  answer text,
  answered_at text,
  primary key (epoch, vkey)
) strict;
