// How a process of ours begins to listen and how it ends: plain words for an address that cannot be
// had, an orderly stop on the first signal and an abrupt one on the second.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** What asks a process to stop; the terminal sends the first, supervisors the second. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * A signal so soon after the first is the same request: Ctrl-C reaches every process of a terminal,
 * and npm and our start script pass theirs on besides.
 */
const REPEAT_MIN_MS = 1_000;

/** Why `StopSignals.signal` is aborted. */
export class StopRequested extends Error {
  readonly code = 'stop_requested';
  readonly signalName: NodeJS.Signals;

  constructor(signalName: NodeJS.Signals) {
    super(`stopped by ${signalName}`);
    this.name = 'StopRequested';
    this.signalName = signalName;
  }
}

/**
 * Turns signals into a request to stop. The first one aborts `signal`; another one, a second or more
 * later, ends the process at once in the way it would have without us.
 */
export class StopSignals implements Disposable {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #listeners = new Map<NodeJS.Signals, () => void>();
  #firstMs = 0;

  constructor(options: { readonly clock: Clock }) {
    this.#clock = options.clock;
    for (const name of STOP_SIGNALS) {
      const listener = (): void => this.#receive(name);
      this.#listeners.set(name, listener);
      process.on(name, listener);
    }
  }

  /** Aborted, with a StopRequested as its reason, once the process has been asked to stop. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  #receive(name: NodeJS.Signals): void {
    if (!this.signal.aborted) {
      this.#firstMs = this.#clock.nowMs();
      this.#controller.abort(new StopRequested(name));
      return;
    }
    if (this.#clock.nowMs() - this.#firstMs < REPEAT_MIN_MS) return;
    this[Symbol.dispose]();
    process.kill(process.pid, name);
  }

  [Symbol.dispose](): void {
    for (const [name, listener] of this.#listeners) process.off(name, listener);
    this.#listeners.clear();
  }
}

/** Resolves once the signal is aborted. */
export async function whenAborted(signal: AbortSignal): Promise<'aborted'> {
  if (!signal.aborted) {
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
  return 'aborted';
}

/** What `listen` and `closeWithin` need of a Fastify app. */
export interface ListeningApp {
  listen(options: { readonly host: string; readonly port: number }): Promise<string>;
  readonly server: { closeAllConnections(): void };
}

/** The address asked for cannot be listened on. */
export class ListenError extends Error {
  readonly code = 'listen_failed';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ListenError';
  }
}

/** What an operator can do, by the code of the operating system. */
const LISTEN_ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there already; stop it, or set PORT to a free one',
  EACCES: 'this user may not listen there; set PORT to 1024 or above',
  EADDRNOTAVAIL: 'this machine has no such address; set HOST to one it has, or to 0.0.0.0 for all',
  ENOTFOUND: 'no address is known for that name; set HOST to an address of this machine',
};

/**
 * Listens, and answers the address as clients reach it, such as `http://127.0.0.1:8000`.
 * @throws ListenError saying in plain words why the address cannot be had
 */
export async function listen(
  app: ListeningApp,
  place: { readonly host: string; readonly port: number },
): Promise<string> {
  try {
    return await app.listen({ host: place.host, port: place.port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const advice = LISTEN_ADVICE[code] ?? String(error);
    throw new ListenError(`listening on ${place.host} port ${place.port}: ${advice}`, {
      cause: error,
    });
  }
}

/**
 * Lets `close` finish what was begun; connections still open after `graceMs` are cut, so that one
 * slow client cannot keep the process from ending.
 */
export async function closeWithin(
  app: ListeningApp,
  options: { readonly graceMs: number; readonly close: () => Promise<void> },
): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), options.graceMs);
  try {
    await options.close();
  } finally {
    clearTimeout(timer);
  }
}

/** Waits; ends early, and without an error, when the signal is aborted. Waiting alone keeps no process alive. */
export async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
