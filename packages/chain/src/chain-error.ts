/** The one error this package throws: an argument that can never become part of a chain. */

/** Every reason why a value or a text is refused. */
export type ChainErrorCode =
  | 'value_unsupported'
  | 'number_not_safe_integer'
  | 'lone_surrogate'
  | 'nesting_too_deep'
  | 'height_invalid'
  | 'hash_invalid'
  | 'salt_invalid'
  | 'payload_text_invalid'
  | 'not_canonical'
  | 'not_json';

/**
 * Thrown by canonicalisation, sealing, parsing and commitments. Verification does not throw it:
 * a broken chain is an answer there, not an error.
 *
 * The message never holds a value of the payload, because payloads may be private when they are
 * refused.
 */
export class ChainError extends Error {
  override readonly name = 'ChainError';
  readonly code: ChainErrorCode;

  constructor(code: ChainErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
