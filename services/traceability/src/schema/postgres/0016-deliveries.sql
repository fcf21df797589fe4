-- Version 2 of the chain format: lines of a SHIP may name a consignee, and corrections may have an external
-- id. No block before has either, so the rows that are there stay as they are.
-- 1: the line goes to a consignee.
alter table lines add column is_delivery bigint not null default 0;

create index lines_delivered on lines (lot_no)
  where is_delivery = 1;

-- What was shipped to consignees, and how much of it was sold under the reference of the delivery.
alter table lot_quantities add column delivered text collate "C";
alter table lot_quantities add column delivered_and_sold text collate "C";

-- The consignee of a delivery: committed to on the chain, kept here, erasable.
alter table private_lines add column consignee_ref text collate "C";

-- The customer of a line: of a sale or of a delivery, and never of both.
drop index private_lines_by_customer;
create index private_lines_by_customer
  on private_lines (coalesce(customer_ref, consignee_ref), height, line_no);

alter table corrections add column external_id text collate "C";

create unique index corrections_by_external_id on corrections (tenant_no, external_id)
  where external_id is not null;
