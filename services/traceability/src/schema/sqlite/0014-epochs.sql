-- Logs that have ended, each with the statement that the next one began with.

-- Keys that signed under this name and do not any more, one vkey a line.
alter table log_epochs add column retired_vkeys text;
-- The signed note that this log began with; null of the first one.
alter table log_epochs add column statement text;
-- A tree that was signed, noted now and then: a backup shows by it up to where it was signed.
alter table log_epochs add column signed_size integer;
alter table log_epochs add column signed_root blob;
-- Of a log that has ended: when, its last checkpoint, and the largest one whose tree the next log shares.
-- A checkpoint is null when nobody could sign it any more.
alter table log_epochs add column ended_at text;
alter table log_epochs add column last_note text;
alter table log_epochs add column common_size integer;
alter table log_epochs add column common_note text;
