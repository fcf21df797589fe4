/** The one error of private keys: what was attempted with which key, what is wrong, what to do. */

export type NoteKeyErrorCode =
  /** The text is no key of the type that is needed. */
  | 'key_malformed'
  /** The file exists but cannot be read. */
  | 'key_unreadable'
  /** The file cannot be written. */
  | 'key_unwritable';

/** Its message never repeats the text of a key. */
export class NoteKeyError extends Error {
  override readonly name = 'NoteKeyError';
  readonly code: NoteKeyErrorCode;

  constructor(code: NoteKeyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
