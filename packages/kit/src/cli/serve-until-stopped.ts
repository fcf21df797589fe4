// The life of a process that serves: listens, opens its services, reports that, and closes in order when it
// gets a signal to stop or cannot continue.
import { flushCompileCache } from 'node:module';
import type { DestinationStream } from 'pino';
import { systemClock } from '../clock.ts';
import { limitConnections, type LimitNews } from '../http/connection-limit.ts';
import { newFront } from '../serving/front.ts';
import { chooseConnectionsMax, descriptorLimit } from '../serving/connections-max.ts';
import { StopSignals, closeWithin, listen, whenAborted } from '../lifecycle.ts';
import { EXIT, type ExitCode } from './command-error.ts';
import { watchConnections } from '../metrics/connection-figures.ts';
import { withMetrics } from '../metrics/metrics-endpoint.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type {
  Announce,
  ServedLog,
  ServedOptions,
  ServedService,
} from '../serving/served-service.ts';
import { showUpgrade } from './show-upgrade.ts';
import { answer, type Output } from './terminal.ts';

/** How long requests that were begun may take to finish after a signal. Docker kills after 10 s. */
const STOP_GRACE_MS = 8_000;
/**
 * How long a database is waited for after a signal. What waited for it is answered before the grace
 * ends, and what is closed one after the other needs a second or two.
 */
const DATABASE_GRACE_MS = 6_000;

/** Between two lines of the log that say that connections are at their limit. */
const LIMIT_LOG_EVERY_MS = 60_000;

/**
 * Listens, opens the service, and serves until a signal to stop, or until it cannot continue.
 *
 * @returns the code to end the process with
 * @throws ListenError, SettingsError when the connections do not fit into the descriptors of the process,
 *   and whatever `start` or opening throws
 */
export async function serveUntilStopped(
  output: Output,
  service: {
    readonly version: string;
    readonly host: string;
    readonly port: number;
    readonly connectionsMax: number | undefined;
    readonly metricsToken: string | undefined;
    readonly start: (options: ServedOptions) => Promise<ServedService>;
  },
): Promise<ExitCode> {
  const connectionsMax = chooseConnectionsMax(service.connectionsMax, descriptorLimit());
  using stop = new StopSignals({ clock: systemClock });
  const log = new HeldLog(output.terminal.stdout);
  const failed = Promise.withResolvers<Error>();
  try {
    using progress = showUpgrade(output);
    const metrics = await openMetrics(service);
    const started = await service.start({
      logStream: log,
      onFatal: failed.resolve,
      onUpgrade: (upgrade) => {
        // It takes minutes, in which other services of the process may have something to log.
        log.release();
        progress.update(upgrade);
      },
      signal: stop.signal,
      metrics,
    });
    const { metricsToken: token } = service;
    const app =
      metrics === undefined || token === undefined
        ? started.app
        : withMetrics(started.app, {
            metrics,
            token,
            onError: (err) => started.log.error({ err }, 'collecting the figures failed'),
          });
    const front = newFront(app, { onClose: () => started.beginClose() });
    try {
      const onLimited =
        metrics && watchConnections(metrics, { server: front.server, max: connectionsMax });
      const logLimited = limitLog(started.log, connectionsMax);
      limitConnections(front.server, {
        max: connectionsMax,
        onReached: (news) => {
          onLimited?.(news);
          logLimited(news);
        },
      });
      const address = await listen(front, service);
      const announcement = await openUnlessStopped(started, stop.signal);
      progress[Symbol.dispose]();
      if (announcement !== undefined) {
        await announce(output, { address, version: service.version, announcement });
        // Now and not at the end, which a killed process does not reach; what was read of it is let go: 10 ms, and
        // 100 ms of a first start.
        flushCompileCache();
      }
      log.release();
      return reportEnd(started, await Promise.race([failed.promise, whenAborted(stop.signal)]));
    } finally {
      using _patience = timeout(() => started.abandon(), DATABASE_GRACE_MS);
      await closeWithin(front, {
        graceMs: STOP_GRACE_MS,
        close: async () => {
          // The front first: requests that were begun need the service to be there.
          await front.close();
          await started.close();
        },
      });
    }
  } finally {
    log.release();
  }
}

/** @returns undefined without a token to read the figures; then the code that collects them is not loaded */
async function openMetrics(service: {
  readonly version: string;
  readonly metricsToken: string | undefined;
}): Promise<Metrics | undefined> {
  if (service.metricsToken === undefined) return undefined;
  const { Metrics } = await import('../metrics/metrics.ts');
  return new Metrics({ version: service.version });
}

/** @returns undefined when the process was asked to stop meanwhile: what was begun is undone then */
async function openUnlessStopped(
  started: ServedService,
  signal: AbortSignal,
): Promise<Announce | undefined> {
  try {
    return await started.open();
  } catch (error) {
    // Whatever else it met on its way to the end is no reason to call the end a failure.
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** Logs the first news, and then once in a while as long as there are any. */
function limitLog(log: ServedLog, connectionsMax: number): (news: LimitNews) => void {
  const dueMs: Record<LimitNews, number> = { evicted: 0, refused: 0 };
  return (news) => {
    const nowMs = performance.now();
    if (nowMs < dueMs[news]) return;
    dueMs[news] = nowMs + LIMIT_LOG_EVERY_MS;
    log.warn({ connections_max: connectionsMax }, LIMIT_TEXTS[news]);
  };
}

const LIMIT_TEXTS: Readonly<Record<LimitNews, string>> = {
  evicted: 'connections are at MAX_CONNECTIONS: idle ones and streams make room for new ones',
  refused: 'connections are at MAX_CONNECTIONS and none is idle: new ones are refused',
};

function timeout(work: () => void, ms: number): Disposable {
  const timer = setTimeout(work, ms);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

async function announce(
  output: Output,
  started: {
    readonly address: string;
    readonly version: string;
    readonly announcement: Announce;
  },
): Promise<void> {
  const { address, version, announcement } = started;
  const { json, lines } = announcement(address);
  await answer(output, {
    json: { ok: true, address, ...json },
    text: bannerText({ version, address, lines }),
  });
}

function reportEnd({ log }: ServedService, end: Error | 'aborted'): ExitCode {
  if (end === 'aborted') {
    log.info('stopping: requests that were begun are finished first');
    return EXIT.ok;
  }
  log.fatal({ err: end }, 'the service cannot go on');
  return EXIT.failed;
}

/** @param facts.lines what there is to see and to try, line by line */
function bannerText(facts: {
  readonly version: string;
  readonly address: string;
  readonly lines: readonly string[];
}): string {
  return [
    `Lothub ${facts.version} is listening on ${facts.address}`,
    ...facts.lines,
    '',
    'Ctrl-C stops the service. Its log follows.',
    '',
  ].join('\n');
}

/** Holds the log back until the banner is written, so that the keys in the banner are easy to find. */
class HeldLog implements DestinationStream {
  readonly #stream: NodeJS.WritableStream;
  #held: string[] | undefined = [];

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
    // When the reader of the log is gone, the log ends and the service continues.
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
