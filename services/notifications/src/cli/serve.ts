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
import type { Settings } from '../settings.ts';

const LOCK_FILE_NAME = 'notifications.lock';

/**
 * The service of the settings, locked against a second process and not open yet.
 * @throws CommandError `hub_in_use`, `file_unwritable`
 */
export async function startNotifications(
  settings: Settings,
  options: ServedOptions,
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
    open: (served) => openServedNotifications(settings, served),
  });
}

/** @throws CommandError `hub_unreachable` */
async function openServedNotifications(
  settings: Settings,
  options: ServedOptions,
): Promise<OpenedService> {
  const { dataDir, databaseUrl } = settings;
  const { openService } = await import('../server.ts');
  const service = await openService({ settings, ...options }).catch((error: unknown) => {
    throw explainedDatabaseError(error, {
      what: 'the notifications',
      databaseUrl,
      setting: 'NOTIFICATIONS_DATABASE_URL (or DATABASE_URL)',
    });
  });
  const { app, beginClose, setupLink } = service;
  const place = databaseUrl === undefined ? dataDir : databasePlace(databaseUrl);
  return {
    app: frontedApp(app),
    beginClose,
    announcement: (address) => {
      const inbox = `${address}${PAGES_PREFIX}`;
      const setUpUrl =
        setupLink === undefined ? undefined : reachable(setupLink.url, { settings, address });
      return {
        json: { inbox, ...(setUpUrl === undefined ? {} : { set_up_link: setUpUrl }) },
        lines: bannerLines({ place, inbox, setUpUrl }),
      };
    },
    abandon: () => service.store.abandon?.(),
    close: () => service.close(),
  };
}

function bannerLines(facts: {
  readonly place: string;
  readonly inbox: string;
  readonly setUpUrl: string | undefined;
}): readonly string[] {
  const { place, inbox, setUpUrl } = facts;
  const setUpLines = [
    '',
    'Nobody has an account yet. This link makes the first one, once and within 24 hours:',
    '',
    `     ${setUpUrl}`,
  ];
  return [
    `Notifications are kept in ${place} and read at`,
    '',
    `     ${inbox}`,
    ...(setUpUrl === undefined ? [] : setUpLines),
  ];
}

/** Where nobody has said how the world reaches the service, the address that it listens on is right. */
function reachable(
  url: string,
  {
    settings: { host, port, publicUrl },
    address,
  }: { readonly settings: Settings; readonly address: string },
): string {
  const isGiven = publicUrl !== `http://${host}:${port}`;
  return isGiven ? url : `${address}${url.slice(publicUrl.length)}`;
}
