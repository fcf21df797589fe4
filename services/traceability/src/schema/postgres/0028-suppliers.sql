-- Which brand of the hub a supplier's name stands for. It is the business of the brand that says so: no block has
-- it, and the verifier compares it with the audit.
create table suppliers (
  tenant_id text collate "C" not null,
  -- As `supplier_name` of the brand's events.
  name text collate "C" not null,
  -- The tenant id of the supplier.
  brand text collate "C" not null,
  linked_at text collate "C" not null,
  primary key (tenant_id, name)
);

create index suppliers_by_brand on suppliers (tenant_id, brand, name);
