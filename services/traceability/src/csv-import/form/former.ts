// Reads rows as versions up to 0.5 read them: no cell was trimmed, the decimal mark was a point,
// and every text was accepted. Events that were stored in that way are found by this reading, so
// that importing an old file again adds nothing and refuses nothing.
import { EVENT_FIELD_LIST, LINE_FIELD_LIST } from '../../ledger/record/fields.ts';
import type { EventFieldName, LineFieldName } from '../../ledger/record/fields.ts';
import { isExactNumber } from '@lothub/kit/number-literal';
import type { ColumnPlaces } from '../columns.ts';
import type { Cell } from './cell.ts';
import type { Column } from './header-names.ts';
import { toMoment, type RawEvent, type RawLine } from './raw-event.ts';

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** @returns nothing when the rows were refused then, or formed several events */
export function formerInput(
  rows: readonly (readonly Cell[])[],
  places: ColumnPlaces,
): RawEvent | undefined {
  const event: Partial<Record<EventFieldName, string | undefined>> = {};
  const lines: RawLine[] = [];
  for (const [index, cells] of rows.entries()) {
    for (const { name } of EVENT_FIELD_LIST) {
      const text = writtenText(cells, places[name]);
      if (index === 0 || (name === 'notes' && event.notes === undefined)) event[name] = text;
      else if (!agree(name, event[name], text)) return undefined;
    }
    const line = formerLine(cells, places);
    if (line === undefined) return undefined;
    lines.push(line);
  }
  // The loop has set every member in its first round.
  return { ...(event as Record<EventFieldName, string | undefined>), lines };
}

function agree(name: Column, first: string | undefined, other: string | undefined): boolean {
  if (first === other || (name === 'notes' && other === undefined)) return true;
  if (name !== 'occurred_at' || first === undefined || other === undefined) return false;
  return toMoment(first) === toMoment(other);
}

function formerLine(cells: readonly Cell[], places: ColumnPlaces): RawLine | undefined {
  const line: Partial<Record<LineFieldName, string | number | undefined>> = {};
  for (const { name, facts } of LINE_FIELD_LIST) {
    const text = writtenText(cells, places[name]);
    if (facts.kind !== 'decimal' || text === undefined) {
      line[name] = text;
    } else {
      if (!DECIMAL.test(text) || !isExactNumber(text)) return undefined;
      line[name] = Number(text);
    }
  }
  return line;
}

/** Cells of workbooks have no former reading. */
function writtenText(cells: readonly Cell[], place: number): string | undefined {
  const cell = place < 0 ? undefined : cells[place];
  return typeof cell === 'string' && cell !== '' ? cell : undefined;
}
