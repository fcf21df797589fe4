// Writes the rows derived from events and corrections (events, lines, lots, tenants, head counters)
// in SQLite. Appending and rebuilding both go through here.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { Tip } from '../draft.ts';
import { asSealed } from '../effective.ts';
import { linkBasisOf } from '../link-basis.ts';
import type { ChainCorrection, ChainEvent, ChainLine } from '../payload.ts';
import { provenancesOf } from '../provenance.ts';
import { insertCorrectionRows } from './correction-rows.ts';
import type { CorrectionTarget } from './correction-rows.ts';
import { LotRows } from './lot-rows.ts';
import { insertProvenances } from './provenance-rows.ts';

// One text for each statement: made once, so that finding the prepared one costs next to nothing.
const INSERT_EVENT =
  'insert into events (height, tenant_no, event_type, external_id, occurred_at, reference, ' +
  'line_count, link_basis) values (?, ?, ?, ?, ?, ?, ?, ?)';
const INSERT_LINE =
  'insert into lines (height, line_no, lot_no, product_sku, direction, quantity, unit, ' +
  'link_basis) values (?, ?, ?, ?, ?, ?, ?, ?)';
const INSERT_IMPORT_KEY =
  'insert into import_keys (tenant_no, content_key, height) values (?, ?, ?)';
const FIND_EXTERNAL_ID = 'select height from events where tenant_no = ? and external_id = ?';
const FIND_CONTENT_KEY =
  'select height from import_keys where tenant_no = ? and content_key = ? order by height';
const UPDATE_TENANT =
  'update tenants set events = events + ?, corrections = corrections + ?, ' +
  'transactions = transactions + ?, lots = lots + ?, ' +
  'last_height = ? where tenant_no = ?';
const UPDATE_HEAD =
  'update head set height = ?, hash = ?, recorded_at = ?, transactions = transactions + ?, ' +
  'lots = lots + ?, tenants = tenants + ? where id = 1';
const FIND_TENANT = 'select tenant_no from tenants where tenant_id = ?';
const INSERT_TENANT =
  'insert into tenants (tenant_id, first_height, last_height, events, transactions, lots) ' +
  'values (?, ?, ?, 0, 0, 0)';

interface TenantTally {
  readonly tenantNo: number;
  events: number;
  corrections: number;
  transactions: number;
  lots: number;
  lastHeight: number;
}

