// Opens the hub of the settings for the operator's commands: while services run or without one,
// never creating a database and never changing its schema.
import { explainedDatabaseError } from '@lothub/kit/cli/database-failure';
import { assertKnownSchema } from '@lothub/kit/cli/known-schema';
import { LedgerMissingError } from '../ledger/operated-database.ts';
import type { LedgerPlace, OperatedDatabase } from '../ledger/operated-database.ts';
import { openOperated, placeText } from '../ledger/operate/open-operated.ts';
import { CommandError, type ExitCode } from '@lothub/kit/cli/command-error';
import type { Output } from '@lothub/kit/cli/terminal';
import { readSettings } from '../settings.ts';

/**
 * Opens the database of a hub that exists.
 * @throws CommandError `hub_missing`, `hub_outdated`, `hub_unreachable`
 * @throws DatabaseError when it cannot be opened for another reason
 */
export async function openHub(place: LedgerPlace): Promise<OperatedDatabase> {
  const database = await openOrRefuse(place);
  try {
    assertKnownSchema(database.schema, database.place);
    return database;
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

/** Opens the hub of the settings for a command, and closes it after the work. */
export async function withHub(
  output: Output,
  work: (output: Output, database: OperatedDatabase) => Promise<ExitCode>,
): Promise<ExitCode> {
  await using database = await openHub(readSettings(output.terminal.environment));
  return await work(output, database);
}

/** Undefined when there is no hub yet. */
export async function findHub(place: LedgerPlace): Promise<OperatedDatabase | undefined> {
  try {
    return await openHub(place);
  } catch (error) {
    if (error instanceof CommandError && error.code === 'hub_missing') return undefined;
    throw error;
  }
}

/**
 * Says where the hub is that a command could not open or work on, when that is a server's.
 * @returns the error to throw instead
 */
export function explained(error: unknown, { databaseUrl }: LedgerPlace): unknown {
  return explainedDatabaseError(error, { what: 'the hub', databaseUrl, setting: 'DATABASE_URL' });
}

async function openOrRefuse(place: LedgerPlace): Promise<OperatedDatabase> {
  try {
    return await openOperated(place);
  } catch (error) {
    if (error instanceof LedgerMissingError) throw hubMissing(place);
    throw explained(error, place);
  }
}

function hubMissing(place: LedgerPlace): CommandError {
  const [where, setting, what] =
    place.databaseUrl === undefined
      ? [place.dataDir, 'DATA_DIR', 'the directory']
      : [placeText(place), 'DATABASE_URL', 'the database'];
  return new CommandError(
    'hub_missing',
    `opening the hub in ${where}: there is none; set ${setting} to ${what} of a hub, ` +
      'or make one with `lothub serve`',
  );
}
