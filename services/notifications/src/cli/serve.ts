// The service as a process serves it: its store locked against a second process, and what there is to
// say of it once it listens.
import { lockDataDir } from '@lothub/kit/cli/data-dir-lock';
import { explainedDatabaseError } from '@lothub/kit/cli/database-failure';
import type { Served, ServedOptions } from '@lothub/kit/cli/serve-until-stopped';
import type { App } from '../http.ts';
import { PAGES_PREFIX } from '../http.ts';
import type { Settings } from '../settings.ts';

const LOCK_FILE_NAME = 'notifications.lock';

export interface ServedNotifications extends Served {
  readonly app: App;
  readonly endStreams: () => void;
}

/**
 * Opens the service of the settings, and holds it until it is closed.
 * @throws CommandError `hub_in_use`, `file_unwritable`, `hub_unreachable`
 */
export async function openServedNotifications(
  settings: Settings,
  options: ServedOptions,
): Promise<ServedNotifications> {
  using opening = new DisposableStack();
  const { dataDir, databaseUrl } = settings;
  // On PostgreSQL any number of processes serve one store.
  if (databaseUrl === undefined) opening.use(lockDataDir(dataDir, LOCK_FILE_NAME));
  // Here and not at the top: commands that serve nothing start in half the time without it.
  const { openService } = await import('../server.ts');
  const service = await openService({ settings, ...options }).catch((error: unknown) => {
    throw explainedDatabaseError(error, {
      what: 'the notifications',
      databaseUrl,
      setting: 'NOTIFICATIONS_DATABASE_URL (or DATABASE_URL)',
    });
  });
  const { app, endStreams } = service;
  const lock = opening.move();
  return {
    app,
    endStreams,
    announcement: (address) => {
      const inbox = `${address}${PAGES_PREFIX}`;
      return { json: { inbox }, lines: ['Notifications:', '', `     ${inbox}`] };
    },
    close: async () => {
      using _held = lock;
      await service.close();
    },
  };
}
