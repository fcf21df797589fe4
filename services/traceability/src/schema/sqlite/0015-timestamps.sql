-- Time stamps on checkpoints (RFC 3161), one a day, kept for ever: one is some 6,000 bytes.

create table log_timestamps (
  epoch integer not null,
  size integer not null,
  -- The stamped bytes: the whole signed note.
  note text not null,
  -- The whole reply of the service, a TimeStampResp.
  reply blob not null,
  service text not null,
  stamped_at text not null,
  primary key (epoch, size)
) strict;
