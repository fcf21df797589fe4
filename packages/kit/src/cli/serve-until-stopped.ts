// The life of a process that serves: opens what it serves, listens, says so, and closes in order when it
// is asked to stop or cannot go on.
import type { Server } from 'node:http';
import type { DestinationStream } from 'pino';
import { systemClock } from '../clock.ts';
import { limitConnections } from '../http/connection-limit.ts';
import type { LimitNews } from '../http/connection-limit.ts';
import { connectionsMaxOf, descriptorLimit } from '../connections-max.ts';
import { StopSignals, closeWithin, listen, whenAborted } from '../lifecycle.ts';
import type { ListeningApp } from '../lifecycle.ts';
import { bannerText } from './banner.ts';
import { EXIT } from './command-error.ts';
import type { ExitCode } from './command-error.ts';
import { HeldLog } from './held-log.ts';
import { answer } from './terminal.ts';
import type { Output } from './terminal.ts';

/** How long requests that were begun may take to finish after a signal. Docker kills after 10 s. */
const STOP_GRACE_MS = 8_000;
/**
 * How long a database is waited for after a signal. What waited for it is answered before the grace
 * ends, and what is closed one after the other needs a second or two.
 */
const DATABASE_GRACE_MS = 6_000;

/** Between two lines of the log that say that connections are at their limit. */
const LIMIT_LOG_EVERY_MS = 60_000;

/** A service that is opened for serving and does not listen yet. */
export interface Served {
  readonly app: ListeningApp & { readonly server: Server; readonly log: ServedLog };
  /** What it has to say once, when it listens at that address. */
  readonly announcement: (address: string) => Announcement;
  /** Ends what waits for the database, and refuses whatever comes: it does not answer. */
  readonly abandon: () => void;
  /** Ends the app and all it stands on. */
  readonly close: () => Promise<void>;
}

export interface Announcement {
  /** Fields of the one JSON object. */
  readonly json: object;
  readonly lines: readonly string[];
}

export interface ServedLog {
  info(text: string): void;
  warn(facts: { readonly connections_max: number }, text: string): void;
  fatal(facts: { readonly err: Error }, text: string): void;
}

export interface ServedOptions {
  readonly logStream: DestinationStream;
  /** Called when it cannot go on. */
  readonly onFatal: (error: Error) => void;
}

/**
 * Serves until a signal asks to stop, or until it cannot go on.
 *
 * @returns the code to end the process with
 * @throws ListenError, SettingsError when the connections do not fit into the descriptors of the process,
 *   and whatever `open` throws
 */
export async function serveUntilStopped(
  output: Output,
  service: {
    readonly version: string;
    readonly host: string;
    readonly port: number;
    readonly connectionsMax: number | undefined;
    readonly open: (options: ServedOptions) => Promise<Served>;
  },
): Promise<ExitCode> {
  const connectionsMax = connectionsMaxOf(service.connectionsMax, descriptorLimit());
  using stop = new StopSignals({ clock: systemClock });
  const log = new HeldLog(output.terminal.stdout);
  const failed = Promise.withResolvers<Error>();
  try {
    const served = await service.open({ logStream: log, onFatal: failed.resolve });
    try {
      limitConnections(served.app.server, {
        max: connectionsMax,
        onReached: limitLog(served.app.log, connectionsMax),
      });
      const address = await listen(served.app, service);
      await announce(output, { address, version: service.version, served });
      log.release();
      return endOf(served, await Promise.race([failed.promise, whenAborted(stop.signal)]));
    } finally {
      using _patience = timeout(served.abandon, DATABASE_GRACE_MS);
      await closeWithin(served.app, { graceMs: STOP_GRACE_MS, close: served.close });
    }
  } finally {
    log.release();
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
  started: { readonly address: string; readonly version: string; readonly served: Served },
): Promise<void> {
  const { address, version, served } = started;
  const { json, lines } = served.announcement(address);
  await answer(output, {
    json: { ok: true, address, ...json },
    text: bannerText({ version, address, lines }),
  });
}

function endOf({ app: { log } }: Served, end: Error | 'aborted'): ExitCode {
  if (end === 'aborted') {
    log.info('stopping: requests that were begun are finished first');
    return EXIT.ok;
  }
  log.fatal({ err: end }, 'the service cannot go on');
  return EXIT.failed;
}
