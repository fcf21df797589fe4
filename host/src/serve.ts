// `lothub serve`: both services in one process and on one port, or one of them alone.
import type { ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { serveUntilStopped } from '@lothub/kit/cli/serve-until-stopped';
import type { Announce, ServedOptions, ServedService } from '@lothub/kit/serving/served-service';
import type { Output } from '@lothub/kit/cli/terminal';
import { startNotifications } from '@lothub/notifications/cli/serve';
import { startHub } from '@lothub/traceability/cli/serve';
import { SharedPeople } from '@lothub/people/shared-people';
import type { Command } from 'commander';
import { joinServices } from './front.ts';
import { InboxOfProcess } from './inbox.ts';
import { readSettings, type Settings } from './settings.ts';
import { VERSION } from './version.ts';

/** The command that serves. */
export const SERVE = 'serve';

export function addServe(program: Command, { output, finish }: Invocation): void {
  defineCommand(program, {
    name: SERVE,
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
  const { host, port, connectionsMax, metricsToken } =
    'hub' in settings ? settings.hub : settings.notifications;
  return await serveUntilStopped(output, {
    version: VERSION,
    host,
    port,
    connectionsMax,
    metricsToken,
    start: (options) => startServices(settings, options),
  });
}

async function startServices(settings: Settings, options: ServedOptions): Promise<ServedService> {
  switch (settings.services) {
    case 'traceability':
      return await startHub(settings.hub, options);
    case 'notifications':
      return await startNotifications(settings.notifications, options);
    case 'both':
      return await startBoth(settings, options);
  }
}

async function startBoth(
  settings: Extract<Settings, { services: 'both' }>,
  options: ServedOptions,
): Promise<ServedService> {
  // Whatever was started is closed in reverse: at the end, or when starting fails.
  await using starting = new AsyncDisposableStack();
  // They are where the notifications are, whose queries read them.
  const people = starting.use(
    new SharedPeople({
      settings: settings.notifications,
      databaseUrl: settings.notifications.databaseUrl,
    }),
  );
  const inbox = new InboxOfProcess();
  const hub = await startHub(settings.hub, options, people, inbox);
  starting.defer(() => hub.close());
  const notifications = await startNotifications(
    settings.notifications,
    options,
    people,
    (posting) => inbox.opened(posting),
  );
  starting.defer(() => notifications.close());
  const started = starting.move();
  return {
    app: joinServices({ hub: hub.app, notifications: notifications.app }),
    log: hub.log,
    open: () => openBoth({ hub, notifications }),
    beginClose: () => {
      hub.beginClose();
      notifications.beginClose();
    },
    abandon: () => {
      hub.abandon();
      notifications.abandon();
      people.abandon();
    },
    close: () => started.disposeAsync(),
  };
}

/**
 * The notifications first: they are served while the hub upgrades its rows, and keys that a first start
 * of the hub makes are printed soon after.
 */
async function openBoth(services: {
  readonly hub: ServedService;
  readonly notifications: ServedService;
}): Promise<Announce> {
  const announceNotifications = await services.notifications.open();
  const announceHub = await services.hub.open();
  return (address) => {
    const [ofHub, ofNotifications] = [announceHub(address), announceNotifications(address)];
    return {
      json: { ...ofHub.json, ...ofNotifications.json },
      lines: [...ofHub.lines, '', ...ofNotifications.lines],
    };
  };
}
