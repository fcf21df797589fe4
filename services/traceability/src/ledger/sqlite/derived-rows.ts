// Writes the rows derived from events (events, lines, lots, tenants, head counters) and the private
// side tables, in SQLite. Appending and rebuilding both go through here.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { PrivateLine } from '../commitment.ts';
import type { Draft, Tip } from '../draft.ts';
import { linkBasisOf } from '../link-basis.ts';
import type { ChainEvent } from '../payload.ts';
import type { StoredPrivate } from '../replay.ts';

// One text for each statement: made once, so that finding the prepared one costs next to nothing.
const INSERT_EVENT =
  'insert into events (height, tenant_no, event_type, external_id, occurred_at, reference, ' +
  'line_count, link_basis) values (?, ?, ?, ?, ?, ?, ?, ?)';
const INSERT_LINE =
  'insert into lines (height, line_no, lot_no, product_sku, direction, quantity, unit, ' +
  'link_basis) values (?, ?, ?, ?, ?, ?, ?, ?)';
const INSERT_PRIVATE_LINE =
  'insert into private_lines (height, line_no, customer_ref, channel, salt) ' +
  'values (?, ?, ?, ?, ?)';
const INSERT_PRIVATE_NOTES = 'insert into private_notes (height, notes, salt) values (?, ?, ?)';
const INSERT_IMPORT_KEY =
  'insert into import_keys (tenant_no, content_key, height) values (?, ?, ?)';
const FIND_EXTERNAL_ID = 'select height from events where tenant_no = ? and external_id = ?';
const FIND_CONTENT_KEY =
  'select height from import_keys where tenant_no = ? and content_key = ? order by height';
const FIND_PRIVATE_LINES =
  'select line_no, customer_ref, channel, salt from private_lines where height = ?';
const FIND_PRIVATE_NOTES = 'select notes, salt from private_notes where height = ?';
const UPDATE_TENANT =
  'update tenants set events = events + ?, transactions = transactions + ?, lots = lots + ?, ' +
  'last_height = ? where tenant_no = ?';
const UPDATE_HEAD =
  'update head set height = ?, hash = ?, recorded_at = ?, transactions = transactions + ?, ' +
  'lots = lots + ?, tenants = tenants + ? where id = 1';
const FIND_TENANT = 'select tenant_no from tenants where tenant_id = ?';
const INSERT_TENANT =
  'insert into tenants (tenant_id, first_height, last_height, events, transactions, lots) ' +
  'values (?, ?, ?, 0, 0, 0)';
const FIND_LOT = 'select lot_no from lots where tenant_no = ? and lot_code = ?';
const INSERT_LOT =
  'insert into lots (tenant_no, lot_code, product_sku, first_height) values (?, ?, ?, ?)';

/** Lots remembered between groups, so that a busy lot costs no look-up; cleared when full. */
const LOT_CACHE_MAX = 50_000;

interface TenantTally {
  readonly tenantNo: number;
  events: number;
  transactions: number;
  lots: number;
  lastHeight: number;
}

export class DerivedRows {
  readonly #connection: SqliteConnection;
  readonly #tenantNos = new Map<string, number>();
  readonly #lotNos = new Map<string, number>();
  /** Counters of the running transaction, written once at its end. */
  readonly #tallies = new Map<number, TenantTally>();
  #newTenants = 0;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  begin(): void {
    this.#tallies.clear();
    this.#newTenants = 0;
  }

  /**
   * Forgets all row numbers: after a transaction that was undone they will be given out again, and
   * after somebody else wrote they may belong to other rows.
   */
  forget(): void {
    this.#tenantNos.clear();
    this.#lotNos.clear();
    this.#tallies.clear();
  }

  insertEvent(row: {
    readonly height: number;
    readonly tenantId: string;
    readonly event: ChainEvent;
  }): void {
    const { height, event } = row;
    const linkBasis = linkBasisOf(event);
    const tally = this.#tally(this.#getOrInsertTenant(row.tenantId, height));
    this.#connection
      .statement(INSERT_EVENT)
      .run(
        height,
        tally.tenantNo,
        event.event_type,
        event.external_id ?? null,
        event.occurred_at,
        event.reference,
        event.lines.length,
        linkBasis,
      );
    const insertLine = this.#connection.statement(INSERT_LINE);
    let lineNo = 0;
    for (const line of event.lines) {
      const lotNo = this.#getOrInsertLot(tally, height, line.lot_code, line.product_sku);
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
      lineNo += 1;
    }
    tally.events += 1;
    tally.transactions += event.lines.length;
    tally.lastHeight = height;
  }

  insertPrivate(height: number, draft: Draft): void {
    for (const line of draft.privateLines) {
      this.#connection
        .statement(INSERT_PRIVATE_LINE)
        .run(height, line.lineNo, line.customerRef, line.channel, line.salt);
    }
    if (draft.privateNotes !== null) {
      this.#connection
        .statement(INSERT_PRIVATE_NOTES)
        .run(height, draft.privateNotes.notes, draft.privateNotes.salt);
    }
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

  storedPrivate(height: number): StoredPrivate {
    const lines = this.#connection
      .statement(FIND_PRIVATE_LINES)
      .all(height)
      .map((row): PrivateLine => ({
        lineNo: Number(row['line_no']),
        customerRef: textOrNull(row['customer_ref']),
        channel: textOrNull(row['channel']),
        salt: String(row['salt']),
      }));
    const notes = this.#connection.statement(FIND_PRIVATE_NOTES).get(height);
    return {
      lines: new Map(lines.map((line) => [line.lineNo, line])),
      notes:
        notes === undefined ? null : { notes: String(notes['notes']), salt: String(notes['salt']) },
    };
  }

  /** Writes the counters of the transaction and the new head. */
  end(head: Tip & { readonly recordedAt: string }): void {
    let transactions = 0;
    let lots = 0;
    const updateTenant = this.#connection.statement(UPDATE_TENANT);
    for (const tally of this.#tallies.values()) {
      transactions += tally.transactions;
      lots += tally.lots;
      updateTenant.run(
        tally.events,
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
      tally = { tenantNo, events: 0, transactions: 0, lots: 0, lastHeight: 0 };
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

  #getOrInsertLot(tally: TenantTally, height: number, lotCode: string, sku: string): number {
    const key = `${tally.tenantNo} ${lotCode}`;
    const cached = this.#lotNos.get(key);
    if (cached !== undefined) return cached;
    if (this.#lotNos.size >= LOT_CACHE_MAX) this.#lotNos.clear();
    const row = this.#connection.statement(FIND_LOT).get(tally.tenantNo, lotCode);
    let lotNo: number;
    if (row !== undefined) lotNo = Number(row['lot_no']);
    else {
      const result = this.#connection
        .statement(INSERT_LOT)
        .run(tally.tenantNo, lotCode, sku, height);
      lotNo = Number(result.lastInsertRowid);
      tally.lots += 1;
    }
    this.#lotNos.set(key, lotNo);
    return lotNo;
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
