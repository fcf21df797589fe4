// Gathers neighbouring rows into events: rows that share an external id, or without one event type,
// moment and reference. What each cell says is judged by the rules of events; only what a file can
// get wrong and JSON cannot (a number that is none, rows that disagree) is judged here.
import { present } from '@lothub/kit/present';
import { LINES_MAX } from '../events/schema.ts';
import { EVENT_FIELD_LIST, LINE_FIELD_LIST } from '../ledger/record/fields.ts';
import type { EventFieldName, Field, LineFieldName } from '../ledger/record/fields.ts';
import { surplusCells, type ColumnPlaces, type Header } from './columns.ts';
import { isBlankCell, toText, type Cell } from './form/cell.ts';
import { CellReader } from './form/cell-reader.ts';
import { formerInput } from './form/former.ts';
import type { Column } from './form/header-names.ts';
import { toMoment, type RawEvent, type RawLine } from './form/raw-event.ts';
import type { ValueForm } from './form/value-form.ts';
import type { RowError } from './row-error.ts';

/** The rows of one event, not yet checked against the schema of events. */
export interface Group {
  /**
   * The text of the values that the rows share; equal for two groups exactly when they are one
   * event.
   */
  readonly key: string;
  readonly firstRow: number;
  /** Row of each line. */
  readonly rows: readonly number[];
  /** Row that the notes are in. */
  readonly notesRow: number;
  /** The faults of its cells and rows, beside the rules of events. */
  readonly errors: readonly RowError[];
  readonly input: RawEvent;
  /**
   * The event by the former way of reading, which neither trimmed cells nor refused mangled ones;
   * set when it differs.
   */
  readonly former: RawEvent | undefined;
}

/** The cells of a row that all rows of its event share. Notes may be in one of them alone. */
type SharedName = Exclude<EventFieldName, 'notes'>;
/** Trimmed texts. */
type EventCells = Readonly<Record<SharedName, string | undefined>>;

const SHARED_FIELDS = EVENT_FIELD_LIST.filter(
  (field): field is typeof field & { readonly name: SharedName } => field.name !== 'notes',
);
/** Rows of one event that differ in these disagree; in the external id they are other events. */
const COMPARED_FIELDS = SHARED_FIELDS.filter(({ name }) => name !== 'external_id');

const NOTES_FIELD = present(
  EVENT_FIELD_LIST.find(({ name }) => name === 'notes'),
  'the field of notes',
);

interface OpenGroup {
  readonly key: string;
  readonly firstRow: number;
  readonly cells: EventCells;
  readonly rows: number[];
  notesRow: number;
  readonly errors: RowError[];
  readonly input: Record<EventFieldName, string | number | undefined> & {
    readonly lines: RawLine[];
  };
  /** The original cells of each row. */
  readonly written: (readonly Cell[])[];
  /** A cell was trimmed or refused, so the rows may have been read in another way before. */
  mayDiffer: boolean;
}

/** Replaces a refused cell, so that it is not refused a second time. */
const REFUSED_VALUES = {
  text: 'refused',
  decimal: 0,
  instant: '2000-01-01T00:00:00Z',
  choice: 'refused',
} as const;

export class GroupBuilder {
  readonly #header: Header;
  readonly #reader: CellReader;
  #open: OpenGroup | undefined;

  constructor(header: Header, form: ValueForm) {
    this.#header = header;
    this.#reader = new CellReader(form);
  }

  /** Takes the next row. @returns the group before it, when the row begins another one */
  add(row: number, cells: readonly Cell[]): Group | undefined {
    const event = eventCells(cells, this.#header.places);
    const open = this.#open;
    const key = open === undefined ? undefined : this.#keyWithin(open, event);
    if (open !== undefined && key === open.key) {
      this.#compare(open, row, event);
      this.#addLine(open, row, cells);
      return undefined;
    }
    this.#open = openGroup(key ?? this.#groupKey(event), row, event);
    this.#readShared(this.#open, row, cells);
    this.#addLine(this.#open, row, cells);
    return open === undefined ? undefined : this.#finish(open);
  }

  /** The last group of the file. */
  end(): Group | undefined {
    const open = this.#open;
    this.#open = undefined;
    return open === undefined ? undefined : this.#finish(open);
  }

  /**
   * Makes the key of the values that the rows of an event share. Two forms of one moment are equal.
   */
  buildKey(cells: readonly Cell[]): string {
    return this.#groupKey(eventCells(cells, this.#header.places));
  }

  #finish(open: OpenGroup): Group {
    const { key, firstRow, rows, notesRow, errors, input, written } = open;
    const former = open.mayDiffer ? formerInput(written, this.#header.places) : undefined;
    return { key, firstRow, rows, notesRow, errors, input, former };
  }

  #readShared(group: OpenGroup, row: number, cells: readonly Cell[]): void {
    for (const field of SHARED_FIELDS)
      group.input[field.name] = this.#read(group, row, cells, field);
  }

