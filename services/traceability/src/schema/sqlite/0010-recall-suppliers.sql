-- Whose lot a case on a supplier's lot begins at: several suppliers may use one lot code. Null of cases
-- on own lots, of cases that were opened before this file, and where no delivery names its supplier.
alter table recall_cases add column seed_supplier_name text;
