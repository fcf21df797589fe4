// Everything that keeps a command from doing its work, as one closed list of codes, and the exit code
// that each ends with.

/**
 * 0: done, and nothing was found wrong. 1: something was found wrong, or failed. 2: asked wrongly. Of a
 * command that sends what may be sent again: 3 it is refused and would be again, 4 another try may do it.
 */
export const EXIT = { ok: 0, failed: 1, usage: 2, refused: 3, unreached: 4 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export type CommandErrorCode =
  /** Arguments that do not go together or cannot be understood. */
  | 'usage_wrong'
  /** There is no hub where the settings say. */
  | 'hub_missing'
  /** A service, or a command that needs the hub for itself, holds DATA_DIR. */
  | 'hub_in_use'
  /** The database's schema is not the one of this program. */
  | 'hub_outdated'
  | 'file_exists'
  | 'file_unreadable'
  | 'file_unwritable'
  /** No service answers at the address, or it refuses the connection. */
  | 'hub_unreachable'
  /** The hub answered with an error. */
  | 'hub_refused'
  /** The notification is not valid. */
  | 'post_refused'
  /** Nobody answered that a notification is stored; it may be. */
  | 'post_unanswered'
  /** Whoever answers is not a hub, or not one that this program understands. */
  | 'answer_unexpected'
  /** What was just written does not read back as it should. */
  | 'backup_unsound'
  /** The database server has tools of its own for it. */
  | 'backup_elsewhere'
  /** The database that should take a hub has one already. */
  | 'target_taken'
  /** The database that should take a hub cannot be reached, or cannot hold one. */
  | 'target_unusable'
  | 'stopped';

export const EXIT_OF: Readonly<Record<CommandErrorCode, ExitCode>> = {
  usage_wrong: EXIT.usage,
  hub_missing: EXIT.usage,
  hub_in_use: EXIT.failed,
  hub_outdated: EXIT.failed,
  file_exists: EXIT.usage,
  file_unreadable: EXIT.usage,
  file_unwritable: EXIT.failed,
  hub_unreachable: EXIT.failed,
  hub_refused: EXIT.failed,
  post_refused: EXIT.refused,
  post_unanswered: EXIT.unreached,
  answer_unexpected: EXIT.failed,
  backup_unsound: EXIT.failed,
  backup_elsewhere: EXIT.usage,
  target_taken: EXIT.failed,
  target_unusable: EXIT.failed,
  stopped: EXIT.failed,
};

/** A command that cannot continue; `message` says what was attempted, what is wrong and what to do. */
export class CommandError extends Error {
  readonly code: CommandErrorCode;

  constructor(code: CommandErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandError';
    this.code = code;
  }
}

/** The system's word for what went wrong, such as `ENOENT: no such file or directory`. */
export function formatReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message}${cause}`;
}
