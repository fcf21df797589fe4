// A service as a process serves it: it answers from the start, with what it can say while it is not open,
// and as itself once it is.
import type { DestinationStream } from 'pino';
import { SwitchedApp, type FrontedApp } from './front.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { UpgradeProgress } from '../upgrade.ts';

export interface ServedService {
  /** What answers now. */
  readonly app: FrontedApp;
  readonly log: ServedLog;
  /**
   * Opens everything that the service needs.
   * @returns the announcement that is made once, for the address where it listens
   * @throws the reason of `ServedOptions.signal` when that ended it
   */
  open(): Promise<Announce>;
  /** Ends what lasts as long as its reader wants, such as streams. */
  beginClose(): void;
  /** Ends the requests that wait for the database, and refuses all others, because the database does not answer. */
  abandon(): void;
  /** Closes the service and everything that it opened, also when opening has not ended. */
  close(): Promise<void>;
}

export type Announce = (address: string) => Announcement;

export interface Announcement {
  /** Fields of the one JSON object. */
  readonly json: object;
  readonly lines: readonly string[];
}

export interface ServedLog {
  info(text: string): void;
  warn(facts: { readonly connections_max: number }, text: string): void;
  error(facts: { readonly err: unknown }, text: string): void;
  fatal(facts: { readonly err: Error }, text: string): void;
}

export interface ServedOptions {
  readonly logStream: DestinationStream;
  /** Called when the service cannot continue. */
  readonly onFatal: (error: Error) => void;
  /** Called while the service upgrades what an older version stored. */
  readonly onUpgrade: (progress: UpgradeProgress) => void;
  /** The figures of the process; undefined when no token to read them is set. */
  readonly metrics: Metrics | undefined;
  /** Aborted when the process is to end: opening is ended. */
  readonly signal: AbortSignal;
}

/** What answers for a service that is not open yet. */
export interface StartingApp {
  readonly app: FrontedApp;
  readonly log: ServedLog;
  readonly onUpgrade: (progress: UpgradeProgress) => void;
  /** Once what was begun has been answered. */
  close(): Promise<void>;
}

/** As `ServedService`, once it is open. */
export interface OpenedService extends Pick<
  ServedService,
  'app' | 'beginClose' | 'abandon' | 'close'
> {
  readonly announcement: Announce;
}

/**
 * A service whose starting app answers until it is open.
 * @param parts.lock kept until all is closed
 * @param parts.open opens it with the given options; an upgrade is also reported to the starting app
 */
export function startService(
  options: ServedOptions,
  parts: {
    readonly lock: Disposable;
    readonly starting: StartingApp;
    readonly open: (options: ServedOptions) => Promise<OpenedService>;
  },
): ServedService {
  const { lock, starting, open } = parts;
  const onUpgrade = (progress: UpgradeProgress): void => {
    starting.onUpgrade(progress);
    options.onUpgrade(progress);
  };
  const app = new SwitchedApp(starting.app);
  let opened: OpenedService | undefined;
  return {
    app,
    log: starting.log,
    open: async () => {
      opened = await open({ ...options, onUpgrade });
      app.switchTo(opened.app);
      await starting.close();
      return opened.announcement;
    },
    beginClose: () => opened?.beginClose(),
    abandon: () => opened?.abandon(),
    close: async () => {
      using _held = lock;
      await starting.close();
      await opened?.close();
    },
  };
}
