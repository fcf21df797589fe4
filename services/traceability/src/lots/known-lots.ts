// Finds lots that a request names by their codes. The tenant must have all of them.
import type { DatabaseReader } from '@lothub/kit/database';
import { FIELD_ERRORS_MAX, type Loc } from '@lothub/kit/http/field-errors';
import { slicesInTurns } from '@lothub/kit/in-turns';
import sql from 'sql-template-tag';
import { FieldsRefusal } from '../errors.ts';
import { buildLotsCondition } from '../ledger/decisions/lots.ts';

/** Codes of a request, and their places in it. */
interface NamedLots {
  readonly loc: Loc;
  readonly codes: readonly string[];
}

/**
 * Returns the number of each lot, by its code.
 * @throws FieldsRefusal that names each code of no own lot
 */
export async function knownLots(
  database: DatabaseReader,
  tenantId: string,
  lists: readonly NamedLots[],
): Promise<ReadonlyMap<string, number>> {
  const known = new Map<string, number>();
  for await (const codes of slicesInTurns(lists.flatMap((list) => list.codes))) {
    const rows = await database.all<{ readonly lotCode: string; readonly lotNo: number }>(sql`
      select l.lot_code as "lotCode", l.lot_no as "lotNo"
      from lots l
      where ${buildLotsCondition(tenantId, codes)}`);
    for (const { lotCode, lotNo } of rows) known.set(lotCode, lotNo);
  }
  const errors = lists.flatMap(({ loc, codes }) =>
    codes.flatMap((code, index) => {
      if (known.has(code)) return [];
      const msg = 'No own lot of this code is known';
      return [{ loc: [...loc, index], msg, type: 'value_error' }];
    }),
  );
  if (errors.length > 0) throw new FieldsRefusal(errors.slice(0, FIELD_ERRORS_MAX));
  return known;
}
