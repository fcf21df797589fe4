// Reads the rows of a file as rows of an import: by the names in its header, or as a person mapped
// its columns, set values that all rows share, and corrected single cells.
import { DIRECTIONS, getFacts, isEventType } from '../../ledger/record/event-types.ts';
import { readHeader, readMappedHeader, type HeaderReading } from '../columns.ts';
import { isBlankCell, toText, type Cell } from '../form/cell.ts';
import type { FileMapping } from '../form/file-mapping.ts';
import type { Column } from '../form/header-names.ts';
import type { Delimiter } from '../form/options.ts';
import { findChoice } from './choice-words.ts';

/** Means the usual direction of lines in an event of this type. */
export const USUAL_DIRECTION = 'usual';

export interface RowReading {
  readonly header: (cells: readonly Cell[], delimiter: Delimiter | null) => HeaderReading;
  /** The cells of a row in the columns of the header that was read. */
  readonly row: (row: number, cells: readonly Cell[]) => readonly Cell[];
}

/** The header names the columns. */
const BY_NAMES: RowReading = { header: readHeader, row: (_row, cells) => cells };

/** Accepts any header and reads no cell as a column: for a caller that shows the file unchanged. */
export const AS_IT_IS: RowReading = {
  header: (cells, delimiter) => readMappedHeader(cells, delimiter, { columns: null, others: [] }),
  row: (_row, cells) => cells,
};

/** @param mapping null: the header names the columns */
export function rowReading(mapping: FileMapping | null): RowReading {
  return mapping === null ? BY_NAMES : mappedReading(mapping);
}

/** A date and nothing else, in the forms that spreadsheets write. */
const BARE_DATE = /^(?:\d{4}([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2\d{4})$/;

export function isBareDate(cell: Cell): boolean {
  if (typeof cell !== 'string' && cell.kind !== 'time') return false;
  return BARE_DATE.test(toText(cell));
}

function mappedReading({ columns, same, timeOfDay, mended }: FileMapping): RowReading {
  const others = Object.entries(same).flatMap(([name, text]) =>
    text === undefined ? [] : [[name as Column, text] as const],
  );
  const otherNames = others.map(([name]) => name);
  const otherCells = others.map(([, text]) => text);
  const all = [...columns, ...otherNames];
  const width = columns.length;
  const timePlace = all.indexOf('occurred_at');
  const typePlace = all.indexOf('event_type');
  const directionPlace = all.indexOf('direction');
  return {
    header: (cells, delimiter) =>
      readMappedHeader(cells, delimiter, { columns, others: otherNames }),
    row: (row, cells) => {
      const read: Cell[] = [
        ...Array.from({ length: width }, (_, place) => cells[place] ?? ''),
        ...otherCells,
        ...cells.slice(width),
      ];
      const changes = mended[String(row)];
      if (changes !== undefined) {
        for (const [place, column] of all.entries()) {
          const text = column === null ? undefined : changes[column];
          if (text !== undefined) read[place] = text;
        }
      }
      readWords(read);
      return read;
    },
  };

  function readWords(read: Cell[]): void {
    const time = timePlace < 0 ? undefined : read[timePlace];
    if (time !== undefined && timeOfDay !== null && isBareDate(time)) {
      const text = `${toText(time)} ${timeOfDay}`;
      read[timePlace] = typeof time === 'string' ? text : { kind: 'time', text };
    }
    const typeCell = typePlace < 0 ? undefined : read[typePlace];
    const type = typeCell === undefined ? undefined : findChoice('event_type', toText(typeCell));
    if (type !== undefined) read[typePlace] = type;
    const cell = directionPlace < 0 ? undefined : read[directionPlace];
    if (cell === undefined || isBlankCell(cell)) return;
    const text = toText(cell);
    if (text !== USUAL_DIRECTION) {
      const direction = findChoice('direction', text);
      if (direction !== undefined) read[directionPlace] = direction;
    } else if (type !== undefined && isEventType(type)) {
      const { usualDirection } = getFacts(type);
      if (DIRECTIONS.some((one) => one === usualDirection))
        read[directionPlace] = usualDirection ?? text;
    }
  }
}
