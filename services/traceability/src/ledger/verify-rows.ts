// Derived rows and private rows against the blocks they belong to. Pure: rows and blocks in,
// findings out; the rows come from `verify-queries.ts`.
import { contentKeyOf } from './content-key.ts';
import { lineCommitment, notesCommitment } from './commitment.ts';
import { linkBasisOf } from './link-basis.ts';
import { findPayload } from './payload-shape.ts';
import type { ChainEvent, ChainLine, EventPayload } from './payload.ts';
import type { StoredBlockRow } from './verify-chain.ts';
import type { Findings, LedgerMismatch } from './verify-mismatch.ts';
import type {
  EventRow,
  ImportKeyRow,
  LineRow,
  PrivateLineRow,
  PrivateNotesRow,
  SliceRows,
} from './verify-queries.ts';
import { differingNames } from './verify-totals.ts';
import type { RoundTotals } from './verify-totals.ts';

/**
 * Compares the rows of a slice with its blocks, whose hashes and links have been found good.
 *
 * @returns the first block that was never sealed here; nothing can be compared from there on
 */
export function compareRows(slice: {
  readonly blocks: readonly StoredBlockRow[];
  readonly rows: SliceRows;
  readonly totals: RoundTotals;
  readonly findings: Findings;
}): LedgerMismatch | undefined {
  return new SliceComparison(slice.rows, slice.totals, slice.findings).compare(slice.blocks);
}

/** Takes the rows of one list height by height; the heights asked for only ever grow. */
class RowCursor<Row extends { readonly height: number }> {
  readonly #rows: readonly Row[];
  #next = 0;

  constructor(rows: readonly Row[]) {
    this.#rows = rows;
  }

  /** The next row, if it is of this height. */
  peek(height: number): Row | undefined {
    const row = this.#rows[this.#next];
    return row?.height === height ? row : undefined;
  }

  take(height: number): Row | undefined {
    const row = this.peek(height);
    if (row !== undefined) this.#next += 1;
    return row;
  }
}

class SliceComparison {
  readonly #events: RowCursor<EventRow>;
  readonly #lines: RowCursor<LineRow>;
  readonly #privateLines: RowCursor<PrivateLineRow>;
  readonly #privateNotes: RowCursor<PrivateNotesRow>;
  readonly #importKeys: RowCursor<ImportKeyRow>;
  readonly #totals: RoundTotals;
  readonly #findings: Findings;

  constructor(rows: SliceRows, totals: RoundTotals, findings: Findings) {
    this.#events = new RowCursor(rows.events);
    this.#lines = new RowCursor(rows.lines);
    this.#privateLines = new RowCursor(rows.privateLines);
    this.#privateNotes = new RowCursor(rows.privateNotes);
    this.#importKeys = new RowCursor(rows.importKeys);
    this.#totals = totals;
    this.#findings = findings;
  }

  compare(blocks: readonly StoredBlockRow[]): LedgerMismatch | undefined {
    for (const { height, canonical } of blocks) {
      const payload = findPayload(canonical);
      if (payload === undefined) {
        const message = `block ${height} has a text that was never sealed here`;
        return { height, code: 'payload_unreadable', message };
      }
      this.#totals.recordedAt = payload.recorded_at;
      switch (payload.type) {
        case 'genesis':
          this.#compareNothing(height);
          break;
        case 'event':
          this.#compareEvent(height, payload);
          break;
      }
    }
    return undefined;
  }

