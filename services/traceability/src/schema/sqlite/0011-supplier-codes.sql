-- Lots that came in under a supplier's lot code, whoever's they are: the explorer is searched by it.
create index provenances_by_code on provenances (supplier_lot_code, lot_no)
  where supplier_lot_code is not null;
