-- What somebody said of the scope of a case: lots that are further seeds, and lots that it never covers. Made
-- of the blocks of its edits.
create table recall_lots_by_hand (
  case_id integer not null,
  lot_no integer not null,
  said text not null,
  said_at text not null,
  block_height integer not null,
  primary key (case_id, lot_no)
) strict, without rowid;

create index recall_lots_by_hand_by_lot on recall_lots_by_hand (lot_no, case_id);

-- Edits of cases, one a row. Who, the note and the reason of the scope are private.
create table recall_edits (
  case_id integer not null,
  step_no integer not null,
  status text not null,
  edited_at text not null,
  edited_by text,
  note text,
  scope_reason text,
  changes text not null,
  lots_added integer not null,
  lots_excluded integer not null,
  lots_restored integer not null,
  block_height integer not null,
  primary key (case_id, step_no)
) strict, without rowid;
