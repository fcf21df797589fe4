// The totals of the blocks of one range of a chain, counted without the blocks before it, and the
// sum of the ranges of a chain.
import type { DecisionPayload } from '../../record/payload.ts';
import { decisionRow } from '../../rows-of-blocks.ts';
import { NumberSet } from '../number-set.ts';
import type { NamedLot } from '../rows/stored-rows.ts';
import { RoundTotals, decisionMark, type NamedAt, type TenantTally } from '../totals.ts';

type Pages = ReadonlyMap<number, Uint32Array>;

/** The totals of a range, as plain values. */
export interface RangeCounts {
  readonly tenants: ReadonlyMap<string, TenantTally>;
  readonly transactions: number;
  readonly lots: number;
  readonly recordedAt: string;
  readonly lastDecision: string;
  /** Lots whose first block is in the range, and says of them what their rows say. */
  readonly firstNamed: Pages;
  /** Lots that the range names, and whose first block is before it, as their rows say. */
  readonly namedBefore: Pages;
  readonly audited: Pages;
  readonly auditedBlocks: number;
}

/** Counts the blocks of a range. */
export class RangeTotals extends RoundTotals {
  readonly #after: number;
  readonly #namedBefore = new NumberSet();

  /** @param after height of the block before the range */
  constructor(after: number) {
    super();
    this.#after = after;
  }

  /** Takes the decision of the block before the range, which may continue in the range. */
  beginBehind(payload: DecisionPayload): void {
    if (payload.decision.migrated === true) return;
    const { subject } = decisionRow(this.#after, payload);
    this.lastDecision = decisionMark({ height: this.#after, subject, payload });
  }

  /** The first block of a tenant is compared with the tenant's row at the end of the chain. */
  override takeEvent(event: Parameters<RoundTotals['takeEvent']>[0]): boolean {
    super.takeEvent(event);
    return false;
  }

  /** The tenant's first event may be before the range. */
  override takeCorrection(correction: Parameters<RoundTotals['takeCorrection']>[0]): void {
    const { tenantId } = correction;
    if (!this.tenants.has(tenantId)) this.tenants.set(tenantId, { ...NO_EVENT });
    super.takeCorrection(correction);
  }

  /** A lot with a row that names an earlier block as the first one must be named there. */
  override takeLot(lot: NamedLot, named: NamedAt): boolean {
    const { lot_first_height: first } = lot;
    if (first === null || first > this.#after) return super.takeLot(lot, named);
    this.#namedBefore.add(lot.lot_no);
    return false;
  }

  get counts(): RangeCounts {
    return {
      tenants: this.tenants,
      transactions: this.transactions,
      lots: this.lots,
      recordedAt: this.recordedAt,
      lastDecision: this.lastDecision,
      firstNamed: this.seenLots.pages,
      namedBefore: this.#namedBefore.pages,
      audited: this.audited.pages,
      auditedBlocks: this.auditedBlocks,
    };
  }
}

/** The totals of a chain whose ranges are counted apart. */
export class JoinedTotals extends RoundTotals {
  /**
   * Takes what the next range adds up to.
   * @returns false when a lot is not named first where its row says
   */
  join(range: RangeCounts): boolean {
    for (const [tenantId, tally] of range.tenants) this.#joinTenant(tenantId, tally);
    this.transactions += range.transactions;
    this.lots += range.lots;
    this.recordedAt = range.recordedAt;
    this.lastDecision = range.lastDecision;
    this.audited.addAll(new NumberSet(range.audited));
    this.auditedBlocks += range.auditedBlocks;
    const isNamedBefore = this.seenLots.hasAll(new NumberSet(range.namedBefore));
    return this.seenLots.addAll(new NumberSet(range.firstNamed)) && isNamedBefore;
  }

  #joinTenant(tenantId: string, tally: TenantTally): void {
    const known = this.tenants.get(tenantId);
    if (known === undefined) {
      this.tenants.set(tenantId, { ...tally });
      return;
    }
    known.first_height = Math.min(known.first_height, tally.first_height);
    known.last_height = Math.max(known.last_height, tally.last_height);
    known.events += tally.events;
    known.corrections += tally.corrections;
    known.transactions += tally.transactions;
    known.lots += tally.lots;
  }
}

const NO_EVENT: TenantTally = {
  first_height: Infinity,
  last_height: -1,
  events: 0,
  corrections: 0,
  transactions: 0,
  lots: 0,
};
