// The options about the form of an imported file, in the query and on the command line. Each option
// is `auto` when it is not given: then the file must have only one reading.
import { isTimeZone } from '@lothub/languages';
import type { FileMapping } from './file-mapping.ts';
import type { Refused } from './refused.ts';

export const AUTO = 'auto';

export const ENCODINGS = ['utf-8', 'utf-16', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];
/** The spellings that people use. */
const ENCODING_SPELLINGS = ['UTF-8', 'UTF-16', 'Windows-1252'] as const;

export const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type DelimiterName = keyof typeof DELIMITERS;
export type Delimiter = (typeof DELIMITERS)[DelimiterName];

/** The mark before decimals. */
export const DECIMAL_MARKS = ['point', 'comma'] as const;
export type DecimalMark = (typeof DECIMAL_MARKS)[number];

/** The order of day (d), month (m) and year (y). */
export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Characters of the name of a time zone; the longest name has 32. */
export const TIME_ZONE_CHARACTERS_MAX = 64;

/** The words that each option takes; a time zone is any name of the IANA database. */
export const OPTION_WORDS = {
  encoding: [AUTO, ...ENCODINGS, ...ENCODING_SPELLINGS],
  delimiter: [AUTO, ...Object.keys(DELIMITERS), ...Object.values(DELIMITERS)],
  decimal: [AUTO, ...DECIMAL_MARKS],
  date_order: [AUTO, ...DATE_ORDERS],
} as const;

/** Names of the options, as the query has them. */
export const FORM_OPTIONS = ['encoding', 'delimiter', 'decimal', 'date_order', 'timezone'] as const;

export type FormOption = (typeof FORM_OPTIONS)[number];

export type FormQuery = Readonly<Partial<Record<FormOption, string>>>;

/** The options that the caller gives; null: the file decides. Plain values: they cross a thread. */
export interface FormOptions {
  readonly encoding: Encoding | null;
  readonly delimiter: Delimiter | null;
  readonly decimal: DecimalMark | null;
  readonly dateOrder: DateOrder | null;
  readonly timeZone: string | null;
  /** The columns according to a person; null: the header names them. */
  readonly mapping: FileMapping | null;
}

/** Reads the options of a query whose words have been checked against `OPTION_WORDS`. */
export function formOptions(query: FormQuery): FormOptions {
  const delimiter = query.delimiter ?? AUTO;
  const zone = query.timezone ?? AUTO;
  return {
    encoding: findWord(ENCODINGS, query.encoding?.toLowerCase()),
    delimiter: Object.entries(DELIMITERS).find((pair) => pair.includes(delimiter))?.[1] ?? null,
    decimal: findWord(DECIMAL_MARKS, query.decimal),
    dateOrder: findWord(DATE_ORDERS, query.date_order),
    timeZone: zone === AUTO ? null : zone,
    mapping: null,
  };
}

/** Checks the name of a time zone; undefined when it is right. */
export function checkTimeZone(name: string): Refused | undefined {
  if (name === AUTO || isTimeZone(name)) return undefined;
  const msg = 'Input should be the name of a time zone of the IANA database, such as Europe/Berlin';
  return { msg, type: 'value_error' };
}

function findWord<Word extends string>(
  words: readonly Word[],
  given: string | undefined,
): Word | null {
  return words.find((word) => word === given) ?? null;
}
