// The people of the notifications, as `lothub people` finds them where these are served, and the groups as
// places that they are in.
import { systemClock } from '@lothub/kit/clock';
import type { ReadOperatedSettings } from '@lothub/people/cli/people-program';
import type { People } from '@lothub/people/people';
import { PAGES_PREFIX } from '../http.ts';
import { readSettings, type Settings } from '../settings.ts';
import { assertOperable } from './operated-store.ts';

/** @throws SettingsError */
export const readInboxPeople: ReadOperatedSettings = (environment) => {
  const settings = readSettings(environment);
  const { dataDir, databaseUrl } = settings;
  return {
    settings,
    dataDir,
    databaseUrl,
    databaseSetting: 'NOTIFICATIONS_DATABASE_URL (or DATABASE_URL)',
    prefix: PAGES_PREFIX,
    openPlaces: (people) => openGroups(people, settings),
  };
};

/** @throws CommandError `hub_missing`, `hub_outdated`, `hub_unreachable` */
async function openGroups(people: People, settings: Settings): Promise<AsyncDisposable> {
  await assertOperable(settings);
  const [{ openStore }, { groupPlaces }] = await Promise.all([
    import('../store/open-store.ts'),
    import('../people/places/group-places.ts'),
  ]);
  const { dataDir, databaseUrl } = settings;
  const store = await openStore({
    dataDir,
    databaseUrl,
    clock: systemClock,
    // Whatever waits for an answer of the writer fails when the writer ends.
    onFatal: () => undefined,
  });
  people.places.add(groupPlaces({ store, clock: people.clock }));
  return store;
}
