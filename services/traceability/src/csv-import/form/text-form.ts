// Finds how the text of a file is written: its encoding, the line that some spreadsheets put before
// the header (`sep=;`), its delimiter and its line ends. It reads the first bytes, unless the
// caller gives them.
import { isAscii, isUtf8 } from 'node:buffer';
import { findColumn } from './header-names.ts';
import { DELIMITERS, type Delimiter, type FormOptions } from './options.ts';

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
export type LineEnd = '\n' | '\r';

export interface TextForm {
  readonly encoding: TextEncoding;
  /** Bytes before the header: a byte order mark, and a line that names the delimiter. */
  readonly headerAt: number;
  readonly delimiter: Delimiter;
  /** `\n` may have a `\r` before it. */
  readonly lineEnd: LineEnd;
}

const BYTE_ORDER_MARKS: readonly (readonly [TextEncoding, Buffer])[] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
];
/** Names of encodings begin the text of both kinds of UTF-16 with two bytes for each letter. */
const UTF_16_BYTES = 2;
/** Bytes of the longest UTF-8 sequence. */
const SEQUENCE_BYTES_MAX = 4;
/** A line that gives a spreadsheet the delimiter; spreadsheets neither show nor count it. */
const SEPARATOR_LINE = /^"?sep=(.)"?$/i;
/** Bytes that Windows-1252 has no character for. */
const NOT_WINDOWS_1252 = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

/** @param start the first bytes of the file, with its whole header */
export function findTextForm(start: Buffer, options: FormOptions): TextForm {
  const { encoding, markBytes } = findEncoding(start, options);
  const { text } = decode(start.subarray(markBytes), encoding);
  const first = firstLine(text);
  const separator = SEPARATOR_LINE.exec(first.line)?.[1];
  const header = separator === undefined ? first : firstLine(text.slice(first.end));
  const skipped = separator === undefined ? 0 : first.end;
  return {
    encoding,
    // The skipped line is ASCII.
    headerAt: markBytes + skipped * (encoding.startsWith('utf-16') ? UTF_16_BYTES : 1),
    delimiter: options.delimiter ?? knownDelimiter(separator) ?? findDelimiter(header.line),
    lineEnd: first.lineEnd,
  };
}

/** UTF-8 unless a mark or the zeros of two-byte letters say UTF-16. No bytes prove Windows-1252. */
function findEncoding(
  start: Buffer,
  { encoding: given }: FormOptions,
): { readonly encoding: TextEncoding; readonly markBytes: number } {
  const mark = BYTE_ORDER_MARKS.find(([, bytes]) => start.subarray(0, bytes.length).equals(bytes));
  const marked = mark?.[0];
  const wide = marked ?? wideEncoding(start);
  const isWide = wide === 'utf-16le' || wide === 'utf-16be';
  switch (given) {
    case null:
      return { encoding: wide ?? 'utf-8', markBytes: mark?.[1].length ?? 0 };
    case 'utf-16':
      return {
        encoding: isWide ? wide : 'utf-16le',
        markBytes: isWide ? (mark?.[1].length ?? 0) : 0,
      };
    case 'utf-8':
    case 'windows-1252':
      return { encoding: given, markBytes: marked === given ? (mark?.[1].length ?? 0) : 0 };
  }
}

/** UTF-16 without a mark: of its first two letters, both ASCII, one byte each is zero. */
function wideEncoding(start: Buffer): TextEncoding | undefined {
  const [a, b, c, d] = start;
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return 'utf-16le';
  return a === 0 && b !== 0 && c === 0 && d !== 0 ? 'utf-16be' : undefined;
}

interface Line {
  readonly line: string;
  /** The place at which the next line starts. */
  readonly end: number;
  readonly lineEnd: LineEnd;
}

/** The first line end outside of quotes ends it. */
function firstLine(text: string): Line {
  let isQuoted = false;
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place];
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted || (character !== '\n' && character !== '\r')) continue;
    const isPair = character === '\r' && text[place + 1] === '\n';
    const lineEnd = isPair ? '\n' : character;
    return { line: text.slice(0, place), end: place + (isPair ? 2 : 1), lineEnd };
  }
  return { line: text, end: text.length, lineEnd: '\n' };
}

function knownDelimiter(character: string | undefined): Delimiter | undefined {
  return Object.values(DELIMITERS).find((delimiter) => delimiter === character);
}

/**
 * Finds the delimiter that cuts the header line into the most known columns; if none is known, into
 * the most columns; the first one if they are equal.
 */
function findDelimiter(headerLine: string): Delimiter {
  const listCells = (delimiter: string): readonly string[] => headerLine.split(delimiter);
  const known = (delimiter: string): number =>
    listCells(delimiter).filter((cell) => findColumn(cell.replaceAll('"', '')) !== undefined)
      .length;
  const all = Object.values(DELIMITERS);
  const measure = all.some((one) => known(one) > 0)
    ? known
    : (delimiter: string): number => listCells(delimiter).length;
  return all.reduce<Delimiter>(
    (best, delimiter) => (measure(delimiter) > measure(best) ? delimiter : best),
    DELIMITERS.comma,
  );
}

export interface Decoded {
  /** The text before the first invalid byte. */
  readonly text: string;
  readonly isValid: boolean;
}

const windows1252 = new TextDecoder('windows-1252');

/** Decodes whole sequences (`wholeBytes`). Lone surrogates of UTF-16 stay: the cell is refused. */
export function decode(bytes: Buffer, encoding: TextEncoding): Decoded {
  switch (encoding) {
    case 'utf-8': {
      if (isAscii(bytes)) return { text: bytes.toString('latin1'), isValid: true };
      if (isUtf8(bytes)) return { text: bytes.toString('utf8'), isValid: true };
      return { text: bytes.toString('utf8', 0, validUntil(bytes)), isValid: false };
    }
    case 'utf-16le':
    case 'utf-16be': {
      const even = bytes.subarray(0, bytes.length - (bytes.length % UTF_16_BYTES));
      const little = encoding === 'utf-16le' ? even : Buffer.from(even).swap16();
      return { text: little.toString('utf16le'), isValid: even.length === bytes.length };
    }
    case 'windows-1252': {
      const wrong = bytes.findIndex((byte) => NOT_WINDOWS_1252.includes(byte));
      const valid = wrong < 0 ? bytes : bytes.subarray(0, wrong);
      return { text: windows1252.decode(valid), isValid: wrong < 0 };
    }
  }
}

/** Length of `bytes` without an unfinished sequence at the end. */
export function wholeBytes(bytes: Buffer, encoding: TextEncoding): number {
  switch (encoding) {
    case 'utf-8':
      return wholeSequences(bytes);
    case 'utf-16le':
    case 'utf-16be':
      return bytes.length - (bytes.length % UTF_16_BYTES);
    case 'windows-1252':
      return bytes.length;
  }
}

function wholeSequences(bytes: Buffer): number {
  const least = Math.max(0, bytes.length - SEQUENCE_BYTES_MAX);
  for (let start = bytes.length - 1; start >= least; start -= 1) {
    const byte = bytes[start] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return start + wanted > bytes.length ? start : bytes.length;
    }
  }
  return bytes.length;
}

/** Length of the longest valid beginning of bytes that are not valid as a whole. */
function validUntil(bytes: Buffer): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    const whole = wholeSequences(bytes.subarray(0, middle));
    if (isUtf8(bytes.subarray(0, whole))) valid = middle;
    else invalid = middle;
  }
  return wholeSequences(bytes.subarray(0, valid));
}
