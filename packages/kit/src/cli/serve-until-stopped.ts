// The life of a process that serves: opens what it serves, listens, says so, and closes in order when it
// is asked to stop or cannot go on.
import type { DestinationStream } from 'pino';
import { systemClock } from '../clock.ts';
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

/** A service that is opened for serving and does not listen yet. */
export interface Served {
  readonly app: ListeningApp & { readonly log: ServedLog };
  /** What it has to say once, when it listens at that address. */
  readonly announcement: (address: string) => Announcement;
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
 * @throws ListenError, and whatever `open` throws
 */
export async function serveUntilStopped(
  output: Output,
  service: {
    readonly version: string;
    readonly host: string;
    readonly port: number;
    readonly open: (options: ServedOptions) => Promise<Served>;
  },
): Promise<ExitCode> {
  using stop = new StopSignals({ clock: systemClock });
  const log = new HeldLog(output.terminal.stdout);
  const failed = Promise.withResolvers<Error>();
  try {
    const served = await service.open({ logStream: log, onFatal: failed.resolve });
    try {
      const address = await listen(served.app, service);
      await announce(output, { address, version: service.version, served });
      log.release();
      return endOf(served, await Promise.race([failed.promise, whenAborted(stop.signal)]));
    } finally {
      await closeWithin(served.app, { graceMs: STOP_GRACE_MS, close: served.close });
    }
  } finally {
    log.release();
  }
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
