// Writes the rows of where lots came from, in SQLite.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { Provenance } from '../provenance.ts';
import type { LotRows } from './lot-rows.ts';

const INSERT_PROVENANCE =
  'insert into provenances (height, line_no, tenant_no, lot_no, is_leaf, supplier_name, ' +
  'origin_facility, supplier_lot_code) values (?, ?, ?, ?, ?, ?, ?, ?)';

/** The lots of the event are listed already. */
export function insertProvenances(
  deps: { readonly connection: SqliteConnection; readonly lots: LotRows },
  row: {
    readonly height: number;
    readonly tenantNo: number;
    readonly provenances: readonly Provenance[];
  },
): void {
  for (const provenance of row.provenances) {
    const lotNo = deps.lots.find(row.tenantNo, provenance.lotCode);
    if (lotNo === undefined) throw new Error(`block ${row.height}: a lot is not listed`);
    deps.connection
      .statement(INSERT_PROVENANCE)
      .run(
        row.height,
        provenance.lineNo,
        row.tenantNo,
        lotNo,
        Number(provenance.isLeaf),
        provenance.supplierName,
        provenance.originFacility,
        provenance.supplierLotCode,
      );
  }
}
