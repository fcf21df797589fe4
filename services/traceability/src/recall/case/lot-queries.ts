// Reads which lots a case covers, on which side of its seed, and which recipients have a notification.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import { cutRowSlices, valueRows } from '@lothub/kit/rows/value-rows';
import sql from 'sql-template-tag';
import type { Relation } from '../../terms.ts';
import type { Audience } from '../notification-status.ts';

export interface LotOfCase {
  readonly lotNo: number;
  readonly relation: Relation;
  readonly distance: number;
  readonly bothWays: 0 | 1;
}

/** Finds the lots among 1 to IN_LIST_MAX that a case covers. */
export async function lotsOfCaseAmong(
  database: DatabaseReader,
  query: { readonly caseId: number; readonly lotNos: readonly number[] },
): Promise<readonly LotOfCase[]> {
  return await database.all<LotOfCase>(sql`
    select lot_no as "lotNo", relation, distance, both_ways as "bothWays"
    from recall_lots
    where case_id = ${query.caseId} and lot_no in (${inList(query.lotNos)}) and left_at is null`);
}

/** Finds the lots among 1 to IN_LIST_MAX that a case covers or has covered. */
export async function everCoveredAmong(
  database: DatabaseReader,
  query: { readonly caseId: number; readonly lotNos: readonly number[] },
): Promise<readonly number[]> {
  const rows = await database.all<{ readonly lotNo: number }>(sql`
    select l.lot_no as "lotNo"
    from lots l
    where l.lot_no in (${inList(query.lotNos)})
      and (
        select 1 from recall_lots r where r.case_id = ${query.caseId} and r.lot_no = l.lot_no limit 1
      ) is not null`);
  return rows.map(({ lotNo }) => lotNo);
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

/** Finds the recipients among 1 to IN_LIST_MAX for which a case has a notification. */
export async function notifiedAmong(
  database: DatabaseReader,
  query: {
    readonly caseId: number;
    readonly audience: Audience;
    readonly recipients: readonly string[];
  },
): Promise<readonly string[]> {
  const rows = [...cutRowSlices(query.recipients.map((recipient) => [recipient]))];
  // One look-up each: for a list of them PostgreSQL read all notifications of the case.
  const found = await askForEach(database, rows, (one, slice) =>
    one.all<{ readonly recipient: string }>(sql`
      select v.column1 as recipient
      from (${valueRows(slice)}) v
      where (
        select 1
        from recall_notifications n
        where n.case_id = ${query.caseId} and n.audience = ${query.audience} and n.recipient = v.column1
        limit 1
      ) is not null`),
  );
  return found.flat().map(({ recipient }) => recipient);
}
