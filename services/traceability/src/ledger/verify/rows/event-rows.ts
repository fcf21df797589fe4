// The rows of one event (itself, its lines, where their lots came from) against the event as it
// counts. Pure.
import { differingColumns } from '@lothub/kit/rows/stored-table';
import type { EffectiveEvent } from '../../record/effective.ts';
import type { LinkBasis } from '../../record/link-basis.ts';
import type { ChainLine } from '../../record/payload.ts';
import { listProvenances } from '../../record/provenance.ts';
import {
  COMPARED_OF_EVENT,
  COMPARED_OF_LINE,
  COMPARED_OF_PROVENANCE,
  eventRow,
  lineRow,
  provenanceRow,
} from '../../rows-of-blocks.ts';
import { RowCursor } from './cursor.ts';
import type { Findings, LedgerMismatch } from '../mismatch.ts';
import type { EventRow, LineRow, NamedLot, ProvenanceRow } from './stored-rows.ts';

/** An event as it counts, and what its rows must say. */
export interface CountingEvent {
  readonly height: number;
  readonly tenantId: string;
  /** From the row of the event; undefined without one. */
  readonly tenantNo: number | undefined;
  readonly effective: EffectiveEvent;
  readonly linkBasis: LinkBasis;
}

export function compareEventRow(row: EventRow, counting: CountingEvent, findings: Findings): void {
  const { height } = counting;
  const isTenant = row.tenant_id === counting.tenantId || row.tenant_id === null;
  const expected = eventRow({ ...counting, tenantNo: row.tenant_no });
  const differing = differingColumns(COMPARED_OF_EVENT, row, expected);
  if (isTenant && differing.length === 0) return;
  const names = [...(isTenant ? [] : ['tenant']), ...differing].join(', ');
  const message = `the row of the event in block ${height} differs: ${names}`;
  findings.add({ height, code: 'event_row_differs', message });
}

/** @param compared.lots the lot of each line, where its row is right about it */
export function compareProvenances(
  { height, tenantNo, effective }: CountingEvent,
  compared: {
    readonly rows: readonly ProvenanceRow[];
    readonly lots: readonly (NamedLot | undefined)[];
    readonly findings: Findings;
  },
): void {
  const { lots, findings } = compared;
  const provenances = listProvenances(effective);
  if (provenances.length === 0 && compared.rows.length === 0) return;
  const rows = new Map(compared.rows.map((row) => [row.line_no, row]));
  for (const provenance of provenances) {
    const { lineNo } = provenance;
    const place = `where the lot of line ${lineNo} in block ${height} came from`;
    const row = rows.get(lineNo);
    if (row === undefined) {
      findings.add({ height, code: 'provenance_row_missing', message: `${place} is gone` });
      continue;
    }
    rows.delete(lineNo);
    const lot = lots[lineNo];
    const { tenant_no: rowTenantNo, lot_no: lotNo } = row;
    const isTenant = rowTenantNo === tenantNo || tenantNo === undefined;
    const isLot = lotNo === lot?.lot_no || lot === undefined;
    const expected = provenanceRow({ height, tenantNo: rowTenantNo, lotNo, provenance });
    const columns = differingColumns(COMPARED_OF_PROVENANCE, row, expected);
    if (isTenant && isLot && columns.length === 0) continue;
    const differing = [...(isTenant ? [] : ['tenant']), ...(isLot ? [] : ['lot']), ...columns];
    const message = `${place} differs: ${differing.join(', ')}`;
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

  #compareLine(row: LineRow, line: ChainLine, counting: CountingEvent): NamedLot | undefined {
    const { height } = row;
    const listed = row.lot_code !== null;
    const isOurs = row.lot_tenant_no === counting.tenantNo || counting.tenantNo === undefined;
    const isLot = row.lot_code === line.lot_code && isOurs;
    const { line_no: lineNo, lot_no: lotNo } = row;
    const { event_type: eventType } = counting.effective.event;
    const expected = lineRow({
      height,
      lineNo,
      lotNo,
      line,
      eventType,
      linkBasis: counting.linkBasis,
    });
    const columns = differingColumns(COMPARED_OF_LINE, row, expected);
    const isLine = columns.length === 0;
    if (isLine && isLot) return row;
    const place = `line ${lineNo} in block ${height}`;
    if (!listed) this.#add(height, 'lot_row_missing', `the lot of ${place} is not listed`);
    if (!isLine || listed) {
      const differing = [...(isLot || !listed ? [] : ['lot']), ...columns].join(', ');
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
