// `lothub serve`: both services in one process and on one port, or one of them alone.
import type { ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand } from '@lothub/kit/cli/define-command';
import type { Invocation } from '@lothub/kit/cli/define-command';
import { serveUntilStopped } from '@lothub/kit/cli/serve-until-stopped';
import type { Served, ServedOptions } from '@lothub/kit/cli/serve-until-stopped';
import type { Output } from '@lothub/kit/cli/terminal';
import { openServedNotifications } from '@lothub/notifications/cli/serve';
import { openServedHub } from '@lothub/traceability/cli/serve';
import type { Command } from 'commander';
import { newFront } from './front.ts';
import { readSettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { VERSION } from './version.ts';

export function addServe(program: Command, { output, finish }: Invocation): void {
  defineCommand(program, {
    name: 'serve',
    summary: 'run the services',
    description:
      'Runs both services on one port, or with SERVICES=traceability or SERVICES=notifications one of\n' +
      'them. The first start makes the hub, in DATA_DIR or in DATABASE_URL, and prints its keys and the\n' +
      'set-up link of the notifications once. Any number of processes may run over one DATABASE_URL.\n' +
      'The log follows on standard output, one JSON object a line. Ctrl-C stops in order.',
    examples: [
      'PORT=8080 DATA_DIR=/var/lib/lothub lothub serve',
      'SERVICES=traceability lothub serve',
    ],
  }).action(async () => finish(await serve(output)));
}

async function serve(output: Output): Promise<ExitCode> {
  const settings = readSettings(output.terminal.environment);
  const { host, port, connectionsMax } = 'hub' in settings ? settings.hub : settings.notifications;
  return await serveUntilStopped(output, {
    version: VERSION,
    host,
    port,
    connectionsMax,
    open: (options) => openServices(settings, options),
  });
}

async function openServices(settings: Settings, options: ServedOptions): Promise<Served> {
  switch (settings.services) {
    case 'traceability':
      return await openServedHub(settings.hub, options);
    case 'notifications':
      return await openServedNotifications(settings.notifications, options);
    case 'both':
      return await openBoth(settings, options);
  }
}

async function openBoth(
  settings: Extract<Settings, { services: 'both' }>,
  options: ServedOptions,
): Promise<Served> {
  // Whatever was opened is closed in reverse: at the end, or when opening fails.
  await using opening = new AsyncDisposableStack();
  const hub = await openServedHub(settings.hub, options);
  opening.defer(hub.close);
  const notifications = await openServedNotifications(settings.notifications, options);
  opening.defer(notifications.close);
  const front = newFront({
    hub: hub.app,
    notifications: notifications.app,
    onClose: notifications.beginClose,
  });
  // First of all: requests that were begun need both services to be there.
  opening.defer(() => front.close());
  const opened = opening.move();
  return {
    app: front,
    announcement: (address) => {
      const [ofHub, ofNotifications] = [
        hub.announcement(address),
        notifications.announcement(address),
      ];
      return {
        json: { ...ofHub.json, ...ofNotifications.json },
        lines: [...ofHub.lines, '', ...ofNotifications.lines],
      };
    },
    abandon: () => {
      hub.abandon();
      notifications.abandon();
    },
    close: () => opened.disposeAsync(),
  };
}
