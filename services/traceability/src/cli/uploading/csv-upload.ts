// Imports one file into a hub, CSV over POST /v1/import/csv and a workbook over /v1/import/xlsx,
// and reads the response in each of its forms: all rows were imported, some were rejected, or the
// whole file was.
import type { HubAnswer, HubClient } from '../hub-client.ts';
import { CommandError } from '@lothub/kit/cli/command-error';
import { FORM_OPTIONS, type FormOption } from '../../csv-import/form/options.ts';
import { ON_ERROR_DEFAULT, type OnError } from '../../terms.ts';
import { MEDIA_TYPES, SIGNATURE_BYTES, fileKind } from '../../csv-import/form/signatures.ts';
import { readStart, uploadFile } from './upload.ts';

export interface CsvUpload {
  readonly client: HubClient;
  readonly file: string;
  /** `abort`: nothing goes in when anything is wrong. `proceed`: the good events go in. */
  readonly onError: OnError;
  /** `check` stores nothing. */
  readonly mode: 'import' | 'check';
  /** The options about the form of the file; the hub finds the others. */
  readonly form: Readonly<Partial<Record<FormOption, string | undefined>>>;
  /** Name of the sheet of a workbook; the first one when it is not given. */
  readonly sheet?: string | undefined;
  readonly signal: AbortSignal;
  readonly onBytes: (sent: number, total: number) => void;
}

/** A row that was not taken; row and column are empty when the whole file is meant. */
export interface RejectedRow {
  readonly row: string;
  readonly column: string;
  readonly reason: string;
  readonly type: string;
}

export interface CsvOutcome {
  /** Events of the file; null when it was refused as a whole. */
  readonly counts: CsvCounts | null;
  readonly rejectedRows: readonly RejectedRow[];
  /** The warnings of the hub, unchanged. */
  readonly warnings: readonly CsvWarning[];
}

export interface CsvWarning {
  readonly code: string;
  readonly count: number;
  readonly rows: readonly unknown[];
}

export interface CsvCounts {
  readonly rows: number;
  readonly events: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
}

/**
 * @throws CommandError `hub_refused` when it is not the file's content that is refused,
 *   `answer_unexpected`, `hub_unreachable`, `file_unreadable`
 */
export async function uploadCsv(upload: CsvUpload): Promise<CsvOutcome> {
  const { client } = upload;
  await refuseWrongKey(client);
  const query = new URLSearchParams();
  if (upload.onError !== ON_ERROR_DEFAULT) query.set('on_error', upload.onError);
  if (upload.mode === 'check') query.set('dry_run', 'true');
  for (const name of FORM_OPTIONS) {
    const word = upload.form[name];
    if (word !== undefined) query.set(name, word);
  }
  if (upload.sheet !== undefined) query.set('sheet', upload.sheet);
  const format = (await isWorkbook(upload)) ? 'xlsx' : 'csv';
  const endpoint = `/v1/import/${format}`;
  const path = query.size === 0 ? endpoint : `${endpoint}?${query.toString()}`;
  const answer = await client.untilNotBusy(() =>
    uploadFile({
      base: client.base,
      path,
      headers: client.headers,
      file: upload.file,
      mediaType: MEDIA_TYPES[format],
      field: 'file',
      signal: upload.signal,
      onBytes: upload.onBytes,
    }),
  );
  return toOutcome(client, path, answer);
}

const KEY_CHECK = '/v1/events?limit=1';
/** The key is right and has a limit: one that posts events reads none. */
const LIMITED = 403;

/**
 * A wrong key is said at once, not after a gigabyte.
 * @throws CommandError as `uploadCsv`
 */
async function refuseWrongKey(client: HubClient): Promise<void> {
  const answer = await client.ask({ method: 'GET', path: KEY_CHECK });
  const isRight = answer.status === LIMITED || (answer.status >= 200 && answer.status < 300);
  if (!isRight) throw client.refusal('GET', KEY_CHECK, answer);
}

/** A sheet says so, and otherwise the first bytes of the file. */
async function isWorkbook({ file, sheet }: CsvUpload): Promise<boolean> {
  if (sheet !== undefined) return true;
  return fileKind(await readStart(file, SIGNATURE_BYTES)) === 'zip';
}

function toOutcome(client: HubClient, path: string, answer: HubAnswer): CsvOutcome {
  const { status, body } = answer;
  if (status === 400 || status === 422) {
    return { counts: null, rejectedRows: refusedRows(body), warnings: [] };
  }
  if (status < 200 || status >= 300) throw client.refusal('POST', path, answer);
  const record = toMembers(body);
  const counts = {
    rows: record['rows'],
    events: record['events'],
    accepted: record['accepted'],
    duplicates: record['duplicates'],
    rejected: record['rejected'],
  };
  if (!isCounts(counts)) {
    throw new CommandError(
      'answer_unexpected',
      `POST ${client.base}${path}: the answer is not that of an import; is this a hub?`,
    );
  }
  const errors: readonly unknown[] = Array.isArray(record['errors']) ? record['errors'] : [];
  const warnings: readonly unknown[] = Array.isArray(record['warnings']) ? record['warnings'] : [];
  return {
    counts,
    rejectedRows: errors.map(toRejectedRow),
    warnings: warnings.map(toWarning).filter((warning) => warning.count > 0),
  };
}

function isCounts(counts: Readonly<Record<keyof CsvCounts, unknown>>): counts is CsvCounts {
  return Object.values(counts).every((count) => Number.isSafeInteger(count));
}

/** One sentence for an answer 422, whose `loc` is `["body", "file", row, column]`, or for a 400. */
function refusedRows(body: unknown): readonly RejectedRow[] {
  const { detail } = toMembers(body);
  if (!Array.isArray(detail)) {
    const reason = typeof detail === 'string' ? detail : 'the hub gave no reason';
    return [{ row: '', column: '', reason, type: 'rule_broken' }];
  }
  return detail.map((entry: unknown) => {
    const record = toMembers(entry);
    const loc: readonly unknown[] = Array.isArray(record['loc']) ? record['loc'] : [];
    const [row, column] = loc.slice(LOC_OF_FILE.length);
    return toRejectedRow({ ...record, row, column });
  });
}

/** The beginning of every `loc` of an import. */
const LOC_OF_FILE = ['body', 'file'];

function toRejectedRow(entry: unknown): RejectedRow {
  const { row, column, columns, msg, type } = toMembers(entry);
  const place = Array.isArray(columns) ? columns.map(toText).join(', ') : toText(column);
  return { row: toText(row), column: place, reason: toText(msg), type: toText(type) };
}

function toWarning(entry: unknown): CsvWarning {
  const { code, count, rows } = toMembers(entry);
  return {
    code: toText(code),
    count: typeof count === 'number' ? count : 0,
    rows: Array.isArray(rows) ? rows : [],
  };
}

/** `12 (block 7)`, or the row alone while nothing is stored. */
export function warnedRowText(entry: unknown): string {
  const { row, block_height: height } = toMembers(entry);
  return typeof height === 'number' ? `${toText(row)} (block ${height})` : toText(row);
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

export function toMembers(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}
