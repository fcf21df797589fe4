-- Which brand of the hub a supplier's name stands for. It is the business of the brand that says so: no block has
-- it, and the verifier compares it with the audit.
create table suppliers (
  tenant_id text not null,
  -- As `supplier_name` of the brand's events.
  name text not null,
  -- The tenant id of the supplier.
  brand text not null,
  linked_at text not null,
  primary key (tenant_id, name)
) strict, without rowid;

create index suppliers_by_brand on suppliers (tenant_id, brand, name);