  #compareNothing(height: number): void {
    if (this.#events.take(height) !== undefined) {
      this.#add(height, 'event_row_extra', `block ${height} is no event but has a row of one`);
    }
    this.#refuseLines(height);
    this.#comparePrivate(height, undefined);
    if (this.#importKeys.take(height) !== undefined) {
      this.#add(height, 'import_key_extra', `block ${height} is no event but has an import key`);
    }
  }

  #compareEvent(height: number, payload: EventPayload): void {
    const { event, brand } = payload;
    const linkBasis = linkBasisOf(event);
    const isFirst = this.#totals.takeEvent({ height, tenantId: brand, lines: event.lines });
    const row = this.#events.take(height);
    if (row === undefined) {
      this.#add(height, 'event_row_missing', `the row of the event in block ${height} is gone`);
    } else {
      const differing = differingEventColumns(row, payload, linkBasis);
      if (differing !== '') {
        const message = `the row of the event in block ${height} differs: ${differing}`;
        this.#add(height, 'event_row_differs', message);
      }
      this.#compareTenant(height, row, isFirst);
    }
    this.#compareLines(height, payload, { tenantNo: row?.tenant_no, linkBasis });
    this.#comparePrivate(height, event);
    this.#compareImportKey(height, payload);
  }

  #compareTenant(height: number, row: EventRow, isFirst: boolean): void {
    if (row.tenant_id === null) {
      this.#add(height, 'tenant_row_missing', `the tenant of block ${height} is not listed`);
    } else if (isFirst && row.tenant_first_height !== height) {
      const message = `the tenant of block ${height} has its first event there: first_height`;
      this.#add(height, 'tenant_row_differs', message);
    }
  }

  #compareLines(
    height: number,
    payload: EventPayload,
    of: { readonly tenantNo: number | undefined; readonly linkBasis: number },
  ): void {
    const { lines } = payload.event;
    for (let lineNo = 0; lineNo < lines.length; lineNo += 1) {
      const line = lines[lineNo];
      if (line === undefined) break;
      while ((this.#lines.peek(height)?.line_no ?? lineNo) < lineNo) this.#refuseLine(height);
      if (this.#lines.peek(height)?.line_no !== lineNo) {
        const message = `the row of line ${lineNo} in block ${height} is gone`;
        this.#add(height, 'line_row_missing', message);
        continue;
      }
      const row = this.#lines.take(height);
      if (row !== undefined) this.#compareLine(row, line, { ...of, tenantId: payload.brand });
    }
    this.#refuseLines(height);
  }

  #compareLine(
    row: LineRow,
    line: ChainLine,
    of: {
      readonly tenantNo: number | undefined;
      readonly tenantId: string;
      readonly linkBasis: number;
    },
  ): void {
    const { height } = row;
    const place = `line ${row.line_no} in block ${height}`;
    const listed = row.lot_code !== null;
    const isOurs = row.lot_tenant_no === of.tenantNo || of.tenantNo === undefined;
    const isLot = row.lot_code === line.lot_code && isOurs;
    const isLine =
      row.product_sku === line.product_sku &&
      row.direction === line.direction &&
      row.quantity === line.quantity &&
      row.unit === line.unit &&
      row.link_basis === of.linkBasis;
    if (!listed) {
      this.#add(height, 'lot_row_missing', `the lot of ${place} is not listed`);
    }
    if (!isLine || (listed && !isLot)) {
      const differing = differingNames({
        lot: isLot || !listed,
        product_sku: row.product_sku === line.product_sku,
        direction: row.direction === line.direction,
        quantity: row.quantity === line.quantity,
        unit: row.unit === line.unit,
        link_basis: row.link_basis === of.linkBasis,
      });
      this.#add(height, 'line_row_differs', `the row of ${place} differs: ${differing}`);
    }
    if (!isLot || !this.#totals.takeLot(row.lot_no, of.tenantId)) return;
    if (row.lot_first_height !== height || row.lot_product_sku !== line.product_sku) {
      const differing = differingNames({
        first_height: row.lot_first_height === height,
        product_sku: row.lot_product_sku === line.product_sku,
      });
      this.#add(height, 'lot_row_differs', `the lot first seen in ${place} differs: ${differing}`);
    }
  }

  #refuseLines(height: number): void {
    while (this.#lines.peek(height) !== undefined) this.#refuseLine(height);
  }

  #refuseLine(height: number): void {
    const row = this.#lines.take(height);
    if (row === undefined) return;
    const message = `block ${height} has no line ${row.line_no}, but there is a row of it`;
    this.#add(height, 'line_row_extra', message);
  }

  /** Private values are there or erased; what is there must open the commitment in the block. */
  #comparePrivate(height: number, event: ChainEvent | undefined): void {
    for (;;) {
      const row = this.#privateLines.take(height);
      if (row === undefined) break;
      const commitment = event?.lines[row.line_no]?.private;
      const values = { customerRef: row.customer_ref, channel: row.channel, salt: row.salt };
      this.#judgeOpening(
        height,
        `line ${row.line_no} of block ${height}`,
        commitment,
        lineCommitment(values),
      );
    }
    const notes = this.#privateNotes.take(height);
    if (notes === undefined) return;
    this.#judgeOpening(height, `block ${height}`, event?.private, notesCommitment(notes));
  }

  #judgeOpening(
    height: number,
    place: string,
    commitment: string | undefined,
    opening: string,
  ): void {
    if (commitment === undefined) {
      const message = `there are private values for ${place}, which commits to none`;
      this.#add(height, 'private_row_extra', message);
    } else if (commitment !== opening) {
      const message = `the private values of ${place} are not the ones it commits to`;
      this.#add(height, 'private_row_differs', message);
    }
  }

  /** Not every event without an external id was imported, so a key may be absent, but not wrong. */
  #compareImportKey(height: number, payload: EventPayload): void {
    const row = this.#importKeys.take(height);
    if (row === undefined) return;
    if (payload.event.external_id !== undefined) {
      const message = `block ${height} has an external id and still an import key`;
      this.#add(height, 'import_key_extra', message);
    } else if (row.tenant_id !== payload.brand || row.content_key !== contentKeyOf(payload.event)) {
      const message = `the import key of block ${height} is not that of its content`;
      this.#add(height, 'import_key_differs', message);
    }
  }

  #add(height: number, code: LedgerMismatch['code'], message: string): void {
    this.#findings.add({ height, code, message });
  }
}

function differingEventColumns(row: EventRow, payload: EventPayload, linkBasis: number): string {
  const { event, brand } = payload;
  const isTenant = row.tenant_id === brand || row.tenant_id === null;
  if (
    isTenant &&
    row.event_type === event.event_type &&
    row.external_id === (event.external_id ?? null) &&
    row.occurred_at === event.occurred_at &&
    row.reference === event.reference &&
    row.line_count === event.lines.length &&
    row.link_basis === linkBasis
  ) {
    return '';
  }
  return differingNames({
    tenant: isTenant,
    event_type: row.event_type === event.event_type,
    external_id: row.external_id === (event.external_id ?? null),
    occurred_at: row.occurred_at === event.occurred_at,
    reference: row.reference === event.reference,
    line_count: row.line_count === event.lines.length,
    link_basis: row.link_basis === linkBasis,
  });
}
