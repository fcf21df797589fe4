// Receives NOTIFY messages on a connection that reconnects.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { CLOSE_WAIT_MS } from './connection.ts';
import { cutConnection } from './pool-clients.ts';

/** Pause before the next attempt while the server is unreachable. */
const RECONNECT_MS = 500;
const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
/** Names of this form need no quotes. */
const CHANNEL_FORM = /^[a-z_]+$/;

export interface PostgresListenerOptions {
  readonly url: string;
  readonly channel: string;
  /**
   * Called for each message, and after each connect, because messages before it were missed. A lost
   * connection is not reported: a subscriber that must not miss anything also polls.
   */
  readonly onNotice: () => void;
}

export class PostgresListener implements AsyncDisposable {
  readonly #options: PostgresListenerOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;

  /** Connects in the background. */
  constructor(options: PostgresListenerOptions) {
    if (!CHANNEL_FORM.test(options.channel))
      throw new RangeError(`${options.channel} needs quotes`);
    this.#options = options;
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#listen();
      await sleep(RECONNECT_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Ends with the connection; never rejects. */
  async #listen(): Promise<void> {
    const { url, channel, onNotice } = this.#options;
    const { signal } = this.#closing;
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    });
    const ended = Promise.withResolvers<void>();
    const end = (): void => ended.resolve();
    client.on('error', end).on('end', end).on('notification', onNotice);
    const stop = (): void => {
      end();
      setTimeout(() => cutConnection(client), CLOSE_WAIT_MS).unref();
    };
    signal.addEventListener('abort', stop);
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      onNotice();
      if (!signal.aborted) await ended.promise;
    } catch {
      // The server is away: another attempt comes soon, and the next notice with it.
    }
    signal.removeEventListener('abort', stop);
    await client.end().catch(() => undefined);
  }
}
