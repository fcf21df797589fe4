// The reasons for which an operator's command does not change the log; nothing was changed then.

export type LogRefusedCode =
  /** `LOG=off`. */
  | 'log_off'
  /** There is no log yet. */
  | 'log_not_begun'
  /** A key that has to sign is not here. */
  | 'log_key_missing'
  /** The key that the operator calls lost is present. */
  | 'log_key_present'
  /** One key is replacing another. */
  | 'rotation_open'
  /** No key is being replaced. */
  | 'rotation_not_open'
  /** The name cannot be that of a new log. */
  | 'log_origin_unusable'
  /** The database is of before a log began, and nothing here says how that log began. */
  | 'statements_missing'
  /** Statements contradict each other, or are of another hub. */
  | 'statements_unusable'
  /** The stored rows have changed meanwhile. */
  | 'hub_changed';

export class LogRefused extends Error {
  readonly code: LogRefusedCode;

  constructor(code: LogRefusedCode, message: string) {
    super(message);
    this.name = 'LogRefused';
    this.code = code;
  }
}
