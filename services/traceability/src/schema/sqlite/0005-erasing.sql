-- Private rows are written anew, once: while trees of rows were balanced without overwriting, copies of
-- rows were left between those that count, where erasing would not reach them. Whoever applies this
-- overwrites the pages that it frees.

create table private_lines_anew (
  height integer not null,
  line_no integer not null,
  customer_ref text,
  channel text,
  salt text not null,
  primary key (height, line_no)
) strict, without rowid;

insert into private_lines_anew (height, line_no, customer_ref, channel, salt)
select height, line_no, customer_ref, channel, salt
from private_lines
order by height, line_no;

drop table private_lines;
alter table private_lines_anew rename to private_lines;

create index private_lines_by_customer on private_lines (customer_ref, height)
  where customer_ref is not null;

create table private_notes_anew (
  height integer primary key,
  notes text not null,
  salt text not null
) strict;

insert into private_notes_anew (height, notes, salt)
select height, notes, salt
from private_notes
order by height;

drop table private_notes;
alter table private_notes_anew rename to private_notes;

create table private_changes_anew (
  height integer not null,
  change_no integer not null,
  from_text text,
  to_text text,
  salt text not null,
  primary key (height, change_no)
) strict, without rowid;

insert into private_changes_anew (height, change_no, from_text, to_text, salt)
select height, change_no, from_text, to_text, salt
from private_changes
order by height, change_no;

drop table private_changes;
alter table private_changes_anew rename to private_changes;

-- Whoever is erased is looked for in the changes of corrections, too. No customer is longer than that;
-- notes are.
create index private_changes_by_from on private_changes (from_text, height)
  where length(from_text) <= 200;
create index private_changes_by_to on private_changes (to_text, height)
  where length(to_text) <= 200;
