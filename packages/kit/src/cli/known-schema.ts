// A command works on a database of its own schema only.
import type { SchemaState } from './schema-state.ts';
import { CommandError } from './command-error.ts';

/**
 * @param what the database, as a message names it
 * @throws CommandError `hub_outdated` when the database does not have the schema of this program
 */
export function assertKnownSchema({ present, known }: SchemaState, what: string): void {
  if (present === known) return;
  const advice =
    present < known
      ? 'start this version of the service once, which brings the schema up to date'
      : 'use the newer program that made it';
  throw new CommandError(
    'hub_outdated',
    `opening ${what}: it has schema ${present} and this program works with ${known}; ${advice}`,
  );
}
