// Both services behind the front in this process, and which of them each request has reached.
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { frontedApp, newFront, type Front, type FrontedApp } from '@lothub/kit/serving/front';
import { openService as openNotifications } from '@lothub/notifications/server';
import type { Service as Notifications } from '@lothub/notifications/server';
import { readSettings as readNotificationSettings } from '@lothub/notifications/settings';
import { openService as openHub, type Service as Hub } from '@lothub/traceability/server';
import { readSettings as readHubSettings } from '@lothub/traceability/settings';
import { openServedPeople } from '@lothub/people/served-people';
import { joinServices } from '../src/front.ts';
import { InboxOfProcess } from '../src/inbox.ts';

export type ServiceName = 'hub' | 'notifications';

export interface Fronted extends AsyncDisposable {
  readonly base: string;
  readonly front: Front;
  readonly hub: Hub;
  readonly notifications: Notifications;
  /** Which service each request has reached so far, in order. */
  readonly reached: readonly ServiceName[];
}

/** @param settings of both services, beside those that every test has */
export async function bootFronted(
  settings: Readonly<Record<string, string>> = {},
): Promise<Fronted> {
  await using opening = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'lothub-test-'));
  opening.defer(() => rm(dataDir, { recursive: true, force: true }));
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...settings };
  const fail = (error: Error): never => {
    throw error;
  };
  const inboxSettings = readNotificationSettings(env);
  const people = opening.use(
    await openServedPeople({
      settings: inboxSettings,
      databaseUrl: undefined,
      log: { warn: () => undefined },
      onFatal: fail,
    }),
  );
  const inbox = new InboxOfProcess();
  const hub = opening.use(
    await openHub({ settings: readHubSettings(env), onFatal: fail, people, inbox }),
  );
  const notifications = opening.use(
    await openNotifications({ settings: inboxSettings, onFatal: fail, people }),
  );
  inbox.opened(notifications.posting);
  const reached: ServiceName[] = [];
  const noting = (app: FrontedApp, name: ServiceName): FrontedApp => ({
    timeouts: app.timeouts,
    refuseMalformed: (error, socket) => app.refuseMalformed(error, socket),
    routing: (request: IncomingMessage, response: ServerResponse) => {
      reached.push(name);
      app.routing(request, response);
    },
  });
  const front = newFront(
    joinServices({
      hub: noting(frontedApp(hub.app), 'hub'),
      notifications: noting(frontedApp(notifications.app), 'notifications'),
    }),
    { onClose: notifications.beginClose },
  );
  opening.defer(() => front.close());
  const base = await front.listen({ host: '127.0.0.1', port: 0 });
  const opened = opening.move();
  return {
    base,
    front,
    hub,
    notifications,
    reached,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
