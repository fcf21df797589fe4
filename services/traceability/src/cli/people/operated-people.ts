// The people of a hub, as `lothub people` finds them where the hub is served alone.
import type { ReadOperatedSettings } from '@lothub/people/cli/people-program';
import { CONSOLE } from '../../console/paths.ts';
import { readSettings } from '../../settings.ts';

/** @throws SettingsError */
export const readHubPeople: ReadOperatedSettings = (environment) => {
  const settings = readSettings(environment);
  const { dataDir, databaseUrl } = settings;
  return {
    settings,
    dataDir,
    databaseUrl,
    databaseSetting: 'DATABASE_URL',
    prefix: CONSOLE,
    // Brands and the hub itself are places of the people already.
    openPlaces: () => Promise.resolve(new AsyncDisposableStack()),
  };
};
