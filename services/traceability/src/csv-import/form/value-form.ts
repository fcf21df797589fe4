// Finds how numbers and dates of a file are written: as the caller says, else by the only reading
// of the whole file. For that the file is read once before its rows are.
import { EVENT_FIELD_LIST, LINE_FIELD_LIST } from '../../ledger/record/fields.ts';
import type { Header } from '../columns.ts';
import type { RowReading } from '../mapping/row-reading.ts';
import type { RowSource } from '../rows.ts';
import { DecimalSurvey, type DecimalReading } from './decimals.ts';
import { DateSurvey, type DateReading } from './local-times.ts';
import { DELIMITERS, type FormOptions } from './options.ts';

export interface ValueForm {
  readonly decimal: DecimalReading;
  readonly dateOrder: DateReading;
  /** The zone of times without an offset; null: they are read as UTC, with a warning. */
  readonly timeZone: string | null;
}

const FIELDS = [...EVENT_FIELD_LIST, ...LINE_FIELD_LIST];
const DECIMAL_COLUMNS = FIELDS.filter(({ facts }) => facts.kind === 'decimal');
const TIME_COLUMNS = FIELDS.filter(({ facts }) => facts.kind === 'instant');

/** @throws UnreadableFile as reading the rows does */
export async function findValueForm(
  source: RowSource,
  options: FormOptions,
  reading: RowReading,
): Promise<ValueForm> {
  const { decimal, dateOrder, timeZone } = options;
  if (decimal !== null && dateOrder !== null) {
    return {
      decimal: { kind: 'given', mark: decimal },
      dateOrder: { kind: 'given', order: dateOrder },
      timeZone,
    };
  }
  const decimals = new DecimalSurvey();
  const dates = new DateSurvey();
  let header: Header | undefined;
  await source({
    reading,
    header: (read) => {
      header = read;
    },
    row: (_row, cells) => {
      if (header === undefined) return;
      for (const { name } of DECIMAL_COLUMNS) {
        const cell = cells[header.places[name]];
        if (typeof cell === 'string') decimals.add(cell.trim());
      }
      for (const { name } of TIME_COLUMNS) {
        const cell = cells[header.places[name]];
        if (typeof cell === 'string') dates.add(cell.trim());
      }
    },
    turn: () => Promise.resolve(),
  });
  const found = decimals.end();
  // If commas separate cells, the point is the mark of numbers, unless a number has another form.
  const isPlain = found.kind === 'open' && header?.delimiter === DELIMITERS.comma;
  return {
    decimal:
      decimal !== null
        ? { kind: 'given', mark: decimal }
        : isPlain
          ? { kind: 'found', mark: 'point' }
          : found,
    dateOrder: dateOrder !== null ? { kind: 'given', order: dateOrder } : dates.end(),
    timeZone,
  };
}