export class DerivedRows {
  readonly lots: LotRows;
  readonly #connection: SqliteConnection;
  readonly #tenantNos = new Map<string, number>();
  /** Counters of the running transaction, written once at its end. */
  readonly #tallies = new Map<number, TenantTally>();
  #newTenants = 0;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.lots = new LotRows(connection);
  }

  begin(): void {
    this.#tallies.clear();
    this.#newTenants = 0;
    this.lots.begin();
  }

  /**
   * Forgets all row numbers and sums: after a transaction that was undone they will be given out
   * again, and after somebody else wrote they may belong to other rows.
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
    const linkBasis = linkBasisOf(event);
    const tally = this.#tally(this.#getOrInsertTenant(row.tenantId, height));
    const { tenantNo } = tally;
    this.#connection
      .statement(INSERT_EVENT)
      .run(
        height,
        tenantNo,
        event.event_type,
        event.external_id ?? null,
        event.occurred_at,
        event.reference,
        event.lines.length,
        linkBasis,
      );
    // The sums come before the rows, so that a new lot is inserted as this event leaves it.
    const { lotNos, revived } = this.#nameLots(tally, height, event);
    const insertLine = this.#connection.statement(INSERT_LINE);
    const held: string[] = [];
    let lineNo = 0;
    for (const line of event.lines) {
      const lotNo = lotNos[lineNo] ?? 0;
      insertLine.run(
        height,
        lineNo,
        lotNo,
        line.product_sku,
        line.direction,
        line.quantity,
        line.unit,
        linkBasis,
      );
      if (this.lots.isHeld(lotNo) && !held.includes(line.lot_code)) held.push(line.lot_code);
      lineNo += 1;
    }
    const deps = { connection: this.#connection, lots: this.lots };
    const provenances = provenancesOf(asSealed(event));
    insertProvenances(deps, { height, tenantNo, provenances });
    for (const lotNo of revived) this.lots.recount(tenantNo, lotNo);
    tally.events += 1;
    tally.transactions += event.lines.length;
    tally.lastHeight = height;
    return held;
  }

  /**
   * Finds or inserts the event's lots, with its movements added.
   *
   * @returns the lot of each line, and known lots of which nothing counted until now: their SKU is
   *   that of a line of this event
   */
  #nameLots(
    tally: TenantTally,
    height: number,
    event: ChainEvent,
  ): { readonly lotNos: readonly number[]; readonly revived: ReadonlySet<number> } {
    const { tenantNo } = tally;
    const fresh = new Map<number, ChainLine>();
    const revived = new Set<number>();
    const terms = new Map<number, string[]>();
    const lotNos = event.lines.map((line) => {
      const { lotNo, isNew } = this.lots.getOrNumber(tenantNo, line.lot_code);
      if (isNew) fresh.set(lotNo, line);
      const isNewAccount = this.lots.accounts.addMovement(lotNo, {
        eventType: event.event_type,
        direction: line.direction,
        productSku: line.product_sku,
        unit: line.unit,
        quantity: line.quantity,
        occurredAt: event.occurred_at,
        height,
      });
      if (isNewAccount && !fresh.has(lotNo) && !this.lots.accounts.hasStored(lotNo)) {
        revived.add(lotNo);
      }
      // A new lot is found by the SKU of its first line anyway.
      if (isNewAccount && fresh.get(lotNo) !== line) addTo(terms, lotNo, line.product_sku);
      if (event.event_type === 'CORRECTION') return lotNo;
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

  /** Makes the rows of the corrected event say what counts from this block on. */
  insertCorrection(row: {
    readonly height: number;
    readonly target: CorrectionTarget;
    readonly correction: ChainCorrection;
  }): void {
    const { height, target, correction } = row;
    const tally = this.#tally(this.#getOrInsertTenant(target.brand, height));
    const deps = { connection: this.#connection, lots: this.lots };
    tally.lots += insertCorrectionRows(deps, {
      height,
      tenantNo: tally.tenantNo,
      before: target.effective,
      correction,
    });
    tally.corrections += 1;
    tally.transactions += correction.changes.length;
    tally.lastHeight = height;
  }

  insertContentKey(tenantId: string, contentKey: string, height: number): void {
    const tenantNo = this.#findTenant(tenantId);
    if (tenantNo === undefined) throw new Error(`writing an import key of unknown ${tenantId}`);
    this.#connection.statement(INSERT_IMPORT_KEY).run(tenantNo, contentKey, height);
  }

  heightOfExternalId(tenantId: string, externalId: string): number | undefined {
    const tenantNo = this.#findTenant(tenantId);
    if (tenantNo === undefined) return undefined;
    const row = this.#connection.statement(FIND_EXTERNAL_ID).get(tenantNo, externalId);
    return row === undefined ? undefined : Number(row['height']);
  }

  heightsOfContentKey(tenantId: string, contentKey: string): readonly number[] {
    const tenantNo = this.#findTenant(tenantId);
    if (tenantNo === undefined) return [];
    return this.#connection
      .statement(FIND_CONTENT_KEY)
      .all(tenantNo, contentKey)
      .map((row) => Number(row['height']));
  }

  /** Writes what was kept in memory: sums of lots, counters, the new head. */
  end(head: Tip & { readonly recordedAt: string }): void {
    this.lots.flush();
    let transactions = 0;
    let lots = 0;
    const updateTenant = this.#connection.statement(UPDATE_TENANT);
    for (const tally of this.#tallies.values()) {
      transactions += tally.transactions;
      lots += tally.lots;
      updateTenant.run(
        tally.events,
        tally.corrections,
        tally.transactions,
        tally.lots,
        tally.lastHeight,
        tally.tenantNo,
      );
    }
    this.#connection
      .statement(UPDATE_HEAD)
      .run(head.height, head.hash, head.recordedAt, transactions, lots, this.#newTenants);
  }

  #tally(tenantNo: number): TenantTally {
    let tally = this.#tallies.get(tenantNo);
    if (tally === undefined) {
      tally = { tenantNo, events: 0, corrections: 0, transactions: 0, lots: 0, lastHeight: 0 };
      this.#tallies.set(tenantNo, tally);
    }
    return tally;
  }

  #findTenant(tenantId: string): number | undefined {
    const known = this.#tenantNos.get(tenantId);
    if (known !== undefined) return known;
    const row = this.#connection.statement(FIND_TENANT).get(tenantId);
    if (row === undefined) return undefined;
    const tenantNo = Number(row['tenant_no']);
    this.#tenantNos.set(tenantId, tenantNo);
    return tenantNo;
  }

  #getOrInsertTenant(tenantId: string, height: number): number {
    const found = this.#findTenant(tenantId);
    if (found !== undefined) return found;
    const result = this.#connection.statement(INSERT_TENANT).run(tenantId, height, height);
    const tenantNo = Number(result.lastInsertRowid);
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
