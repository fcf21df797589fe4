// Reads what is stored of a recall case, all of one snapshot.
import { cutSlices, inList } from '@lothub/kit/in-list';
import { camelList, type CamelRowOf } from '@lothub/kit/rows/camel-rows';
import { selectList } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { openedBy } from '../../../decisions/opened.ts';
import { IS_OF_CASE } from '../../../decisions/recall.ts';
import { parseCaseId } from '../../../record/case-no.ts';
import type { Openings, SealedRecall } from '../../../record/decisions/contents.ts';
import { findPayload } from '../../../record/payload-shape.ts';
import type { PrivateDecisionRow, PrivateRecipientRow } from '../../../tables/private.ts';
import {
  RECALL_CASES,
  RECALL_EDITS,
  RECALL_LOTS,
  RECALL_LOTS_BY_HAND,
  RECALL_LOTS_NAMED,
  RECALL_MOVES,
  RECALL_PARTS,
} from '../../../tables/recall.ts';
import type { RECALL_NOTIFICATIONS, RecallPartRow } from '../../../tables/recall.ts';
import type { LOT_HOLDS } from '../../../tables/lots.ts';
import { readErased } from '../../erased.ts';
import type { ErasedHeights } from '../../rows/stored-rows.ts';
import type { SnapshotReader } from '../../snapshot-reader.ts';

/** A block of a case as it was sealed. */
export interface CaseBlock {
  readonly height: number;
  readonly decision: SealedRecall;
  readonly opened: Openings;
}

/** The lot of a row that names one: null when the lot is not listed. */
type NamedRow = Readonly<Record<'lotCode', string | null> & Record<'lotTenantNo', number | null>>;

export type CaseRow = CamelRowOf<typeof RECALL_CASES> & {
  readonly tenantId: string | null;
  readonly seedCode: string | null;
};
export type MoveRow = CamelRowOf<typeof RECALL_MOVES>;
export type EditRow = CamelRowOf<typeof RECALL_EDITS>;
export type ByHandRow = CamelRowOf<typeof RECALL_LOTS_BY_HAND> & NamedRow;
export type NamedLotRow = CamelRowOf<typeof RECALL_LOTS_NAMED> & NamedRow;
export type LotRow = CamelRowOf<typeof RECALL_LOTS> & NamedRow;
export type HoldRow = Omit<CamelRowOf<typeof LOT_HOLDS>, 'lotNo' | 'source'> & NamedRow;
export type NotificationRow = Pick<
  CamelRowOf<typeof RECALL_NOTIFICATIONS>,
  | 'audience'
  | 'recipient'
  | 'status'
  | 'createdAt'
  | 'readyAt'
  | 'sentAt'
  | 'acknowledgedAt'
  | 'resolvedAt'
  | 'response'
  | 'responseHeight'
> & { readonly id: number };

/** The stored rows and blocks of a case. */
export interface StoredCase {
  readonly caseNo: string;
  readonly brand: string;
  /** In their order; undefined when one of them cannot be read, which has a finding of its own. */
  readonly blocks: readonly CaseBlock[] | undefined;
  readonly row: CaseRow | undefined;
  readonly moves: readonly MoveRow[];
  readonly edits: readonly EditRow[];
  readonly lots: readonly LotRow[];
  readonly byHand: readonly ByHandRow[];
  readonly parts: readonly RecallPartRow[];
  readonly named: readonly NamedLotRow[];
  /** In the order in which the holds were set. */
  readonly holds: readonly HoldRow[];
  readonly notifications: readonly NotificationRow[];
  /** The values that open the commitments to recipients. */
  readonly recipients: readonly PrivateRecipientRow[];
  /** Blocks whose recipients may have been erased, as blocks of erasures say. */
  readonly erased: ErasedHeights;
}

