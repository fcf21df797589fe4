// Writes the rows of where lots came from, in SQLite.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { EffectiveEvent } from '../effective.ts';
import { provenancesOf } from '../provenance.ts';
import type { LotRows } from './lot-rows.ts';

const INSERT_PROVENANCE =
  'insert into provenances (height, line_no, tenant_no, lot_no, is_leaf, supplier_name, ' +
  'origin_facility, supplier_lot_code) values (?, ?, ?, ?, ?, ?, ?, ?)';

/** What a lot is found by besides its code and SKUs, by its number. */
export type SupplierTerms = ReadonlyMap<number, readonly string[]>;

/** The event's lots are listed already. */
export function insertProvenances(
  deps: { readonly connection: SqliteConnection; readonly lots: LotRows },
  row: {
    readonly height: number;
    readonly tenantNo: number;
    readonly effective: EffectiveEvent;
  },
): SupplierTerms {
  const { connection, lots } = deps;
  const terms = new Map<number, string[]>();
  for (const provenance of provenancesOf(row.effective)) {
    const lotNo = lots.find(row.tenantNo, provenance.lotCode);
    if (lotNo === undefined) throw new Error(`block ${row.height}: a lot is not listed`);
    const { supplierName, originFacility, supplierLotCode } = provenance;
    connection
      .statement(INSERT_PROVENANCE)
      .run(
        row.height,
        provenance.lineNo,
        row.tenantNo,
        lotNo,
        Number(provenance.isLeaf),
        supplierName,
        originFacility,
        supplierLotCode,
      );
    const ofLot = terms.get(lotNo) ?? [];
    if (supplierName !== null) ofLot.push(supplierName);
    if (supplierLotCode !== null) ofLot.push(supplierLotCode);
    terms.set(lotNo, ofLot);
  }
  return terms;
}
