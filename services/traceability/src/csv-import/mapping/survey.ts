// Surveys a file before its columns are mapped: how its text is written, its sheets, its header,
// the first rows, and the form of the numbers and dates of each column. It judges nothing.
import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { headerTexts } from '../columns.ts';
import { openSource, type SourceOptions } from '../check.ts';
import { toText, type Cell } from '../form/cell.ts';
import { DecimalSurvey, type DecimalReading } from '../form/decimals.ts';
import { DateSurvey, type DateReading } from '../form/local-times.ts';
import { DELIMITERS, type DelimiterName } from '../form/options.ts';
import { findTextForm, wholeBytes, type TextEncoding } from '../form/text-form.ts';
import { UnreadableFile, type RowError } from '../row-error.ts';
import { listSheets } from '../workbook/outline.ts';
import { SheetMissing } from '../workbook/refusal.ts';
import { ZipParts } from '../workbook/zip-parts.ts';
import { AS_IT_IS, isBareDate } from './row-reading.ts';
import { writtenRow, type WrittenRow } from './written-rows.ts';

/** Rows that are shown. */
const SAMPLE_ROWS = 6;
/** Rows that the survey reads; the check reads all. */
const SURVEYED_ROWS = 1_000;
const CHUNK_BYTES = 262_144;

export interface ColumnSurvey {
  readonly decimal: DecimalReading;
  readonly dates: DateReading;
  readonly hasBareDates: boolean;
  /**
   * The mark of dates that have points or slashes and the year at their end; null: there are none.
   */
  readonly yearLast: 'points' | 'slashes' | null;
}

export interface Survey {
  readonly kind: 'surveyed';
  /** The encoding of text; null for a workbook. */
  readonly encoding: TextEncoding | null;
  readonly delimiter: DelimiterName | null;
  /** Names of the sheets that are not hidden; none of text. */
  readonly sheets: readonly string[];
  readonly headers: readonly string[];
  readonly sample: readonly WrittenRow[];
  /** One for each of `headers`. */
  readonly columns: readonly ColumnSurvey[];
}

export type SurveyResult =
  Survey | { readonly kind: 'unreadable'; readonly errors: readonly RowError[] };

/** A text without an encoding that anybody named is looked through first: UTF-8, or what older programs wrote. */
export async function surveyFile(options: SourceOptions): Promise<SurveyResult> {
  try {
    const text = options.kind.type === 'csv' ? await textForm(options) : undefined;
    const sheets = options.kind.type === 'xlsx' ? await readSheets(options.file) : [];
    const encoding = text?.given ?? options.form.encoding;
    const rows = await surveyRows({ ...options, form: { ...options.form, encoding } });
    return {
      kind: 'surveyed',
      encoding: text?.encoding ?? null,
      delimiter: text?.delimiter ?? null,
      sheets,
      ...rows,
    };
  } catch (error) {
    if (error instanceof UnreadableFile) return { kind: 'unreadable', errors: error.errors };
    if (error instanceof SheetMissing) {
      const missing = { row: 1, column: null, msg: error.message, type: 'value_error' };
      return { kind: 'unreadable', errors: [missing] };
    }
    throw error;
  }
}

async function readSheets(file: string): Promise<readonly string[]> {
  using parts = await ZipParts.open(file);
  return await listSheets(parts);
}

async function textForm({ file, form }: SourceOptions): Promise<{
  readonly encoding: TextEncoding;
  readonly delimiter: DelimiterName | null;
  readonly given: 'windows-1252' | null;
}> {
  await using handle = await open(file, 'r');
  const start = Buffer.alloc(CHUNK_BYTES);
  const { bytesRead } = await handle.read(start, 0, CHUNK_BYTES, 0);
  const found = findTextForm(start.subarray(0, bytesRead), form);
  // No byte proves Windows-1252; but a file that is no UTF-8 and has no mark is most often written
  // so.
  const isOlder =
    form.encoding === null && found.encoding === 'utf-8' && !(await isWholeUtf8(file));
  const given = isOlder ? 'windows-1252' : null;
  const read = findTextForm(start.subarray(0, bytesRead), {
    ...form,
    encoding: given ?? form.encoding,
  });
  return { encoding: read.encoding, delimiter: delimiterName(read.delimiter), given };
}

async function isWholeUtf8(file: string): Promise<boolean> {
  await using handle = await open(file, 'r');
  let rest: Buffer = Buffer.alloc(0);
  for (let position = 0; ;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, position);
    position += bytesRead;
    const bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    const whole = bytesRead === 0 ? bytes.length : wholeBytes(bytes, 'utf-8');
    if (!isUtf8(bytes.subarray(0, whole))) return false;
    if (bytesRead === 0) return true;
    rest = bytes.subarray(whole);
  }
}

function delimiterName(delimiter: string): DelimiterName | null {
  const names = Object.keys(DELIMITERS) as readonly DelimiterName[];
  return names.find((name) => DELIMITERS[name] === delimiter) ?? null;
}

/** Ends reading early: enough rows were read. Only this file throws and catches it. */
class Enough extends Error {}

async function surveyRows(
  options: SourceOptions,
): Promise<Pick<Survey, 'headers' | 'sample' | 'columns'>> {
  let headers: readonly string[] = [];
  const sample: WrittenRow[] = [];
  let surveys: ColumnSurveying[] = [];
  let seen = 0;
  const source = await openSource(options);
  try {
    await source({
      reading: AS_IT_IS,
      header: (_header, cells) => {
        headers = headerTexts(cells);
        surveys = headers.map(() => new ColumnSurveying());
      },
      row: (row, cells) => {
        if (sample.length < SAMPLE_ROWS) sample.push(writtenRow(row, cells));
        for (const [place, survey] of surveys.entries()) survey.add(cells[place] ?? '');
        seen += 1;
        if (seen >= SURVEYED_ROWS) throw new Enough();
      },
      turn: () => Promise.resolve(),
    });
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return { headers, sample, columns: surveys.map((survey) => survey.end()) };
}

const YEAR_LAST = /^\d{1,2}([./-])\d{1,2}\1\d{4}(?!\d)/;

class ColumnSurveying {
  readonly #decimals = new DecimalSurvey();
  readonly #dates = new DateSurvey();
  #hasBareDates = false;
  #yearLast: ColumnSurvey['yearLast'] = null;

  add(cell: Cell): void {
    this.#hasBareDates ||= isBareDate(cell);
    if (typeof cell !== 'string') return;
    this.#decimals.add(toText(cell));
    this.#dates.add(toText(cell));
    const mark = YEAR_LAST.exec(toText(cell))?.[1];
    if (mark !== undefined) this.#yearLast ??= mark === '.' ? 'points' : 'slashes';
  }

  end(): ColumnSurvey {
    const hasBareDates = this.#hasBareDates;
    const yearLast = this.#yearLast;
    return { decimal: this.#decimals.end(), dates: this.#dates.end(), hasBareDates, yearLast };
  }
}
