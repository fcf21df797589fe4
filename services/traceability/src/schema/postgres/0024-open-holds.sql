-- The open holds of a tenant are read through an index of their own alone. Its condition was that of each look
-- for the open hold of one lot: where the server had counted no open holds, it read all of them through this
-- index for each lot, with the head locked, 20 s for a case of 10,000 lots. What lists them says `hold_no > 0`
-- as well, which nothing else says.
drop index lot_holds_open_by_tenant;
create index lot_holds_open_by_tenant on lot_holds (tenant_no, (-lot_no))
  where released_at is null and hold_no > 0;
