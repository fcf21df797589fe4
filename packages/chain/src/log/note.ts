/** Signed notes (c2sp.org/signed-note): a text, an empty line, and lines of signatures. */
import { bytesOfHex, concatBytes, strictBase64, toBase64, toHex, utf8 } from './bytes.ts';
import { LogError } from './log-error.ts';
import { isKeyName, KEY_ID_BYTES } from './vkey.ts';

/** Most signature lines that are read; the text of the format demands at least as many. */
export const SIGNATURE_LINES_MAX = 16;
/** Longest note that is read, in bytes: 16 signatures of the largest kind, of nearly 5 kB each. */
export const NOTE_BYTES_MAX = 131_072;

/** One line below the text of a note. */
export interface NoteSignature {
  readonly name: string;
  /** Eight lower-case hex digits. */
  readonly keyId: string;
  /** What follows the key id; its meaning depends on the type of the key. */
  readonly signature: Uint8Array;
}

export interface Note {
  /** What is signed, with its last line feed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

const SIGNATURE_LINE = /^\u2014 ([^ ]+) ([A-Za-z0-9+/]+={0,2})$/;
const CONTROL_CHARACTER = /[\u0000-\u0009\u000b-\u001f]/;

/** One signature line, with its line feed. */
export function signatureLine({ name, keyId, signature }: NoteSignature): string {
  return `\u2014 ${name} ${toBase64(concatBytes(bytesOfHex(keyId), signature))}\n`;
}

/**
 * A note of a text that ends in a line feed and signature lines that each do.
 *
 * @throws {LogError} `note_invalid` when what comes out is not a note
 */
export function noteText(text: string, signatureLines: readonly string[]): string {
  const note = `${text}\n${signatureLines.join('')}`;
  if (parseNote(note).text !== text) throw invalid('has a text that cannot be signed');
  return note;
}

/**
 * The parts of a note. No signature is verified.
 *
 * @throws {LogError} `note_invalid`, or `base64_invalid` when a signature is not strict base64
 */
export function parseNote(note: string): Note {
  if (note.length > NOTE_BYTES_MAX || utf8(note).length > NOTE_BYTES_MAX) {
    throw invalid(`is longer than ${NOTE_BYTES_MAX} bytes`);
  }
  if (!note.isWellFormed() || CONTROL_CHARACTER.test(note)) {
    throw invalid('holds control characters, or is not UTF-8');
  }
  const textEnd = note.lastIndexOf('\n\n') + 1;
  if (textEnd < 1 || !note.endsWith('\n'))
    throw invalid('lacks its empty line or its last line feed');
  const lines = note.slice(textEnd + 1, -1).split('\n');
  if (lines.length > SIGNATURE_LINES_MAX) {
    throw invalid(`has more than ${SIGNATURE_LINES_MAX} signature lines`);
  }
  return { text: note.slice(0, textEnd), signatures: lines.map(parseSignatureLine) };
}

function parseSignatureLine(line: string): NoteSignature {
  const [, name, encoded] = SIGNATURE_LINE.exec(line) ?? [];
  if (name === undefined || encoded === undefined || !isKeyName(name)) {
    throw invalid('has a signature line of another form');
  }
  const bytes = strictBase64(encoded);
  if (bytes.length <= KEY_ID_BYTES) throw invalid('has a signature line without a signature');
  return {
    name,
    keyId: toHex(bytes.subarray(0, KEY_ID_BYTES)),
    signature: bytes.subarray(KEY_ID_BYTES),
  };
}

function invalid(what: string): LogError {
  return new LogError('note_invalid', `The signed note ${what}.`);
}
