// `lothub serve`: runs the service until it receives a signal to stop or cannot continue.
import type { ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { serveUntilStopped } from '@lothub/kit/cli/serve-until-stopped';
import { startService } from '@lothub/kit/serving/served-service';
import type {
  OpenedService,
  ServedOptions,
  ServedService,
} from '@lothub/kit/serving/served-service';
import { frontedApp } from '@lothub/kit/serving/front';
import { WITNESS_PATH, type ServedWitness } from '@lothub/witness/policy-lines';
import type { Output } from '@lothub/kit/cli/terminal';
import type { Command } from 'commander';
import { placeText } from '../ledger/operate/open-operated.ts';
import { reachableLink } from '@lothub/people/cli/set-up-lines';
import type { SharedPeople } from '@lothub/people/shared-people';
import type { Service } from '../server.ts';
import { readSettings, type Settings } from '../settings.ts';
import { VERSION } from '../version.ts';
import type { Inbox } from '../webhooks/inbox.ts';
import { lockHub } from './hub-lock.ts';
import { explained } from './operated-hub.ts';
import { bannerLines } from './serve-banner.ts';

export type { Inbox } from '../webhooks/inbox.ts';

export function addServe(program: Command, { output, finish }: Invocation): void {
  defineCommand(program, {
    name: 'serve',
    summary: 'run the service',
    description:
      'Runs the service. The first start makes the hub, in DATA_DIR or in DATABASE_URL, and prints\n' +
      'its keys once. Any number of services may run over one DATABASE_URL.\n' +
      'The log follows on standard output, one JSON object a line. Ctrl-C stops in order.',
    examples: ['PORT=8080 DATA_DIR=/var/lib/lothub lothub serve'],
  }).action(async () => finish(await serve(output)));
}

async function serve(output: Output): Promise<ExitCode> {
  const settings = readSettings(output.terminal.environment);
  const { host, port, connectionsMax, metricsToken } = settings;
  return await serveUntilStopped(output, {
    version: VERSION,
    host,
    port,
    connectionsMax,
    metricsToken,
    start: (options) => startHub(settings, options),
  });
}

/**
 * The hub of the settings, locked against a second process and not open yet.
 * @param people those of the process, which closes them after the hub; the hub opens its own without
 * @param inbox groups that the same process serves, as receivers of what happens; none without
 * @throws CommandError `hub_in_use`, `file_unwritable`
 */
export async function startHub(
  settings: Settings,
  options: ServedOptions,
  people?: SharedPeople,
  inbox?: Inbox,
): Promise<ServedService> {
  using opening = new DisposableStack();
  opening.use(lockHub(settings));
  // Imported here and not at the top: commands that serve nothing start in half the time without
  // it.
  const { openStartingApp } = await import('../starting.ts');
  const starting = await openStartingApp({ settings, logStream: options.logStream });
  return startService(options, {
    lock: opening.move(),
    starting,
    open: (served) => openServedHub(settings, served, { people, inbox }),
  });
}

/** The parts that the services of a process share. */
interface OfProcess {
  readonly people: SharedPeople | undefined;
  readonly inbox: Inbox | undefined;
}

/** @throws CommandError `hub_unreachable` */
async function openServedHub(
  settings: Settings,
  options: ServedOptions,
  { people: shared, inbox }: OfProcess,
): Promise<OpenedService> {
  const { openService } = await import('../server.ts');
  const open = async (): Promise<Service> => {
    const people = await shared?.open(options);
    return await openService({ settings, ...options, people, inbox });
  };
  const service = await open().catch((error: unknown) => {
    throw explained(error, settings);
  });
  const { dataDir, isPublicUrlSet, publicUrl } = settings;
  const { app, firstKeys, setupLink } = service;
  const witnessAt = (address: string): ServedWitness | undefined =>
    service.witness && {
      vkey: service.witness.key.vkey,
      prefix: `${isPublicUrlSet ? publicUrl : address}${WITNESS_PATH}`,
      logCount: service.witness.logCount,
    };
  const database = settings.databaseUrl === undefined ? undefined : placeText(settings);
  const keys = firstKeys.map(({ key, record }) => ({
    role: record.role,
    key,
    key_id: record.key_id,
  }));
  return {
    app: frontedApp(app),
    announcement: (address) => {
      const setUpUrl = setupLink && reachableLink(setupLink.url, { settings, address });
      return {
        json: {
          data_dir: dataDir,
          ...(database === undefined ? {} : { database }),
          keys,
          ...(setUpUrl === undefined ? {} : { set_up_link: setUpUrl }),
        },
        lines: bannerLines({
          ...{ address, dataDir, database, firstKeys, setUpUrl },
          witness: witnessAt(address),
        }),
      };
    },
    beginClose: () => undefined,
    abandon: () => service.abandon(),
    close: () => service.close(),
  };
}
