// The store of the settings as the operator's commands open it: beside running services or without one,
// never making a database and never changing its schema.
import { CommandError, type ExitCode } from '@lothub/kit/cli/command-error';
import { explainedDatabaseError } from '@lothub/kit/cli/database-failure';
import { assertKnownSchema } from '@lothub/kit/cli/known-schema';
import type { Output } from '@lothub/kit/cli/terminal';
import { systemClock, type Clock } from '@lothub/kit/clock';
import { databasePlace } from '@lothub/kit/postgres/database-place';
import { openOperatedPeople } from '@lothub/people/cli/operated-people';
import type { People } from '@lothub/people/people';
import { readSettings, type Settings } from '../settings.ts';
import type { NotificationStore } from '../store/store.ts';

const DATABASE_SETTING = 'NOTIFICATIONS_DATABASE_URL (or DATABASE_URL)';

export interface Operated {
  readonly people: People;
  readonly store: NotificationStore;
  readonly clock: Clock;
  readonly settings: Settings;
}

/**
 * Opens the store for one command. Running services notice its commits like those of any other process.
 * @throws SettingsError; CommandError `hub_missing`, `hub_outdated`, `hub_unreachable`; what `work` throws
 */
export async function withStore(
  output: Output,
  work: (operated: Operated) => Promise<ExitCode>,
): Promise<ExitCode> {
  const settings = readSettings(output.terminal.environment);
  await assertOperable(settings);
  const { openStore } = await import('../store/open-store.ts');
  await using people = await openOperatedPeople({
    ...settings,
    settings,
    databaseSetting: DATABASE_SETTING,
  });
  await using store = await openStore({
    dataDir: settings.dataDir,
    databaseUrl: settings.databaseUrl,
    clock: systemClock,
    // Whatever waits for an answer of the writer fails when the writer ends.
    onFatal: () => undefined,
  });
  return await work({ people, store, clock: systemClock, settings });
}

/** @throws CommandError `hub_missing`, `hub_outdated`, `hub_unreachable`; DatabaseError */
export async function assertOperable(settings: Settings): Promise<void> {
  const { databaseUrl, dataDir } = settings;
  // Here and not at the top: commands of other services start sooner without it.
  const { findSchemaState } = await import('../store/schema-state.ts');
  const schema = await findSchemaState(settings).catch((error: unknown) => {
    throw explainedDatabaseError(error, {
      what: 'the notifications',
      databaseUrl,
      setting: DATABASE_SETTING,
    });
  });
  const place = databaseUrl === undefined ? dataDir : databasePlace(databaseUrl);
  if (schema.present === 0) throw missing(place, databaseUrl);
  assertKnownSchema(schema, place);
}

function missing(place: string, databaseUrl: string | undefined): CommandError {
  const setting =
    databaseUrl === undefined
      ? 'DATA_DIR to the directory'
      : 'NOTIFICATIONS_DATABASE_URL to the database';
  return new CommandError(
    'hub_missing',
    `opening the notifications in ${place}: there are none; set ${setting} of the service, ` +
      'or make one with `lothub serve`',
  );
}
