-- Recall cases are derived from blocks of decisions. A case without a step was opened before its steps were
-- sealed.
alter table recall_cases add column step_no integer;
alter table recall_moves add column block_height integer;

-- Whom a case concerns, as its blocks commit to it: what opens each commitment is kept here, erasable.
create table private_recipients (
  notification_id integer primary key,
  audience text not null,
  recipient text not null,
  salt text not null
) strict;

create index lot_holds_by_case on lot_holds (source, lot_no)
  where source <> 'manual';

-- Cases that no block tells of: there are none at a hub that has sealed what it had.
create index recall_cases_unsealed on recall_cases (case_id)
  where step_no is null;
