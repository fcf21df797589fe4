-- Notifications of groups that have receivers, until a delivery is written for each receiver that is to get them. Noted
-- in the transaction of the notification, so that a post writes one row, however many receivers there are.
create table undistributed (
  -- Position of the notification.
  id bigint primary key,
  group_id text collate "C" not null,
  seq bigint not null
);
