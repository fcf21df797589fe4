-- A Digital Link names a GTIN: which products claim it, of whatever brand.
create index products_by_gtin on products (gtin, tenant_id, sku)
  where gtin is not null;

-- Cases that ended are listed for a while: those since an instant, and of all cases those that changed last.
create index recall_cases_ended on recall_cases (ended_at)
  where ended_at is not null;
