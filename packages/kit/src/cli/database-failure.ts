// A database that could not be opened, in words that say which one it is and what to look at.
import { DatabaseError } from '../database.ts';
import { databasePlace } from '../postgres/database-place.ts';
import { CommandError, formatReason } from './command-error.ts';

export interface FailedPlace {
  /** What was to be opened, such as `the hub`. */
  readonly what: string;
  /** `postgresql://…`; undefined: the database is a file, whose errors say enough. */
  readonly databaseUrl: string | undefined;
  /** The setting that holds the address. */
  readonly setting: string;
}

/**
 * Says where something is that a command could not open or work on, when that is a server's.
 * @returns the error to throw instead
 */
export function explainedDatabaseError(error: unknown, failed: FailedPlace): unknown {
  const { what, databaseUrl, setting } = failed;
  if (databaseUrl === undefined || !(error instanceof DatabaseError)) return error;
  // Most messages hold what their cause says, and would say it twice.
  const isSaid = error.cause instanceof Error && error.message.includes(error.cause.message);
  const reason = isSaid ? error.message : formatReason(error);
  // What is not fit says itself what to do.
  const isUnfit = error.code === 'database_too_new' || error.code === 'database_unsupported';
  const advice = `see that the server runs and that ${setting} names a user and a database of it`;
  return new CommandError(
    'hub_unreachable',
    `opening ${what} in ${databasePlace(databaseUrl)}: ${isUnfit ? reason : `${reason}; ${advice}`}`,
    { cause: error },
  );
}
