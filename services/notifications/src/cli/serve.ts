// The service as a process serves it: its store locked against a second process, and what there is to
// say of it once it listens.
import { lockDataDir } from '@lothub/kit/cli/data-dir-lock';
import { explainedDatabaseError } from '@lothub/kit/cli/database-failure';
import { startService } from '@lothub/kit/serving/served-service';
import type {
  OpenedService,
  ServedOptions,
  ServedService,
} from '@lothub/kit/serving/served-service';
import { frontedApp } from '@lothub/kit/serving/front';
import { databasePlace } from '@lothub/kit/postgres/database-place';
import { PAGES_PREFIX } from '../http.ts';
import { reachableLink, setUpLines } from '@lothub/people/cli/set-up-lines';
import type { SharedPeople } from '@lothub/people/shared-people';
import type { PostingByKey } from '../keys/posting-by-key.ts';
import type { Service } from '../server.ts';
import type { Settings } from '../settings.ts';

const LOCK_FILE_NAME = 'notifications.lock';

/**
 * The service of the settings, locked against a second process and not open yet.
 * @param people those of the process, which closes them after the service; the service opens its own without
 * @param onOpen called once it is open, with the way in which another service of the process posts into groups
 * @throws CommandError `hub_in_use`, `file_unwritable`
 */
export async function startNotifications(
  settings: Settings,
  options: ServedOptions,
  people?: SharedPeople,
  onOpen?: (posting: PostingByKey) => void,
): Promise<ServedService> {
  using opening = new DisposableStack();
  const { dataDir, databaseUrl } = settings;
  // On PostgreSQL any number of processes serve one store.
  if (databaseUrl === undefined) opening.use(lockDataDir(dataDir, LOCK_FILE_NAME));
  // Here and not at the top: commands that serve nothing start in half the time without it.
  const { openStartingApp } = await import('../starting.ts');
  const starting = await openStartingApp({ settings, logStream: options.logStream });
  return startService(options, {
    lock: opening.move(),
    starting,
    open: async (served) => {
      const { opened, posting } = await openServedNotifications(settings, served, people);
      onOpen?.(posting);
      return opened;
    },
  });
}

/** @throws CommandError `hub_unreachable` */
async function openServedNotifications(
  settings: Settings,
  options: ServedOptions,
  shared: SharedPeople | undefined,
): Promise<{ readonly opened: OpenedService; readonly posting: PostingByKey }> {
  const { dataDir, databaseUrl } = settings;
  const { openService } = await import('../server.ts');
  const open = async (): Promise<Service> => {
    const people = await shared?.open(options);
    return await openService({ settings, ...options, people });
  };
  const service = await open().catch((error: unknown) => {
    throw explainedDatabaseError(error, {
      what: 'the notifications',
      databaseUrl,
      setting: 'NOTIFICATIONS_DATABASE_URL (or DATABASE_URL)',
    });
  });
  const { app, beginClose, posting, setupLink } = service;
  const place = databaseUrl === undefined ? dataDir : databasePlace(databaseUrl);
  const opened: OpenedService = {
    app: frontedApp(app),
    beginClose,
    announcement: (address) => {
      const inbox = `${address}${PAGES_PREFIX}`;
      const setUpUrl = setupLink && reachableLink(setupLink.url, { settings, address });
      return {
        json: { inbox, ...(setUpUrl === undefined ? {} : { set_up_link: setUpUrl }) },
        lines: bannerLines({ place, inbox, setUpUrl }),
      };
    },
    abandon: () => {
      service.store.abandon?.();
      service.people.abandon();
    },
    close: () => service.close(),
  };
  return { opened, posting };
}

function bannerLines(facts: {
  readonly place: string;
  readonly inbox: string;
  readonly setUpUrl: string | undefined;
}): readonly string[] {
  const { place, inbox, setUpUrl } = facts;
  return [
    `Notifications are kept in ${place} and read at`,
    '',
    `     ${inbox}`,
    ...(setUpUrl === undefined ? [] : ['', ...setUpLines(setUpUrl)]),
  ];
}
