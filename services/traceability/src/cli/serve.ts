// `lothub serve`: runs the service until it is asked to stop or cannot go on.
import type { ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand } from '@lothub/kit/cli/define-command';
import type { Invocation } from '@lothub/kit/cli/define-command';
import { serveUntilStopped } from '@lothub/kit/cli/serve-until-stopped';
import type { Served, ServedOptions } from '@lothub/kit/cli/serve-until-stopped';
import type { Output } from '@lothub/kit/cli/terminal';
import type { Command } from 'commander';
import { placeText } from '../ledger/operate/open-operated.ts';
import type { App } from '../http.ts';
import { readSettings } from '../settings.ts';
import type { Settings } from '../settings.ts';
import { VERSION } from '../version.ts';
import { lockHub } from './hub-lock.ts';
import { explained } from './operated-hub.ts';
import { bannerLines } from './serve-banner.ts';

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
  const { host, port, connectionsMax } = settings;
  return await serveUntilStopped(output, {
    version: VERSION,
    host,
    port,
    connectionsMax,
    open: (options) => openServedHub(settings, options),
  });
}

/**
 * Opens the hub of the settings for serving, and holds it until it is closed.
 * @throws CommandError `hub_in_use`, `file_unwritable`, `hub_unreachable`
 */
export async function openServedHub(
  settings: Settings,
  options: ServedOptions,
): Promise<Served & { readonly app: App }> {
  using opening = new DisposableStack();
  opening.use(lockHub(settings));
  // Here and not at the top: commands that serve nothing start in half the time without it.
  const { openService } = await import('../server.ts');
  const service = await openService({ settings, ...options }).catch((error: unknown) => {
    throw explained(error, settings);
  });
  const { dataDir } = settings;
  const { app, firstKeys } = service;
  const database = settings.databaseUrl === undefined ? undefined : placeText(settings);
  const keys = firstKeys.map(({ key, record }) => ({
    role: record.role,
    key,
    key_id: record.key_id,
  }));
  const lock = opening.move();
  return {
    app,
    announcement: (address) => ({
      json: { data_dir: dataDir, ...(database === undefined ? {} : { database }), keys },
      lines: bannerLines({ address, dataDir, database, firstKeys }),
    }),
    abandon: () => service.abandon(),
    close: async () => {
      using _held = lock;
      await service.close();
    },
  };
}
