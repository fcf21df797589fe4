// Reads what a group commit needs, in one round trip: queries that need nothing of each other are sent
// side by side. Groups that repeat or correct something take one more.
import { bigintArray, textArray } from '@lothub/kit/postgres/array-values';
import type { PostgresTransaction } from '@lothub/kit/postgres/connection';
import { allOrFirstFailure } from '@lothub/kit/postgres/transaction';
import { present } from '@lothub/kit/present';
import { selectList } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import { toRemoval, toStoredAccount } from '../append/account-columns.ts';
import { findCorrectionTarget } from '../append/correction-rows.ts';
import type { ChainRows } from '../append/group-rows.ts';
import type { HeadJob } from '../append/jobs.ts';
import type { PrivateLine } from '../record/commitment.ts';
import { applyCorrection } from '../record/effective.ts';
import type { ChainCorrection } from '../record/payload.ts';
import type { Standing } from '../record/quantities.ts';
import { LOT_QUANTITIES, type QuantityRow } from '../tables/lots.ts';
import { PRIVATE_LINES, PRIVATE_NOTES } from '../tables/private.ts';
import type { PrivateLineRow, PrivateNotesRow } from '../tables/private.ts';
import { GroupNeeds } from './group-needs.ts';
import type { GroupView } from './group-view.ts';

type Reads = Pick<PostgresTransaction, 'all' | 'first'>;

export async function loadGroup(reads: Reads, needs: GroupNeeds, view: GroupView): Promise<void> {
  const pending: Promise<void>[] = [loadLast(reads, view), loadTenants(reads, needs, view)];
  if (needs.lots.length > 0) pending.push(loadLots(reads, needs, view));
  if (needs.accounts.length > 0) pending.push(loadAccounts(reads, needs, view));
  if (needs.externalIds.length > 0) pending.push(loadExternalIds(reads, needs, view));
  if (needs.groupKeys.length > 0) pending.push(loadGroupKeys(reads, needs, view));
  if (needs.targets.size > 0) pending.push(loadTargets(reads, [...needs.targets], view));
  await allOrFirstFailure(pending);
}

/** Private values of the events that are repeated. */
export async function loadRepeated(reads: Reads, view: GroupView): Promise<void> {
  const heights = [...view.blocks.keys()];
  if (heights.length === 0) return;
  const [lines, notes] = await allOrFirstFailure([
    reads.all<PrivateLineRow>(sql`
      select ${selectList(PRIVATE_LINES)}
      from private_lines
      where height = any(${bigintArray(heights)}::bigint[])`),
    reads.all<PrivateNotesRow>(sql`
      select ${selectList(PRIVATE_NOTES)}
      from private_notes
      where height = any(${bigintArray(heights)}::bigint[])`),
  ]);
  const linesOf = Map.groupBy(lines, ({ height }) => height);
  const notesOf = new Map(notes.map((row) => [row.height, row]));
  for (const height of heights) {
    const kept = (linesOf.get(height) ?? []).map((row): [number, PrivateLine] => [
      row.line_no,
      row,
    ]);
    view.privates.set(height, { lines: new Map(kept), notes: notesOf.get(height) ?? null });
  }
}

/** Reads the lots that corrections name; only the corrected events say which they are. */
export async function loadCorrected(
  reads: Reads,
  jobs: readonly HeadJob[],
  deps: { readonly view: GroupView; readonly rows: ChainRows },
): Promise<void> {
  const needs = new GroupNeeds();
  for (const job of jobs) {
    if (job.kind !== 'correct') continue;
    const { tenantId, corrections } = job.submission;
    needs.tenantIds.add(tenantId);
    for (const { correctsHeight, correctionText } of corrections) {
      const correction = JSON.parse(correctionText) as ChainCorrection;
      addCorrectedLots(needs, deps.rows, { tenantId, correctsHeight, correction });
    }
  }
  if (needs.lots.length > 0) await loadLots(reads, needs, deps.view);
}

