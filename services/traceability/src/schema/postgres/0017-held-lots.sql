-- The lots of a tenant that are on hold are found by their open holds. While an index of `lots` had only
-- those with on_hold = 1, PostgreSQL wrote each index of a lot anew when it was held: eight times the work,
-- with the head locked, for each lot of a recall case.
alter table lot_holds add column tenant_no bigint not null default 0;
update lot_holds
set tenant_no = coalesce((select l.tenant_no from lots l where l.lot_no = lot_holds.lot_no), 0);
create index lot_holds_open_by_tenant on lot_holds (tenant_no, (-lot_no))
  where released_at is null;
drop index lots_on_hold;
drop index lots_on_hold_newest;

-- How often cases were widened: who plans on rows that another process has widened since notices it.
alter table recall_progress add column widenings bigint not null default 0;