export async function readCase(
  reader: SnapshotReader,
  { caseNo, brand }: { readonly caseNo: string; readonly brand: string },
): Promise<StoredCase> {
  const caseId = parseCaseId(caseNo);
  const [row] = await reader.all<CaseRow>(sql`
    select ${camelList(RECALL_CASES, 'c')}, t.tenant_id as "tenantId", l.lot_code as "seedCode"
    from recall_cases c
    left join tenants t on t.tenant_no = c.tenant_no
    left join lots l on l.lot_no = c.seed_lot_no and l.tenant_no = c.tenant_no
    where c.case_id = ${caseId}`);
  const notifications = await reader.all<NotificationRow>(sql`
    select n.notification_id as id, n.audience, n.recipient, n.status,
      n.created_at as "createdAt", n.ready_at as "readyAt", n.sent_at as "sentAt",
      n.acknowledged_at as "acknowledgedAt", n.resolved_at as "resolvedAt", n.response,
      n.response_height as "responseHeight"
    from recall_notifications n
    where n.case_id = ${caseId}`);
  const blocks = await readBlocks(reader, { caseNo, brand });
  return {
    caseNo,
    brand,
    blocks,
    erased: await readErased(
      reader,
      (blocks ?? []).map(({ height }) => height),
    ),
    row,
    moves: await reader.all<MoveRow>(sql`
      select ${camelList(RECALL_MOVES, 'm')}
      from recall_moves m
      where m.case_id = ${caseId}
      order by m.move_no`),
    lots: await reader.all<LotRow>(sql`
      select ${camelList(RECALL_LOTS, 'r')}, l.lot_code as "lotCode", l.tenant_no as "lotTenantNo"
      from recall_lots r
      left join lots l on l.lot_no = r.lot_no
      where r.case_id = ${caseId}`),
    edits: await reader.all<EditRow>(sql`
      select ${camelList(RECALL_EDITS, 'e')}
      from recall_edits e
      where e.case_id = ${caseId}
      order by e.step_no`),
    byHand: await reader.all<ByHandRow>(sql`
      select ${camelList(RECALL_LOTS_BY_HAND, 'h')}, l.lot_code as "lotCode",
        l.tenant_no as "lotTenantNo"
      from recall_lots_by_hand h
      left join lots l on l.lot_no = h.lot_no
      where h.case_id = ${caseId}`),
    parts: await reader.all<RecallPartRow>(sql`
      select ${selectList(RECALL_PARTS)}
      from recall_parts
      where case_id = ${caseId}`),
    named: await reader.all<NamedLotRow>(sql`
      select ${camelList(RECALL_LOTS_NAMED, 'n')}, l.lot_code as "lotCode",
        l.tenant_no as "lotTenantNo"
      from recall_lots_named n
      left join lots l on l.lot_no = n.lot_no
      where n.case_id = ${caseId}`),
    holds: (
      await reader.all<HoldRow>(sql`
      select h.hold_no as "holdNo", h.reason, h.held_by as "heldBy", h.held_since as "heldSince",
        h.released_at as "releasedAt", h.released_by as "releasedBy", h.tenant_no as "tenantNo",
        h.held_height as "heldHeight", h.released_height as "releasedHeight",
        l.lot_code as "lotCode", l.tenant_no as "lotTenantNo"
      from lot_holds h
      left join lots l on l.lot_no = h.lot_no
      where ${IS_OF_CASE} and h.source = ${caseNo}`)
    ).toSorted((a, b) => a.holdNo - b.holdNo),
    notifications,
    recipients: await readRecipients(
      reader,
      notifications.map(({ id }) => id),
    ),
  };
}

async function readRecipients(
  reader: SnapshotReader,
  ids: readonly number[],
): Promise<readonly PrivateRecipientRow[]> {
  const rows: PrivateRecipientRow[] = [];
  for (const slice of cutSlices(ids)) {
    const kept = await reader.all<PrivateRecipientRow>(sql`
      select notification_id, audience, recipient, salt
      from private_recipients
      where notification_id in (${inList(slice)})`);
    rows.push(...kept);
  }
  return rows;
}

async function readBlocks(
  reader: SnapshotReader,
  { caseNo, brand }: { readonly caseNo: string; readonly brand: string },
): Promise<readonly CaseBlock[] | undefined> {
  const rows = await reader.all<{ readonly height: number; readonly canonical: string }>(sql`
    select d.height, b.canonical
    from decisions d
    join blocks b on b.height = d.height
    where d.tenant_id = ${brand} and d.type = 'recall' and d.subject = ${caseNo}
    order by d.height`);
  const values: PrivateDecisionRow[] = [];
  for (const heights of cutSlices(rows.map(({ height }) => height))) {
    values.push(...(await reader.all<PrivateDecisionRow>(selectPrivate(heights))));
  }
  const opened = openedBy(values);
  const blocks: CaseBlock[] = [];
  for (const { height, canonical } of rows) {
    const payload = findPayload(canonical);
    if (payload?.type !== 'recall') return undefined;
    blocks.push({ height, decision: payload.decision, opened: opened.get(height) ?? {} });
  }
  return blocks;
}

function selectPrivate(heights: readonly number[]): Sql {
  return sql`
    select height, name, value, salt
    from private_decisions
    where height in (${inList(heights)})`;
}
