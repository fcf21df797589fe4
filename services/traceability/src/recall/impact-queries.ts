// Queries of an impact: what lots are now, and their lines with whom they went to. Each reads through
// an index and has a limit.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { EventType } from '../ledger/payload.ts';
import type { LotStatus } from '../ledger/quantities.ts';
import type { AccountRow } from '../lots/record-queries.ts';
import { LOT_STATE } from '../lots/state.ts';
import type { LotStateRow } from '../lots/state.ts';

export interface ImpactLotRow extends LotStateRow {
  readonly lotNo: number;
  readonly lotCode: string;
  readonly productSku: string;
  /** What its quantities say, also of a lot that is recalled. */
  readonly quantityStatus: Exclude<LotStatus, 'recalled'>;
}

/** What is known of 1 to IN_LIST_MAX lots now, in any order. */
export async function impactLots(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<readonly ImpactLotRow[]> {
  return await database.all<ImpactLotRow>(sql`
    select lot_no as "lotNo", lot_code as "lotCode", product_sku as "productSku",
      status as "quantityStatus", ${LOT_STATE}
    from lots
    where lot_no in (${inList(lotNos)})`);
}

/** Where a page of accounts goes on: behind this one. */
export type AccountPlace = Pick<AccountRow, 'lotNo' | 'productSku' | 'unit'>;

/** Accounts of 1 to IN_LIST_MAX lots, by lot, SKU and unit. */
export async function accountsPage(
  database: DatabaseReader,
  page: {
    readonly lotNos: readonly number[];
    readonly after: AccountPlace;
    readonly limit: number;
  },
): Promise<readonly AccountRow[]> {
  const { lotNo, productSku, unit } = page.after;
  return await database.all<AccountRow>(sql`
    select lot_no as "lotNo", product_sku as "productSku", unit, received, returned, produced,
      consumed, packed, packed_from, shipped, sold, disposed
    from lot_quantities
    where lot_no in (${inList(page.lotNos)})
      and (lot_no, product_sku, unit) > (${lotNo}, ${productSku}, ${unit})
    order by lot_no, product_sku, unit
    limit ${page.limit}`);
}

/** A line with its event, and with what is told of whom it went to. */
export interface ImpactLineRow {
  readonly lotNo: number;
  readonly height: number;
  readonly lineNo: number;
  /** Null when a correction says that the event did not happen. */
  readonly eventType: EventType | null;
  readonly occurredAt: string;
  /** Corrections of the event. */
  readonly corrections: number;
  readonly productSku: string;
  readonly direction: 'in' | 'out';
  readonly quantity: string;
  readonly unit: string;
  /** As they were sent; null when they were not sent or are erased. */
  readonly customerRef: string | null;
  readonly channel: string | null;
  /** 1: the private values that were sent are there, or were not erased. */
  readonly isOpen: 0 | 1;
}

/** Where a page of lines goes on: behind this one. */
export type LinePlace = Pick<ImpactLineRow, 'lotNo' | 'height' | 'lineNo'>;

/** Lines of 1 to IN_LIST_MAX lots, by lot, height and line. */
export async function impactLines(
  database: DatabaseReader,
  page: { readonly lotNos: readonly number[]; readonly after: LinePlace; readonly limit: number },
): Promise<readonly ImpactLineRow[]> {
  const { lotNo, height, lineNo } = page.after;
  return await database.all<ImpactLineRow>(sql`
    select l.lot_no as "lotNo", l.height, l.line_no as "lineNo",
      case when e.voided = 0 then e.event_type end as "eventType", e.occurred_at as "occurredAt",
      e.correction_count as corrections, l.product_sku as "productSku", l.direction, l.quantity,
      l.unit, p.customer_ref as "customerRef", p.channel,
      case when p.height is null then 0 else 1 end as "isOpen"
    from lines l
    join events e on e.height = l.height
    left join private_lines p on p.height = l.height and p.line_no = l.line_no
    where l.lot_no in (${inList(page.lotNos)})
      and (l.lot_no, l.height, l.line_no) > (${lotNo}, ${height}, ${lineNo})
    order by l.lot_no, l.height, l.line_no
    limit ${page.limit}`);
}

/** Those of 1 to IN_LIST_MAX blocks that commit to private values of a line or of the event. */
export async function committingBlocks(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly number[]> {
  // A quote within a text of the block stands behind a backslash: only a member can look like this.
  const rows = await database.all<{ readonly height: number }>(sql`
    select height
    from blocks
    where height in (${inList(heights)}) and canonical like ${'%"private":"%'}`);
  return rows.map((row) => row.height);
}

/** Private values that 1 to IN_LIST_MAX corrections put in place of others. */
export interface PrivateChangeRow {
  readonly height: number;
  readonly changeNo: number;
  readonly toText: string | null;
}

/** Changes of private values that are not erased, in any order. */
export async function privateChangesAt(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly PrivateChangeRow[]> {
  return await database.all<PrivateChangeRow>(sql`
    select height, change_no as "changeNo", to_text as "toText"
    from private_changes
    where height in (${inList(heights)})`);
}
