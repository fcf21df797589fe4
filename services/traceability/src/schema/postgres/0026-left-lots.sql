-- The cases that covered a lot and cover it no longer: their blocks are named beside the lot, too.
create index recall_lots_left on recall_lots (lot_no, case_id)
  where left_at is not null;
