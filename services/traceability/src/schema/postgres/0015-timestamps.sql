-- Time stamps on checkpoints (RFC 3161), one a day, kept for ever: one is some 6,000 bytes.

create table log_timestamps (
  epoch bigint not null,
  size bigint not null,
  -- The stamped bytes: the whole signed note.
  note text collate "C" not null,
  -- The whole reply of the service, a TimeStampResp.
  reply bytea not null,
  service text collate "C" not null,
  stamped_at text collate "C" not null,
  primary key (epoch, size)
);
