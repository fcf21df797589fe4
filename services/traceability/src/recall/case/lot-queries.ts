// Reads which lots a case covers, on which side of its seed, and whom it has a notification for.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { Relation } from '../../terms.ts';
import type { Audience } from '../notification-status.ts';

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

/** Those of 1 to IN_LIST_MAX recipients that a case has a notification for. */
export async function notifiedAmong(
  database: DatabaseReader,
  of: {
    readonly caseId: number;
    readonly audience: Audience;
    readonly recipients: readonly string[];
  },
): Promise<readonly string[]> {
  const rows = await database.all<{ readonly recipient: string }>(sql`
    select recipient
    from recall_notifications
    where case_id = ${of.caseId} and audience = ${of.audience}
      and recipient in (${inList(of.recipients)})`);
  return rows.map((row) => row.recipient);
}
