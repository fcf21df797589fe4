// Derives the rows of events and corrections (events, lines, lots, tenants, head counters) from what
// is sealed. Appending and rebuilding both go through here, on every engine.
import { frontierBytes } from '@lothub/chain/log';
import { at } from '@lothub/kit/present';
import { isDelivery } from '../record/delivery.ts';
import { asSealed } from '../record/effective.ts';
import { eventRow, lineRow, provenanceRow } from '../rows-of-blocks.ts';
import { deriveLinkBasis } from '../record/link-basis.ts';
import type { ChainCorrection, ChainEvent, ChainLine } from '../record/payload.ts';
import { listProvenances } from '../record/provenance.ts';
import { getFacts } from '../record/event-types.ts';
import { insertCorrectionRows, type CorrectionTarget } from './correction-rows.ts';
import type { GroupRows, Head, TenantGrowth } from './group-rows.ts';
import { LotRows } from './lot-rows.ts';

/** Counted while a transaction runs. */
type TenantTally = { -readonly [Name in keyof TenantGrowth]: TenantGrowth[Name] };

export class DerivedRows {
  readonly lots: LotRows;
  readonly #rows: GroupRows;
  readonly #tenantNos = new Map<string, number>();
  /** Counters of the running transaction, written once at its end. */
  readonly #tallies = new Map<number, TenantTally>();
  #newTenants = 0;

  constructor(rows: GroupRows) {
    this.#rows = rows;
    this.lots = new LotRows(rows.lots);
  }

  begin(): void {
    this.#tallies.clear();
    this.#newTenants = 0;
    this.lots.begin();
  }

  /**
   * Forgets all row numbers and sums. After a transaction that was undone the numbers are given to
   * other rows; after another program wrote, they may belong to other rows.
   */
  forget(): void {
    this.#tenantNos.clear();
    this.#tallies.clear();
    this.lots.forget();
  }

  /** @returns codes of the event's lots that are on hold, each once */
  insertEvent(row: {
    readonly height: number;
    readonly tenantId: string;
    readonly event: ChainEvent;
  }): readonly string[] {
    const { height, event } = row;
    const linkBasis = deriveLinkBasis(event);
    const effective = asSealed(event);
    const tally = this.#tally(this.#getOrInsertTenant(row.tenantId, height));
    const { tenant_no: tenantNo } = tally;
    this.#rows.chain.insertEvent(eventRow({ height, tenantNo, effective, linkBasis }));
    // Sums are added before rows are inserted, so that the row of a new lot includes this event.
    const { lotNos, revived } = this.#nameLots(tally, height, event);
    const { event_type: eventType } = event;
    const held: string[] = [];
    let lineNo = 0;
    for (const line of event.lines) {
      const lotNo = at(lotNos, lineNo);
      this.#rows.chain.insertLine(lineRow({ height, lineNo, lotNo, line, eventType, linkBasis }));
      if (this.lots.isHeld(lotNo) && !held.includes(line.lot_code)) held.push(line.lot_code);
      lineNo += 1;
    }
    for (const provenance of listProvenances(effective)) {
      const lotNo = at(lotNos, provenance.lineNo);
      this.#rows.chain.insertProvenance(provenanceRow({ height, tenantNo, lotNo, provenance }));
    }
    for (const lotNo of revived) this.lots.recount(tenantNo, lotNo);
    tally.events += 1;
    tally.transactions += event.lines.length;
    tally.last_height = height;
    return held;
  }

