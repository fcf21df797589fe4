// The rows of one event (itself, its lines, where their lots came from) against the event as it
// counts. Pure.
import { recordOf } from '@lothub/kit/record-of';
import type { EffectiveEvent } from '../../record/effective.ts';
import type { LinkBasis } from '../../record/link-basis.ts';
import type { ChainLine } from '../../record/payload.ts';
import { provenancesOf } from '../../record/provenance.ts';
import { PROVENANCE_NAMES } from '../../record/fields.ts';
import { RowCursor } from './cursor.ts';
import type { Findings, LedgerMismatch } from '../mismatch.ts';
import type { EventRow, LineRow, NamedLot, ProvenanceRow } from './stored-rows.ts';
import { differingNames } from '../totals.ts';

/** An event as it counts, and what its rows must say. */
export interface CountingEvent {
  readonly height: number;
  readonly tenantId: string;
  /** As the row of the event says; undefined without one. */
  readonly tenantNo: number | undefined;
  readonly effective: EffectiveEvent;
  readonly linkBasis: LinkBasis;
}

export function compareEventRow(row: EventRow, counting: CountingEvent, findings: Findings): void {
  const { height, effective, linkBasis } = counting;
  const { event, voided, correctedBy } = effective;
  const isTenant = row.tenant_id === counting.tenantId || row.tenant_id === null;
  if (
    isTenant &&
    row.event_type === event.event_type &&
    row.external_id === (event.external_id ?? null) &&
    row.occurred_at === event.occurred_at &&
    row.reference === event.reference &&
    row.line_count === event.lines.length &&
    row.link_basis === linkBasis &&
    row.correction_count === correctedBy.length &&
    row.voided === Number(voided)
  ) {
    return;
  }
  const differing = differingNames({
    tenant: isTenant,
    event_type: row.event_type === event.event_type,
    external_id: row.external_id === (event.external_id ?? null),
    occurred_at: row.occurred_at === event.occurred_at,
    reference: row.reference === event.reference,
    line_count: row.line_count === event.lines.length,
    link_basis: row.link_basis === linkBasis,
    correction_count: row.correction_count === correctedBy.length,
    voided: row.voided === Number(voided),
  });
  const message = `the row of the event in block ${height} differs: ${differing}`;
  findings.add({ height, code: 'event_row_differs', message });
}

/** @param of `lots`: the lot of each line, where its row is right about it */
export function compareProvenances(
  { height, tenantNo, effective }: CountingEvent,
  of: {
    readonly rows: readonly ProvenanceRow[];
    readonly lots: readonly (NamedLot | undefined)[];
    readonly findings: Findings;
  },
): void {
  const { lots, findings } = of;
  const rows = new Map(of.rows.map((row) => [row.line_no, row]));
  for (const provenance of provenancesOf(effective)) {
    const { lineNo } = provenance;
    const place = `where the lot of line ${lineNo} in block ${height} came from`;
    const row = rows.get(lineNo);
    if (row === undefined) {
      findings.add({ height, code: 'provenance_row_missing', message: `${place} is gone` });
      continue;
    }
    rows.delete(lineNo);
    const lot = lots[lineNo];
    const differing = differingNames({
      tenant: row.tenant_no === tenantNo || tenantNo === undefined,
      lot: row.lot_no === lot?.lot_no || lot === undefined,
      is_leaf: row.is_leaf === Number(provenance.isLeaf),
      ...recordOf(PROVENANCE_NAMES, (name) => row[name] === provenance[name]),
    });
    if (differing === '') continue;
    const message = `${place} differs: ${differing}`;
    findings.add({ height, code: 'provenance_row_differs', message });
  }
  for (const lineNo of rows.keys()) {
    const message = `line ${lineNo} in block ${height} does not say where its lot came from, a row does`;
    findings.add({ height, code: 'provenance_row_extra', message });
  }
}

export class LineComparison {
  readonly #rows: RowCursor<LineRow>;
  readonly #findings: Findings;

  constructor(rows: readonly LineRow[], findings: Findings) {
    this.#rows = new RowCursor(rows);
    this.#findings = findings;
  }

  /** @returns the lot of each line; undefined where the row of the line names another one or none */
  compare(counting: CountingEvent): readonly (NamedLot | undefined)[] {
    const { height, effective } = counting;
    const lots = effective.event.lines.map((line, lineNo) => {
      while ((this.#rows.peek(height)?.line_no ?? lineNo) < lineNo) this.#refuseLine(height);
      const row = this.#rows.peek(height)?.line_no === lineNo ? this.#rows.take(height) : undefined;
      if (row !== undefined) return this.#compareLine(row, line, counting);
      const message = `the row of line ${lineNo} in block ${height} is gone`;
      this.#add(height, 'line_row_missing', message);
      return undefined;
    });
    this.refuse(height);
    return lots;
  }

  /** The block has no line, or no more. */
  refuse(height: number): void {
    while (this.#rows.peek(height) !== undefined) this.#refuseLine(height);
  }

  /** Leaves the lines of a block uncompared. @returns the lots that they name */
  pass(height: number): readonly NamedLot[] {
    return this.#rows.takeAll(height);
  }

  #compareLine(row: LineRow, line: ChainLine, of: CountingEvent): NamedLot | undefined {
    const { height } = row;
    const listed = row.lot_code !== null;
    const isOurs = row.lot_tenant_no === of.tenantNo || of.tenantNo === undefined;
    const isLot = row.lot_code === line.lot_code && isOurs;
    const isLine =
      row.product_sku === line.product_sku &&
      row.direction === line.direction &&
      row.quantity === line.quantity &&
      row.unit === line.unit &&
      row.link_basis === of.linkBasis;
    if (isLine && isLot) return row;
    const place = `line ${row.line_no} in block ${height}`;
    if (!listed) this.#add(height, 'lot_row_missing', `the lot of ${place} is not listed`);
    if (!isLine || listed) {
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
    return isLot ? row : undefined;
  }

  #refuseLine(height: number): void {
    const row = this.#rows.take(height);
    if (row === undefined) return;
    const message = `block ${height} has no line ${row.line_no}, but there is a row of it`;
    this.#add(height, 'line_row_extra', message);
  }

  #add(height: number, code: LedgerMismatch['code'], message: string): void {
    this.#findings.add({ height, code, message });
  }
}
