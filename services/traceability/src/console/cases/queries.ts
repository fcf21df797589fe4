// Queries of the pages of recall cases that the capability of recalls does not have. Each query stays within
// one case and reads through its index.
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import sql, { empty, type Sql } from 'sql-template-tag';
import { searchable } from '../../ledger/record/lot-text.ts';
import type { CaseLotRow } from '../../recall/case/rows.ts';
import { LOT_STATE } from '../../lots/state.ts';
import type { NotificationStatus } from '../../terms.ts';

/**
 * Lots or notifications of one case that a list of cases counts at most; then it says that there are more.
 */
export const COUNTED_MAX = 1_000;

export interface CaseCounts {
  /** Lots that the case covers, at most `COUNTED_MAX` and one. */
  readonly lots: number;
  /** Notifications that wait to be sent or answered, with the same limit. */
  readonly unanswered: number;
}

/** Reads the counts of a case for a list of cases. */
export async function countsOfCase(database: DatabaseReader, caseId: number): Promise<CaseCounts> {
  const row = await database.first<CaseCounts>(sql`
    select
      (
        select count(*)
        from (
          select r.lot_no
          from recall_lots r
          where r.case_id = ${caseId} and r.left_at is null
          limit ${COUNTED_MAX + 1}
        ) as lots
      ) as lots,
      (
        select count(*)
        from (
          select n.notification_id
          from recall_notifications n
          where n.case_id = ${caseId} and n.status in ('ready', 'sent')
          limit ${COUNTED_MAX + 1}
        ) as waiting
      ) as unanswered`);
  return present(row, 'the row of a count');
}

export const SCOPE_PARTS = ['covered', 'added', 'left', 'held', 'free'] as const;
/** `held` and `free`: covered, and on hold or not, by any hold. */
export type ScopePart = (typeof SCOPE_PARTS)[number];

/** A page of the lots of a case, by their numbers. */
export async function searchScope(
  database: DatabaseReader,
  page: {
    readonly caseId: number;
    readonly part: ScopePart;
    /** A part of the search text of a lot, such as its code or a SKU; undefined: all lots. */
    readonly text: string | undefined;
    readonly above: number;
    readonly limit: number;
  },
): Promise<readonly CaseLotRow[]> {
  return await database.all<CaseLotRow>(sql`
    select r.lot_no as "lotNo", r.relation, r.distance, r.both_ways as "bothWays",
      r.in_snapshot as "inSnapshot", r.entered_at as "enteredAt", r.left_at as "leftAt",
      l.lot_code as "lotCode", l.product_sku as "productSku", ${LOT_STATE}
    from recall_lots r
    join lots l on l.lot_no = r.lot_no
    where r.case_id = ${page.caseId} and r.lot_no > ${page.above}
      ${partCondition(page.part)} ${containing(page.text)}
    order by r.lot_no
    limit ${page.limit}`);
}

function partCondition(part: ScopePart): Sql {
  switch (part) {
    case 'covered':
      return sql`and r.left_at is null`;
    case 'added':
      return sql`and r.left_at is null and r.in_snapshot = 0`;
    case 'left':
      return sql`and r.left_at is not null`;
    case 'held':
      return sql`and r.left_at is null and l.on_hold = 1`;
    case 'free':
      return sql`and r.left_at is null and l.on_hold = 0`;
  }
}

function containing(text: string | undefined): Sql {
  if (text === undefined) return empty;
  const pattern = `%${searchable(text).replace(/[\\%_]/g, '\\$&')}%`;
  // The text is an expression here: for the column itself PostgreSQL would read all lots with the pattern
  // from its index.
  return sql`
    and (
      select t.text || ''
      from lot_texts t
      where t.tenant_no = l.tenant_no and t.lot_no = r.lot_no
    ) like ${pattern} escape ${'\\'}`;
}

/** What a message says of the brand that sends it; null where its profile has nothing. */
export interface SenderRow {
  readonly name: string | null;
  readonly website: string | null;
  readonly recallContact: string | null;
  readonly language: string | null;
}

export async function findSender(
  database: DatabaseReader,
  tenantId: string,
): Promise<SenderRow | undefined> {
  return await database.first<SenderRow>(sql`
    select name, website, recall_contact as "recallContact", language
    from brands
    where tenant_id = ${tenantId}`);
}

/** Finds the next notification of a case with a status; after the last one it begins again with the first. */
export async function nextNotification(
  database: DatabaseReader,
  query: {
    readonly caseId: number;
    readonly status: NotificationStatus;
    /** Number of the current one; 0: there is none. */
    readonly behind: number;
  },
): Promise<number | undefined> {
  const row = await database.first<{ readonly id: number | null }>(sql`
    select coalesce(
      min(case when notification_id > ${query.behind} then notification_id end),
      min(case when notification_id < ${query.behind} then notification_id end)
    ) as id
    from recall_notifications
    where case_id = ${query.caseId} and status = ${query.status}`);
  return row?.id ?? undefined;
}