  #addLine(group: OpenGroup, row: number, cells: readonly Cell[]): void {
    this.#takeNotes(group, row, cells);
    const surplus = surplusCells(cells, this.#header);
    if (surplus !== undefined) {
      refuse(group, { row, column: null, msg: surplus, type: 'too_many_cells' });
    }
    if (group.rows.length >= LINES_MAX) {
      // The first row too many is named; those after it are only left out.
      if (group.rows.length > LINES_MAX) return;
      group.rows.push(row);
      const msg = `Event should have at most ${LINES_MAX} rows`;
      refuse(group, { row, column: null, msg, type: 'too_long' });
      return;
    }
    group.rows.push(row);
    group.written.push(cells);
    const line: Partial<Record<LineFieldName, string | number | undefined>> = {};
    for (const field of LINE_FIELD_LIST) {
      line[field.name] = this.#read(group, row, cells, field);
    }
    group.input.lines.push(line);
  }

  #read(
    group: OpenGroup,
    row: number,
    cells: readonly Cell[],
    { name, facts }: Field<Column>,
  ): string | number | undefined {
    const cell = cellAt(cells, this.#header.places[name]);
    if (cell === undefined) return undefined;
    const value = this.#reader.read(cell, name, facts);
    if (typeof value === 'object') {
      group.mayDiffer = true;
      refuse(group, { row, column: name, ...value });
      return REFUSED_VALUES[facts.kind];
    }
    // Shorter than the cell: it was trimmed.
    if (typeof cell === 'string' && toText(cell).length < cell.length) group.mayDiffer = true;
    return value;
  }

  /** An empty notes cell says nothing, so it agrees with any other. */
  #takeNotes(group: OpenGroup, row: number, cells: readonly Cell[]): void {
    const notes = this.#read(group, row, cells, NOTES_FIELD);
    if (notes === undefined || notes === group.input.notes) return;
    if (group.input.notes === undefined) {
      group.input.notes = notes;
      group.notesRow = row;
    } else {
      disagree(group, row, 'notes', group.notesRow);
    }
  }

  #compare(group: OpenGroup, row: number, event: EventCells): void {
    for (const { name } of COMPARED_FIELDS) {
      const cell = event[name];
      if (cell === group.cells[name]) continue;
      if (cell === undefined) {
        refuse(group, { row, column: name, msg: 'Field required', type: 'missing' });
      } else if (name !== 'occurred_at') {
        disagree(group, row, name, group.firstRow);
      } else {
        const time = this.#reader.time(cell);
        if (typeof time !== 'string') refuse(group, { row, column: name, ...time });
        else if (this.#moment(cell) !== this.#moment(group.cells.occurred_at)) {
          disagree(group, row, name, group.firstRow);
        }
      }
    }
  }

  #groupKey(event: EventCells): string {
    if (event.external_id !== undefined) return `id:${event.external_id}`;
    const occurredAt = this.#moment(event.occurred_at);
    // JSON, because any character may be in a cell.
    return `row:${JSON.stringify([event.event_type ?? '', occurredAt, event.reference ?? ''])}`;
  }

  /** The key of a row that follows an open group, without work when the cells are the same. */
  #keyWithin(group: OpenGroup, event: EventCells): string | undefined {
    const { cells } = group;
    const same =
      event.external_id === cells.external_id &&
      (event.external_id !== undefined ||
        (event.event_type === cells.event_type &&
          event.occurred_at === cells.occurred_at &&
          event.reference === cells.reference));
    return same ? group.key : this.#groupKey(event);
  }

  /** Returns the UTC text of a moment; another text is returned unchanged. */
  #moment(occurredAt: string | undefined): string {
    if (occurredAt === undefined) return '';
    const time = this.#reader.time(occurredAt);
    return typeof time === 'string' ? toMoment(time) : occurredAt;
  }
}

function disagree(group: OpenGroup, row: number, column: Column, withRow: number): void {
  const msg = `Rows of one event should agree; row ${withRow} has another value`;
  refuse(group, { row, column, msg, type: 'group_mismatch' });
}

function refuse(group: OpenGroup, error: RowError): void {
  group.errors.push(error);
}

function openGroup(key: string, row: number, cells: EventCells): OpenGroup {
  return {
    key,
    firstRow: row,
    rows: [],
    notesRow: row,
    errors: [],
    cells,
    input: { ...cells, notes: undefined, lines: [] },
    written: [],
    mayDiffer: false,
  };
}

function eventCells(cells: readonly Cell[], places: ColumnPlaces): EventCells {
  const event: Partial<Record<SharedName, string | undefined>> = {};
  for (const { name } of SHARED_FIELDS) {
    const cell = cellAt(cells, places[name]);
    event[name] = cell === undefined ? undefined : toText(cell);
  }
  // The loop has set every member.
  return event as EventCells;
}

/** Undefined when the cell is blank, the row too short, or the column not in the file. */
function cellAt(cells: readonly Cell[], place: number): Cell | undefined {
  const cell = place < 0 ? undefined : cells[place];
  return cell === undefined || isBlankCell(cell) ? undefined : cell;
}
