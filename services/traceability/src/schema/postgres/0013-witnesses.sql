-- Witnesses of the log: what they have cosigned, and what each of them has seen.

-- Checkpoints with the cosignatures that satisfied the hub's policy, as they are published: the last 1,000
-- and one a day.
create table log_checkpoints (
  epoch bigint not null,
  size bigint not null,
  root bytea not null,
  note text collate "C" not null,
  published_at text collate "C" not null,
  primary key (epoch, size)
);

-- How large a tree each witness has cosigned, by its key; what it answered last, and since when it answers so.
create table log_witnesses (
  epoch bigint not null,
  vkey text collate "C" not null,
  size bigint not null,
  cosigned_at text collate "C",
  answer text collate "C",
  answered_at text collate "C",
  primary key (epoch, vkey)
);
