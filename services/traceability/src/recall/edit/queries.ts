// Reads the stored edits of recall cases: what was edited, and which lots were added and excluded
// by hand. Each query reads through an index and has a limit, or stays within one case.
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import sql from 'sql-template-tag';
import type { CaseStatus } from '../../terms.ts';

export const BY_HAND = ['added', 'excluded'] as const;
export type ByHand = (typeof BY_HAND)[number];

/** A lot of which an open case says something by hand. */
export interface LotByHandRow {
  readonly lotNo: number;
  readonly said: ByHand;
}

/** A page of the lots of which something was said, by their numbers. */
export async function lotsByHand(
  database: DatabaseReader,
  page: { readonly caseId: number; readonly after: number; readonly limit: number },
): Promise<readonly LotByHandRow[]> {
  return await database.all<LotByHandRow>(sql`
    select lot_no as "lotNo", said
    from recall_lots_by_hand
    where case_id = ${page.caseId} and lot_no > ${page.after}
    order by lot_no
    limit ${page.limit}`);
}

export interface NamedLotByHand {
  readonly lotNo: number;
  readonly lotCode: string;
  readonly productSku: string;
  readonly saidAt: string;
  readonly blockHeight: number;
  readonly blockHash: string;
}

/** A page of the lots that were added, or of those that were excluded. */
export async function namedLotsByHand(
  database: DatabaseReader,
  page: {
    readonly caseId: number;
    readonly said: ByHand;
    readonly above: number;
    readonly limit: number;
  },
): Promise<readonly NamedLotByHand[]> {
  return await database.all<NamedLotByHand>(sql`
    select h.lot_no as "lotNo", l.lot_code as "lotCode", l.product_sku as "productSku",
      h.said_at as "saidAt", b.height as "blockHeight", b.hash as "blockHash"
    from recall_lots_by_hand h
    join lots l on l.lot_no = h.lot_no
    -- What discloses a part names it again.
    join blocks b on b.height = (
      select min(p.height)
      from recall_parts p
      where p.case_id = h.case_id and p.step_no = h.step_no and p.part = h.part
    )
    where h.case_id = ${page.caseId} and h.said = ${page.said} and h.lot_no > ${page.above}
    order by h.lot_no
    limit ${page.limit}`);
}

/** Counts the lots that were added to a case by hand, and those that were excluded. */
export async function countByHand(
  database: DatabaseReader,
  caseId: number,
): Promise<Readonly<Record<ByHand, number>>> {
  const rows = await database.all<{ readonly said: ByHand; readonly lots: number }>(sql`
    select said, count(*) as lots
    from recall_lots_by_hand
    where case_id = ${caseId}
    group by said`);
  const countLots = (wanted: ByHand) => rows.find(({ said }) => said === wanted)?.lots ?? 0;
  return { added: countLots('added'), excluded: countLots('excluded') };
}

export interface EditRow {
  readonly status: CaseStatus;
  readonly editedAt: string;
  /** Private, like the note and the reason of the scope. */
  readonly editedBy: string | null;
  readonly note: string | null;
  readonly scopeReason: string | null;
  /** JSON (`TextChange[]`). */
  readonly changes: string;
  readonly lotsAdded: number;
  readonly lotsExcluded: number;
  readonly lotsRestored: number;
  readonly blockHeight: number;
  readonly blockHash: string;
}

/** The newest edits of a case, newest first. */
export async function newestEdits(
  database: DatabaseReader,
  page: { readonly caseId: number; readonly limit: number },
): Promise<readonly EditRow[]> {
  return await database.all<EditRow>(sql`
    select e.status, e.edited_at as "editedAt", e.edited_by as "editedBy", e.note,
      e.scope_reason as "scopeReason", e.changes, e.lots_added as "lotsAdded",
      e.lots_excluded as "lotsExcluded", e.lots_restored as "lotsRestored",
      e.block_height as "blockHeight", b.hash as "blockHash"
    from recall_edits e
    join blocks b on b.height = e.block_height
    where e.case_id = ${page.caseId}
    order by e.step_no desc
    limit ${page.limit}`);
}

export async function countEdits(database: DatabaseReader, caseId: number): Promise<number> {
  const row = await database.first<{ readonly edits: number }>(sql`
    select count(*) as edits from recall_edits where case_id = ${caseId}`);
  return present(row, 'the row of a count').edits;
}
