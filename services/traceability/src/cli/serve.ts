// `lothub serve`: runs the service until it is asked to stop or cannot go on.
import { systemClock } from '@lothub/kit/clock';
import { StopSignals, closeWithin, listen } from '@lothub/kit/lifecycle';
import type { Command } from 'commander';
import type { DestinationStream } from 'pino';
import type { Service } from '../server.ts';
import { readSettings } from '../settings.ts';
import { EXIT } from './command-error.ts';
import type { ExitCode } from './command-error.ts';
import { placeText } from '../ledger/open-operated.ts';
import type { LedgerPlace } from '../ledger/operated-database.ts';
import { lockHub } from './data-dir-lock.ts';
import { defineCommand } from './define-command.ts';
import type { Invocation } from './define-command.ts';
import { explained } from './operated-hub.ts';
import { bannerText } from './serve-banner.ts';
import { answer } from './terminal.ts';
import type { Output } from './terminal.ts';

/** How long requests that were begun may take to finish after a signal. Docker kills after 10 s. */
const STOP_GRACE_MS = 8_000;

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
  using _lock = lockHub(settings);
  using stop = new StopSignals({ clock: systemClock });
  const log = new HeldLog(output.terminal.stdout);
  const failed = Promise.withResolvers<Error>();
  try {
    // Here and not at the top: commands that serve nothing start in half the time without it.
    const { openService } = await import('../server.ts');
    const service = await openService({
      settings,
      logStream: log,
      onFatal: failed.resolve,
    }).catch((error: unknown) => {
      throw explained(error, settings);
    });
    try {
      const address = await listen(service.app, settings);
      await announce(output, { service, address, place: settings });
      log.release();
      const end = await Promise.race([failed.promise, whenAborted(stop.signal)]);
      return endOf(service, end);
    } finally {
      await closeWithin(service.app, { graceMs: STOP_GRACE_MS, close: () => service.close() });
    }
  } finally {
    log.release();
  }
}

function endOf(service: Service, end: Error | 'stop'): ExitCode {
  if (end === 'stop') {
    service.app.log.info('stopping: requests that were begun are finished first');
    return EXIT.ok;
  }
  service.app.log.fatal({ err: end }, 'the service cannot go on');
  return EXIT.failed;
}

async function announce(
  output: Output,
  started: { readonly service: Service; readonly address: string; readonly place: LedgerPlace },
): Promise<void> {
  const { service, address, place } = started;
  const { dataDir } = place;
  const database = place.databaseUrl === undefined ? undefined : placeText(place);
  const keys = service.firstKeys.map(({ key, record }) => ({
    role: record.role,
    key,
    key_id: record.key_id,
  }));
  await answer(output, {
    json: {
      ok: true,
      address,
      data_dir: dataDir,
      ...(database === undefined ? {} : { database }),
      keys,
    },
    text: bannerText({ address, dataDir, database, firstKeys: service.firstKeys }),
  });
}

async function whenAborted(signal: AbortSignal): Promise<'stop'> {
  if (!signal.aborted) {
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
  return 'stop';
}

/** Holds the log back until the banner is out, so that nobody has to look for the keys in it. */
class HeldLog implements DestinationStream {
  readonly #stream: NodeJS.WritableStream;
  #held: string[] | undefined = [];

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
    // When whoever read the log is gone, the log ends and the service goes on.
    stream.on('error', () => {
      this.write = (): void => undefined;
    });
  }

  write(line: string): void {
    if (this.#held === undefined) this.#stream.write(line);
    else this.#held.push(line);
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const line of held) this.write(line);
  }
}
