/** The one error of the log's formats: a text, file or number that has not the form it must have. */

/** What was read or made when the fault was found. */
export type LogErrorCode =
  | 'base64_invalid'
  | 'frontier_invalid'
  | 'range_invalid'
  | 'tile_invalid'
  | 'vkey_invalid'
  | 'note_invalid'
  | 'checkpoint_invalid'
  | 'proof_invalid'
  | 'policy_invalid'
  | 'epoch_invalid';

/**
 * Thrown by every function of this folder that reads or makes a format. Verification does not throw
 * it for a well-formed text that proves nothing: that is an answer.
 */
export class LogError extends Error {
  override readonly name = 'LogError';
  readonly code: LogErrorCode;

  constructor(code: LogErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