/** The lots of an event before and after a correction. */
export function addCorrectedLots(
  needs: GroupNeeds,
  rows: ChainRows,
  corrected: {
    readonly tenantId: string;
    readonly correctsHeight: number;
    readonly correction: ChainCorrection;
  },
): void {
  const { tenantId, correctsHeight, correction } = corrected;
  const target = findCorrectionTarget(rows, correctsHeight);
  if (target === undefined) return;
  const after = applyCorrection(target.effective, { height: 0, correction });
  for (const { event } of [target.effective, after]) {
    for (const line of event.lines) needs.addLot(tenantId, line.lot_code);
  }
}

async function loadLast(reads: Reads, view: GroupView): Promise<void> {
  const row = await reads.first<{ readonly lot_no: number; readonly tenant_no: number }>(sql`
    select
      coalesce((select max(lot_no) from lots), 0) as lot_no,
      coalesce((select max(tenant_no) from tenants), 0) as tenant_no`);
  const last = present(row, 'the row of a select without a table');
  view.lastLotNo = last.lot_no;
  view.lastTenantNo = last.tenant_no;
}

async function loadTenants(reads: Reads, needs: GroupNeeds, view: GroupView): Promise<void> {
  const rows = await reads.all<{ readonly tenant_no: number; readonly tenant_id: string }>(sql`
    select tenant_no, tenant_id
    from tenants
    where tenant_id = any(${textArray([...needs.tenantIds])}::text[])`);
  for (const row of rows) view.tenantNos.set(row.tenant_id, row.tenant_no);
}

interface LotQueryRow {
  readonly lot_no: number;
  readonly tenant_no: number;
  readonly lot_code: string;
  readonly status: Standing['status'];
  readonly stocked: number;
  readonly over_issued: number;
  readonly on_hold: number;
  readonly text: string | null;
  readonly has_account: number;
  readonly removed_at: string | null;
  readonly removed_height: number | null;
  readonly removed_part: string | null;
}

/**
 * A lot is read by its whole key, one at a time (`lateral … limit 1`). Joined like other tables, and
 * planned with figures of when a tenant had ten lots, every lot of the tenant would be read for each
 * that is looked for: 4,000 of 8,000 took nine seconds.
 */
async function loadLots(reads: Reads, needs: GroupNeeds, view: GroupView): Promise<void> {
  const { lots } = needs;
  const rows = await reads.all<LotQueryRow>(sql`
    select
      l.lot_no, l.tenant_no, l.lot_code, l.status, l.stocked, l.over_issued, l.on_hold, x.text,
      exists (select 1 from lot_quantities q where q.lot_no = l.lot_no) as has_account,
      r.removed_at, r.removed_height, r.removed_part
    from unnest(
      ${textArray(lots.map((lot) => lot.tenantId))}::text[],
      ${textArray(lots.map((lot) => lot.lotCode))}::text[],
      ${bigintArray(lots.map((lot) => lot.accounts))}::bigint[]
    ) as w (tenant_id, lot_code, accounts)
    join tenants t on t.tenant_id = w.tenant_id
    join lateral (
      select
        lots.lot_no, lots.tenant_no, lots.lot_code, lots.status, lots.stocked, lots.over_issued,
        lots.on_hold
      from lots
      where lots.tenant_no = t.tenant_no and lots.lot_code = w.lot_code
      limit 1
    ) l on true
    left join lot_texts x on x.tenant_no = l.tenant_no and x.lot_no = l.lot_no
    left join lateral (
      select q.removed_at, q.removed_height, q.removed_part
      from lot_quantities q
      where q.lot_no = l.lot_no and q.removed_at is not null and l.stocked <= w.accounts
      order by q.removed_at desc, q.removed_height desc
      limit 1
    ) r on true`);
  for (const row of rows) {
    view.addLot({
      lotNo: row.lot_no,
      tenantNo: row.tenant_no,
      lotCode: row.lot_code,
      standing: { status: row.status, stocked: row.stocked, over_issued: row.over_issued },
      isHeld: row.on_hold === 1,
      text: row.text ?? '',
      hasAccount: row.has_account === 1,
      lastRemoval: toRemoval({ ...row }),
    });
  }
}

