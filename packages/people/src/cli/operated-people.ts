// The people of the settings as the operator's commands open them: beside running services or without one,
// never making a database and never changing its schema.
import { CommandError, type ExitCode } from '@lothub/kit/cli/command-error';
import { explainedDatabaseError } from '@lothub/kit/cli/database-failure';
import { assertKnownSchema } from '@lothub/kit/cli/known-schema';
import type { Output } from '@lothub/kit/cli/terminal';
import { databasePlace } from '@lothub/kit/postgres/database-place';
import type { People } from '../people.ts';
import type { OperatedSettings, ReadOperatedSettings } from './people-program.ts';

export interface OperatedPeople {
  readonly people: People;
  readonly settings: OperatedSettings;
}

/**
 * Opens the people for one command. Running services learn of what it writes as of any other process.
 * @throws SettingsError; CommandError `hub_missing`, `hub_outdated`, `hub_unreachable`; what `work` throws
 */
export async function withPeople(
  { output, read }: { readonly output: Output; readonly read: ReadOperatedSettings },
  work: (operated: OperatedPeople) => Promise<ExitCode>,
): Promise<ExitCode> {
  const settings = read(output.terminal.environment);
  await using people = await openOperatedPeople(settings);
  return await work({ people, settings });
}

/** @throws CommandError `hub_missing`, `hub_outdated`, `hub_unreachable`; DatabaseError */
export async function openOperatedPeople(
  settings: Pick<OperatedSettings, 'dataDir' | 'databaseUrl' | 'databaseSetting' | 'settings'>,
): Promise<People> {
  await assertOperable(settings);
  // Here and not at the top: commands of other kinds start sooner without it.
  const { openPeople } = await import('../people.ts');
  return await openPeople({
    settings: settings.settings,
    databaseUrl: settings.databaseUrl,
    // A command reports what fails, and notes no uses.
    log: { warn: () => undefined },
    onFatal: () => undefined,
  });
}

async function assertOperable(
  settings: Pick<OperatedSettings, 'dataDir' | 'databaseUrl' | 'databaseSetting'>,
): Promise<void> {
  const { databaseUrl, dataDir, databaseSetting } = settings;
  const { findSchemaState } = await import('../store/schema-state.ts');
  const { present, known } = await findSchemaState(settings).catch((error: unknown) => {
    throw explainedDatabaseError(error, {
      what: 'the people',
      databaseUrl,
      setting: databaseSetting,
    });
  });
  const place = databaseUrl === undefined ? dataDir : databasePlace(databaseUrl);
  if (present === 0) {
    const where = databaseUrl === undefined ? 'DATA_DIR' : databaseSetting;
    throw new CommandError(
      'hub_missing',
      `opening the people in ${place}: there are none; set ${where} as the service has it, or start ` +
        'this version of it once with `lothub serve`',
    );
  }
  assertKnownSchema({ present, known }, `the database of people in ${place}`);
}
