-- What became of notifications, drills and erasures is sealed; rows bear the block that said it.
alter table recall_notifications add column response_height bigint;

create index recall_notifications_by_response on recall_notifications (response_height)
  where response_height is not null;
-- The newest answer of a case.
create index recall_notifications_responded on recall_notifications (case_id, response_height)
  where response_height is not null;
-- Rows that say what no block has said.
create index recall_notifications_unsealed on recall_notifications (notification_id)
  where response_height is null and status in ('sent', 'acknowledged', 'resolved');

alter table recall_drills add column sealed_height bigint;

create index recall_drills_by_block on recall_drills (sealed_height)
  where sealed_height is not null;
create index recall_drills_unsealed on recall_drills (drill_id)
  where sealed_height is null;

-- Blocks whose private values were erased, each with a block that says so.
create table erased_heights (
  height bigint not null,
  erasure_height bigint not null,
  primary key (height, erasure_height)
);

create index erased_heights_by_block on erased_heights (erasure_height);

-- Customers who are erased were notified. In its words a longer text is of no customer.
create index private_decisions_by_recipient on private_decisions (value)
  where name = 'recipient' and length(value) <= 200;
