/** Everything that keeps a witness from starting, as one closed list of codes. */

export type WitnessErrorCode =
  /** There is a key and no state that belongs to it: what was cosigned under the key is not known. */
  | 'state_lost'
  /** There is the state of a witness and no key. */
  | 'key_lost'
  /** The key is not that of the state. */
  | 'key_differs'
  /** A new key was asked for, and the key and its state are both there. */
  | 'key_sound'
  /** The list of logs cannot be read, or is none. */
  | 'list_unusable'
  /** The list names the log of the hub that the witness belongs to. */
  | 'own_log';

/** `message` says what was attempted, what is wrong and what to do. */
export class WitnessError extends Error {
  override readonly name = 'WitnessError';
  readonly code: WitnessErrorCode;

  constructor(code: WitnessErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
