-- What somebody said of the scope of a case: lots that are further seeds, and lots that it never covers. Made
-- of the blocks of its edits.
create table recall_lots_by_hand (
  case_id bigint not null,
  lot_no bigint not null,
  said text collate "C" not null,
  said_at text collate "C" not null,
  block_height bigint not null,
  primary key (case_id, lot_no)
);

create index recall_lots_by_hand_by_lot on recall_lots_by_hand (lot_no, case_id);

-- Edits of cases, one a row. Who, the note and the reason of the scope are private.
create table recall_edits (
  case_id bigint not null,
  step_no bigint not null,
  status text collate "C" not null,
  edited_at text collate "C" not null,
  edited_by text collate "C",
  note text collate "C",
  scope_reason text collate "C",
  changes text collate "C" not null,
  lots_added bigint not null,
  lots_excluded bigint not null,
  lots_restored bigint not null,
  block_height bigint not null,
  primary key (case_id, step_no)
);
