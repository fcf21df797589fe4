-- Which blocks of recall cases name a lot, without reading what they say. A step of a case has parts; which block
-- says a part is known when it is sealed, which part names a lot before.
create table recall_parts (
  height integer not null,
  -- 1 to as many as the step has. A block in confidence says all parts of its step.
  part integer not null,
  case_id integer not null,
  step_no integer not null,
  -- 1: it is about every lot of the case, as the opening, moves and edits are.
  of_case integer not null,
  -- 1: the block commits to the part and does not say it.
  confidential integer not null,
  lots_entered integer not null,
  lots_left integer not null,
  primary key (height, part)
) strict, without rowid;

create index recall_parts_by_case on recall_parts (case_id, step_no, part);
create index recall_parts_of_case on recall_parts (case_id, height)
  where of_case = 1;

-- The part of a step with which a lot entered the case first; none of a case whose steps are not sealed.
alter table recall_lots add column named_step integer;
alter table recall_lots add column named_part integer;

-- Every other part that names a lot.
create table recall_lots_named (
  case_id integer not null,
  lot_no integer not null,
  step_no integer not null,
  part integer not null,
  primary key (case_id, lot_no, step_no, part)
) strict, without rowid;

-- What was said by hand names its part as well: its rows are written before the height of the block is known. They
-- are derived anew.
drop table recall_lots_by_hand;
create table recall_lots_by_hand (
  case_id integer not null,
  lot_no integer not null,
  said text not null,
  said_at text not null,
  step_no integer not null,
  part integer not null,
  primary key (case_id, lot_no)
) strict, without rowid;

create index recall_lots_by_hand_by_lot on recall_lots_by_hand (lot_no, case_id);