async function loadAccounts(reads: Reads, needs: GroupNeeds, view: GroupView): Promise<void> {
  const { accounts } = needs;
  const rows = await reads.all<QuantityRow>(sql`
    select ${selectList(LOT_QUANTITIES, 'q')}
    from unnest(
      ${textArray(accounts.map((account) => account.tenantId))}::text[],
      ${textArray(accounts.map((account) => account.lotCode))}::text[],
      ${textArray(accounts.map((account) => account.productSku))}::text[],
      ${textArray(accounts.map((account) => account.unit))}::text[]
    ) as w (tenant_id, lot_code, product_sku, unit)
    join tenants t on t.tenant_id = w.tenant_id
    join lateral (
      select lots.lot_no
      from lots
      where lots.tenant_no = t.tenant_no and lots.lot_code = w.lot_code
      limit 1
    ) l on true
    join lot_quantities q
      on q.lot_no = l.lot_no and q.product_sku = w.product_sku and q.unit = w.unit`);
  for (const row of rows) {
    view.addAccount(row.lot_no, row.product_sku, row.unit, toStoredAccount(row));
  }
}

interface RepeatRow {
  readonly tenant_no: number;
  readonly key: string;
  readonly height: number;
  readonly hash: string;
  readonly canonical: string;
}

async function loadExternalIds(reads: Reads, needs: GroupNeeds, view: GroupView): Promise<void> {
  const rows = await reads.all<RepeatRow>(sql`
    select e.tenant_no, e.external_id as key, e.height, b.hash, b.canonical
    from unnest(
      ${textArray(needs.externalIds.map(({ tenantId }) => tenantId))}::text[],
      ${textArray(needs.externalIds.map(({ key }) => key))}::text[]
    ) as w (tenant_id, external_id)
    join tenants t on t.tenant_id = w.tenant_id
    join lateral (
      (
        select events.tenant_no, events.external_id, events.height
        from events
        where events.tenant_no = t.tenant_no and events.external_id = w.external_id
        limit 1
      )
      union all
      (
        select corrections.tenant_no, corrections.external_id, corrections.height
        from corrections
        where corrections.tenant_no = t.tenant_no and corrections.external_id = w.external_id
        limit 1
      )
      limit 1
    ) e on true
    join blocks b on b.height = e.height`);
  for (const { tenant_no, key, height, hash, canonical } of rows) {
    view.addBlock({ height, hash, canonical });
    view.addExternalId(tenant_no, key, height);
  }
}

async function loadGroupKeys(reads: Reads, needs: GroupNeeds, view: GroupView): Promise<void> {
  const tenantIds = needs.groupKeys.map(({ tenantId }) => tenantId);
  const keys = needs.groupKeys.map(({ key }) => key);
  const rows = await reads.all<RepeatRow>(sql`
    select k.tenant_no, k.group_key as key, k.height, b.hash, b.canonical
    from (
      select distinct tenant_id, group_key
      from unnest(${textArray(tenantIds)}::text[], ${textArray(keys)}::text[])
        as u (tenant_id, group_key)
    ) w
    join tenants t on t.tenant_id = w.tenant_id
    join import_keys k on k.tenant_no = t.tenant_no and k.group_key = w.group_key
    join blocks b on b.height = k.height
    order by k.height`);
  for (const { tenant_no, key, height, hash, canonical } of rows) {
    view.addBlock({ height, hash, canonical });
    view.addGroupKey(tenant_no, key, height);
  }
}

/** The blocks of corrected events, and of the corrections that they have. */
export async function loadTargets(
  reads: Reads,
  heights: readonly number[],
  view: GroupView,
): Promise<void> {
  const targets = bigintArray(heights);
  const rows = await reads.all<{
    readonly height: number;
    readonly hash: string;
    readonly canonical: string;
    readonly corrects_height: number | null;
  }>(sql`
    select b.height, b.hash, b.canonical, null as corrects_height
    from blocks b
    where b.height = any(${targets}::bigint[])
    union all
    select b.height, b.hash, b.canonical, c.corrects_height
    from corrections c
    join blocks b on b.height = c.height
    where c.corrects_height = any(${targets}::bigint[])
    order by height`);
  for (const { height, hash, canonical, corrects_height } of rows) {
    view.addBlock({ height, hash, canonical });
    if (corrects_height !== null) view.addCorrection(corrects_height, height);
  }
}
