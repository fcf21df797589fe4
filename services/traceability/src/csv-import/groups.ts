// Gathers neighbouring rows into events: rows that share an external id, or without one event type,
// moment and reference. What each cell says is judged by the rules of events; only what a file can
// get wrong and JSON cannot (a number that is none, rows that disagree) is judged here.
import { INEXACT_NUMBER } from '@lothub/kit/http/field-errors';
import { isExactNumber } from '@lothub/kit/number-literal';
import { readOccurredAt } from '../events/occurred-at.ts';
import { LINES_MAX } from '../events/schema.ts';
import { EVENT_FIELD_LIST, LINE_FIELD_LIST } from '../ledger/record/fields.ts';
import type { EventFieldName, LineFieldName } from '../ledger/record/fields.ts';
import type { Column, ColumnPlaces, Header } from './columns.ts';
import type { RowError, RowErrors } from './row-error.ts';

/** The rows of one event, not yet checked against the schema of events. */
export interface Group {
  /** What the rows share; equal for two groups exactly when they are one event. */
  readonly key: string;
  readonly firstRow: number;
  /** Row of each line. */
  readonly rows: readonly number[];
  /** Row that the notes stand in. */
  readonly notesRow: number;
  /** An error of one of its rows has been added to the errors. */
  readonly faulty: boolean;
  readonly input: RawEvent;
}

/** An event as the file has it; a cell that is empty is undefined. */
export type RawEvent = Readonly<Record<EventFieldName, string | undefined>> & {
  readonly lines: readonly RawLine[];
};

type RawLine = Readonly<Partial<Record<LineFieldName, string | number | undefined>>>;

/** The cells of a row that all rows of its event share. Notes may stand in one of them alone. */
type SharedName = Exclude<EventFieldName, 'notes'>;
type EventCells = Readonly<Record<SharedName, string | undefined>>;

const SHARED_NAMES = EVENT_FIELD_LIST.map(({ name }) => name).filter((name) => name !== 'notes');
/** Rows of one event that differ in these disagree; in the external id they are other events. */
const COMPARED_NAMES = SHARED_NAMES.filter((name) => name !== 'external_id');

interface OpenGroup extends Group {
  readonly cells: EventCells;
  readonly rows: number[];
  notesRow: number;
  faulty: boolean;
  readonly input: RawEvent & { notes: string | undefined; readonly lines: RawLine[] };
}

/** Decimal text; a sign, so that a negative quantity is told from what is no number. */
const DECIMAL = /^-?\d+(?:\.\d+)?$/;
/** Stands for a number that has been refused, so that it is not refused a second time. */
const REFUSED_NUMBER = 0;

export class GroupBuilder {
  readonly #header: Header;
  readonly #errors: RowErrors;
  #open: OpenGroup | undefined;

  constructor(header: Header, errors: RowErrors) {
    this.#header = header;
    this.#errors = errors;
  }

  /** Takes the next row. @returns the group before it, when the row begins another one */
  add(row: number, cells: readonly string[]): Group | undefined {
    const event = eventCells(cells, this.#header.places);
    const open = this.#open;
    const key = open === undefined ? undefined : keyWithin(open, event);
    if (open !== undefined && key === open.key) {
      this.#compare(open, row, event);
      this.#addLine(open, row, cells);
      return undefined;
    }
    this.#open = openGroup(key ?? groupKey(event), row, event);
    this.#addLine(this.#open, row, cells);
    return open;
  }

  /** The last group of the file. */
  end(): Group | undefined {
    const open = this.#open;
    this.#open = undefined;
    return open;
  }

  #addLine(group: OpenGroup, row: number, cells: readonly string[]): void {
    this.#takeNotes(group, row, cells);
    const surplus = surplusCells(cells, this.#header);
    if (surplus !== undefined) {
      this.#refuse(group, { row, column: null, msg: surplus, type: 'too_many_cells' });
    }
    if (group.rows.length >= LINES_MAX) {
      // The first row too many is named; those after it are only left out.
      if (group.rows.length > LINES_MAX) return;
      group.rows.push(row);
      const msg = `Event should have at most ${LINES_MAX} rows`;
      this.#refuse(group, { row, column: null, msg, type: 'too_long' });
      return;
    }
    group.rows.push(row);
    group.input.lines.push(this.#line(group, row, cells));
  }

  #line(group: OpenGroup, row: number, cells: readonly string[]): RawLine {
    const line: Partial<Record<LineFieldName, string | number | undefined>> = {};
    for (const { name, facts } of LINE_FIELD_LIST) {
      const cell = cellAt(cells, this.#header.places[name]);
      line[name] =
        facts.kind === 'decimal' ? this.#decimal(group, { row, column: name, cell }) : cell;
    }
    return line;
  }

  #decimal(
    group: OpenGroup,
    place: {
      readonly row: number;
      readonly column: LineFieldName;
      readonly cell: string | undefined;
    },
  ): number | undefined {
    const { row, column, cell } = place;
    if (cell === undefined) return undefined;
    if (!DECIMAL.test(cell)) {
      const msg = 'Input should be a valid number, with a point before decimals';
      this.#refuse(group, { row, column, msg, type: 'float_parsing' });
      return REFUSED_NUMBER;
    }
    if (!isExactNumber(cell)) {
      this.#refuse(group, { row, column, ...INEXACT_NUMBER });
      return REFUSED_NUMBER;
    }
    return Number(cell);
  }

  /** An empty notes cell says nothing, so it agrees with any other. */
  #takeNotes(group: OpenGroup, row: number, cells: readonly string[]): void {
    const notes = cellAt(cells, this.#header.places.notes);
    if (notes === undefined || notes === group.input.notes) return;
    if (group.input.notes === undefined) {
      group.input.notes = notes;
      group.notesRow = row;
    } else {
      this.#disagree(group, row, 'notes', group.notesRow);
    }
  }

  #compare(group: OpenGroup, row: number, event: EventCells): void {
    for (const column of COMPARED_NAMES) {
      const cell = event[column];
      if (cell === group.cells[column]) continue;
      if (cell === undefined) {
        this.#refuse(group, { row, column, msg: 'Field required', type: 'missing' });
      } else if (column !== 'occurred_at' || moment(cell) !== moment(group.cells.occurred_at)) {
        this.#disagree(group, row, column, group.firstRow);
      }
    }
  }