  /**
   * Finds or inserts the event's lots, and adds its movements.
   *
   * @returns the lot of each line, and existing lots without any effective line before: their SKU
   * becomes that of a line of this event
   */
  #nameLots(
    tally: TenantTally,
    height: number,
    event: ChainEvent,
  ): { readonly lotNos: readonly number[]; readonly revived: ReadonlySet<number> } {
    const { tenant_no: tenantNo } = tally;
    const fresh = new Map<number, ChainLine>();
    const revived = new Set<number>();
    const terms = new Map<number, string[]>();
    const lotNos = event.lines.map((line) => {
      const { lotNo, isNew } = this.lots.getOrNumber(tenantNo, line.lot_code);
      if (isNew) fresh.set(lotNo, line);
      const added = this.lots.accounts.addMovement(lotNo, {
        eventType: event.event_type,
        direction: line.direction,
        productSku: line.product_sku,
        unit: line.unit,
        quantity: line.quantity,
        occurredAt: event.occurred_at,
        height,
        isDelivery: isDelivery(event.event_type, line),
        handoverReference: null,
      });
      if (added.isFirstAccount && !fresh.has(lotNo)) revived.add(lotNo);
      if (added.isDeliveredAndSold) this.lots.recountIfMatched(tenantNo, lotNo, event.reference);
      // A new lot is found by the SKU of its first line anyway.
      if (added.isNewAccount && fresh.get(lotNo) !== line) addTo(terms, lotNo, line.product_sku);
      if (!getFacts(event.event_type).counts) return lotNo;
      if (line.supplier_name !== undefined) addTo(terms, lotNo, line.supplier_name);
      if (line.supplier_lot_code !== undefined) addTo(terms, lotNo, line.supplier_lot_code);
      return lotNo;
    });
    for (const [lotNo, line] of fresh) {
      this.lots.insert({
        lotNo,
        tenantNo,
        lotCode: line.lot_code,
        productSku: line.product_sku,
        height,
        terms: terms.get(lotNo) ?? [],
      });
      tally.lots += 1;
    }
    for (const [lotNo, more] of terms) {
      if (!fresh.has(lotNo)) this.lots.addTerms(tenantNo, lotNo, more);
    }
    return { lotNos, revived };
  }

  /**
   * Updates the rows of the corrected event to what counts from this block on.
   * @returns the event as it counts after the correction
   */
  insertCorrection(row: {
    readonly height: number;
    readonly target: CorrectionTarget;
    readonly correction: ChainCorrection;
  }): CorrectionTarget {
    const { height, target, correction } = row;
    const tally = this.#tally(this.#getOrInsertTenant(target.brand, height));
    const deps = { rows: this.#rows.chain, lots: this.lots };
    const { newLots, after } = insertCorrectionRows(deps, {
      height,
      tenantNo: tally.tenant_no,
      before: target.effective,
      correction,
    });
    tally.lots += newLots;
    tally.corrections += 1;
    tally.transactions += correction.changes.length;
    tally.last_height = height;
    return { ...target, effective: after };
  }

  insertGroupKey(tenantId: string, groupKey: string, height: number): void {
    const tenantNo = this.#findTenant(tenantId);
    if (tenantNo === undefined) throw new Error(`writing an import key of unknown ${tenantId}`);
    this.#rows.chain.insertImportKey({ height, tenant_no: tenantNo, group_key: groupKey });
  }

  heightOfExternalId(tenantId: string, externalId: string): number | undefined {
    const tenantNo = this.#findTenant(tenantId);
    if (tenantNo === undefined) return undefined;
    return this.#rows.chain.heightOfExternalId(tenantNo, externalId);
  }

  heightsOfGroupKey(tenantId: string, groupKey: string): readonly number[] {
    const tenantNo = this.#findTenant(tenantId);
    if (tenantNo === undefined) return [];
    return this.#rows.chain.heightsOfGroupKey(tenantNo, groupKey);
  }

  /** Writes what was kept in memory: sums of lots, counters, the new head. */
  end(head: Head): void {
    this.lots.flush();
    let transactions = 0;
    let lots = 0;
    for (const tally of this.#tallies.values()) {
      transactions += tally.transactions;
      lots += tally.lots;
      this.#rows.chain.updateTenant(tally);
    }
    const { height, hash, recordedAt: recorded_at } = head;
    const tenants = this.#newTenants;
    const frontier = head.frontier === undefined ? null : frontierBytes(head.frontier);
    this.#rows.chain.updateHead({
      id: 1,
      height,
      hash,
      recorded_at,
      transactions,
      lots,
      tenants,
      frontier,
    });
  }

  #tally(tenantNo: number): TenantTally {
    let tally = this.#tallies.get(tenantNo);
    if (tally === undefined) {
      tally = {
        tenant_no: tenantNo,
        last_height: 0,
        events: 0,
        transactions: 0,
        lots: 0,
        corrections: 0,
      };
      this.#tallies.set(tenantNo, tally);
    }
    return tally;
  }

  #findTenant(tenantId: string): number | undefined {
    const known = this.#tenantNos.get(tenantId);
    if (known !== undefined) return known;
    const tenantNo = this.#rows.chain.findTenantNo(tenantId);
    if (tenantNo !== undefined) this.#tenantNos.set(tenantId, tenantNo);
    return tenantNo;
  }

  #getOrInsertTenant(tenantId: string, height: number): number {
    const found = this.#findTenant(tenantId);
    if (found !== undefined) return found;
    const tenantNo = this.#rows.chain.lastTenantNo() + 1;
    this.#rows.chain.insertTenant({
      tenant_no: tenantNo,
      tenant_id: tenantId,
      first_height: height,
      last_height: height,
      events: 0,
      transactions: 0,
      lots: 0,
      corrections: 0,
    });
    this.#tenantNos.set(tenantId, tenantNo);
    this.#newTenants += 1;
    return tenantNo;
  }
}

function addTo(terms: Map<number, string[]>, lotNo: number, term: string): void {
  const known = terms.get(lotNo);
  if (known === undefined) terms.set(lotNo, [term]);
  else known.push(term);
}
