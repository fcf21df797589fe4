// Reads which lots a case covers, and on which side of its seed.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { Relation } from '../../terms.ts';

export interface LotOfCase {
  readonly lotNo: number;
  readonly relation: Relation;
  readonly distance: number;
  readonly bothWays: 0 | 1;
}

/** Those of 1 to IN_LIST_MAX lots that a case covers. */
export async function lotsOfCaseAmong(
  database: DatabaseReader,
  of: { readonly caseId: number; readonly lotNos: readonly number[] },
): Promise<readonly LotOfCase[]> {
  return await database.all<LotOfCase>(sql`
    select lot_no as "lotNo", relation, distance, both_ways as "bothWays"
    from recall_lots
    where case_id = ${of.caseId} and lot_no in (${inList(of.lotNos)}) and left_at is null`);
}

/** A page of the lots that a case covers, by their numbers. */
export async function lotsOfCase(
  database: DatabaseReader,
  page: { readonly caseId: number; readonly after: number; readonly limit: number },
): Promise<readonly LotOfCase[]> {
  return await database.all<LotOfCase>(sql`
    select lot_no as "lotNo", relation, distance, both_ways as "bothWays"
    from recall_lots
    where case_id = ${page.caseId} and lot_no > ${page.after} and left_at is null
    order by lot_no
    limit ${page.limit}`);
}
