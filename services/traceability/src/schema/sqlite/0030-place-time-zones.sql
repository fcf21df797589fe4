-- The time zone that a place keeps, by its name in the database of IANA: in what times of events there are shown.
alter table places add column time_zone text;
