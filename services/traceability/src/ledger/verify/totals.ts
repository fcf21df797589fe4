// The totals of a whole chain: counters of the hub and of each tenant, and the lots and tenants
// that exist. They are counted from the blocks during a round, and compared at the tip.
import { differingColumns, namesWithout } from '@lothub/kit/rows/stored-table';
import type { ChainEvent, DecisionPayload } from '../record/payload.ts';
import { DERIVED_VERSION } from '../rows-of-blocks.ts';
import { HEAD, TENANTS, type HeadRow, type TenantRow } from '../tables/chain.ts';
import type { LedgerMismatch } from './mismatch.ts';
import { NumberSet } from './number-set.ts';
import type { NamedLot } from './rows/stored-rows.ts';
import { findCutTail } from './tip.ts';

/** Columns of the head and of tenants that blocks add up to. */
const COMPARED_OF_HEAD = namesWithout(HEAD, ['id', 'frontier']);
const COMPARED_OF_TENANT = namesWithout(TENANTS, ['tenant_no', 'tenant_id']);

export type TenantTally = {
  -readonly [Name in (typeof COMPARED_OF_TENANT)[number]]: TenantRow[Name];
};

/** Counts one chain from genesis on; the blocks are the source, not the rows. */
export class RoundTotals {
  readonly tenants = new Map<string, TenantTally>();
  readonly seenLots = new NumberSet();
  transactions = 0;
  lots = 0;
  /** Blocks that a caller has requested: each has an entry of the audit. */
  readonly audited = new NumberSet();
  auditedBlocks = 0;
  /** The mark of the last decision: its height, and the values that its blocks share. */
  protected lastDecision = '';
  /** `recorded_at` of the last block taken. */
  recordedAt = '';

  /** @returns true when it is the tenant's first event */
  takeEvent(event: {
    readonly height: number;
    readonly tenantId: string;
    readonly lines: ChainEvent['lines'];
  }): boolean {
    const { height, tenantId, lines } = event;
    let tally = this.tenants.get(tenantId);
    const isFirst = tally === undefined;
    if (tally === undefined) {
      tally = {
        first_height: height,
        last_height: height,
        events: 0,
        corrections: 0,
        transactions: 0,
        lots: 0,
      };
      this.tenants.set(tenantId, tally);
    }
    tally.last_height = height;
    tally.events += 1;
    tally.transactions += lines.length;
    this.transactions += lines.length;
    return isFirst;
  }

  /** An event of the tenant came before. */
  takeCorrection(correction: {
    readonly height: number;
    readonly tenantId: string;
    readonly changes: number;
  }): void {
    const { height, tenantId, changes } = correction;
    this.transactions += changes;
    const tally = this.tenants.get(tenantId);
    if (tally === undefined) return;
    tally.last_height = height;
    tally.corrections += 1;
    tally.transactions += changes;
  }

  /**
   * Counts a decision. If it has several blocks of one moment, which follow each other, the first
   * one has the entry.
   * @param decision `subject` is empty where each block is a decision by itself
   */
  takeDecision(decision: CountedDecision): void {
    const { height, subject, payload } = decision;
    const isContinued =
      subject !== '' && this.lastDecision === decisionMark({ ...decision, height: height - 1 });
    this.lastDecision = decisionMark(decision);
    // Erasing takes several transactions; the last one has the entry.
    if (!isContinued && payload.type !== 'erasure') this.takeAudited(height);
  }

  takeAudited(height: number): void {
    if (this.audited.add(height)) this.auditedBlocks += 1;
  }

  /** @returns true when nothing named the lot before */
  takeLot({ lot_no: lotNo }: NamedLot, { tenantId }: NamedAt): boolean {
    if (!this.seenLots.add(lotNo)) return false;
    this.countLot(tenantId);
    return true;
  }

  protected countLot(tenantId: string): void {
    this.lots += 1;
    const tally = this.tenants.get(tenantId);
    if (tally !== undefined) tally.lots += 1;
  }
}

/** A block of a decision; `subject` is that of its row. */
interface CountedDecision {
  readonly height: number;
  readonly subject: string;
  readonly payload: Pick<DecisionPayload, 'brand' | 'recorded_at' | 'type'>;
}

/** Returns a mark; the marks of two blocks of one decision differ only in the height. */
export function decisionMark({ height, subject, payload }: CountedDecision): string {
  const key = JSON.stringify([payload.type, payload.brand, subject, payload.recorded_at]);
  return `${height} ${key}`;
}

/** The place where a lot is named. */
export interface NamedAt {
  readonly height: number;
  readonly tenantId: string;
}

/** Compares the head row with the last block and the counts. */
export function findHeadMismatch(
  head: HeadRow | undefined,
  tip: { readonly height: number; readonly blockHash: string },
  totals: RoundTotals,
): LedgerMismatch | undefined {
  const { height } = tip;
  if (head === undefined) {
    return { height, code: 'head_missing', message: 'the row of the head is gone' };
  }
  const cut = head.hash === tip.blockHash ? undefined : findCutTail(head, tip);
  if (cut !== undefined) return cut;
  const differing = differingColumns(COMPARED_OF_HEAD, head, {
    height,
    hash: tip.blockHash,
    recorded_at: totals.recordedAt,
    transactions: totals.transactions,
    lots: totals.lots,
    tenants: totals.tenants.size,
    derived_version: DERIVED_VERSION,
  });
  if (differing.length === 0) return undefined;
  return {
    height,
    code: 'head_differs',
    message: `the head is not what ${height + 1} blocks add up to: ${differing.join(', ')}`,
  };
}

/** Compares the rows of all tenants with the counts. */
export function findTenantMismatches(
  rows: readonly TenantRow[],
  tipHeight: number,
  totals: RoundTotals,
): readonly LedgerMismatch[] {
  const found: LedgerMismatch[] = [];
  const missing = new Map(totals.tenants);
  for (const row of rows) {
    const tally = totals.tenants.get(row.tenant_id);
    missing.delete(row.tenant_id);
    if (tally === undefined) {
      found.push({
        height: tipHeight,
        code: 'tenant_row_extra',
        message: `a tenant is listed that has no event up to block ${tipHeight}`,
      });
      continue;
    }
    const differing = differingColumns(COMPARED_OF_TENANT, row, tally);
    if (differing.length === 0) continue;
    found.push({
      height: row.first_height === tally.first_height ? tally.last_height : tally.first_height,
      code: 'tenant_row_differs',
      message: `the tenant of block ${tally.last_height} is not what its blocks add up to: ${differing.join(', ')}`,
    });
  }
  for (const tally of missing.values()) {
    found.push({
      height: tally.first_height,
      code: 'tenant_row_missing',
      message: `the tenant of block ${tally.first_height} is not listed`,
    });
  }
  return found;
}