  #disagree(group: OpenGroup, row: number, column: Column, withRow: number): void {
    const msg = `Rows of one event should agree; row ${withRow} has another value`;
    this.#refuse(group, { row, column, msg, type: 'group_mismatch' });
  }

  #refuse(group: OpenGroup, error: RowError): void {
    group.faulty = true;
    this.#errors.add(error);
  }
}

/**
 * What is wrong with a row that has more cells than the header. Empty ones count as well: a decimal
 * comma moves every cell after it to the right, and the last ones are mostly empty.
 */
function surplusCells(
  cells: readonly string[],
  { width, cellsMax }: Pick<Header, 'width' | 'cellsMax'>,
): string | undefined {
  if (cells.length > cellsMax) {
    return (
      `Row should have at most ${cellsMax} cells, as the header has, and has ${cells.length}: ` +
      'quote cells that hold the delimiter, and write decimals with a point'
    );
  }
  const place = cells.findIndex((cell, index) => index >= width && cell !== '');
  if (place < 0) return undefined;
  return `Cell ${place + 1} should be empty: the header does not name its column`;
}

/** What the rows of an event share. The moment counts, not the offset that it is written with. */
export function groupKeyOfRow(cells: readonly string[], places: ColumnPlaces): string {
  return groupKey(eventCells(cells, places));
}

function groupKey(event: EventCells): string {
  if (event.external_id !== undefined) return `id:${event.external_id}`;
  return sharedKey(event, moment(event.occurred_at));
}

/** JSON, because any character may stand in a cell. */
function sharedKey(event: EventCells, occurredAt: string): string {
  return `row:${JSON.stringify([event.event_type ?? '', occurredAt, event.reference ?? ''])}`;
}

/** The key of a row that follows an open group, without work when the cells are the same. */
function keyWithin(group: OpenGroup, event: EventCells): string | undefined {
  const { cells } = group;
  const same =
    event.external_id === cells.external_id &&
    (event.external_id !== undefined ||
      (event.event_type === cells.event_type &&
        event.occurred_at === cells.occurred_at &&
        event.reference === cells.reference));
  return same ? group.key : groupKey(event);
}

/** UTC text of a moment; what is no moment stands for itself. */
function moment(occurredAt: string | undefined): string {
  if (occurredAt === undefined) return '';
  const reading = readOccurredAt(occurredAt);
  return reading.kind === 'ok' ? reading.text : occurredAt;
}

function openGroup(key: string, row: number, cells: EventCells): OpenGroup {
  return {
    key,
    firstRow: row,
    rows: [],
    notesRow: row,
    faulty: false,
    cells,
    input: { ...cells, notes: undefined, lines: [] },
  };
}

function eventCells(cells: readonly string[], places: ColumnPlaces): EventCells {
  const event: Partial<Record<SharedName, string | undefined>> = {};
  for (const name of SHARED_NAMES) event[name] = cellAt(cells, places[name]);
  // The loop has set every member.
  return event as EventCells;
}

/** Undefined when the cell is empty, the row too short, or the column not in the file. */
function cellAt(cells: readonly string[], place: number): string | undefined {
  const cell = place < 0 ? undefined : cells[place];
  return cell === '' ? undefined : cell;
}
