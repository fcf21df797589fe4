// The command line's client of a hub over HTTP: JSON in both directions, waits when the hub
// requests them, and plain words when the hub is unreachable or its response is not one of a hub.
import { setTimeout as wait } from 'node:timers/promises';
import { CommandError, formatReason } from '@lothub/kit/cli/command-error';

/** Maximum time of one response. */
const ANSWER_TIMEOUT_MS = 60_000;
/** Bytes of one answer; a hub's largest, a page of blocks, has some 4 MiB. */
const ANSWER_BYTES_MAX = 67_108_864;
/**
 * Maximum number of times that a request is sent: a window of the rate limit may pass without a
 * turn for us.
 */
const TRIES_MAX = 6;
/** Maximum number of times that a request without a response is sent. */
const CONNECT_TRIES_MAX = 3;
const CONNECT_WAIT_MS = 500;
/** A longer `Retry-After` counts as a mistake. */
const RETRY_AFTER_SECONDS_MAX = 600;
const RETRY_AFTER_SECONDS_DEFAULT = 1;
/** Characters of an answer that is no JSON, in a message. */
const EXCERPT_MAX = 200;

const NOT_FOUND = 404;
const MS_PER_SECOND = 1_000;
const BUSY_STATUSES: readonly number[] = [429, 503];

export interface HubAnswer {
  readonly status: number;
  /** Parsed JSON; the text itself when it is none. */
  readonly body: unknown;
}

export interface HubClientOptions {
  /** Address of the hub without a slash at its end. */
  readonly base: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called before each wait that the hub requested. */
  readonly onWait: (seconds: number) => void;
}

export interface HubRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** The path from the base, with its query. */
  readonly path: string;
  readonly json?: unknown;
}

export class HubClient {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #signal: AbortSignal;
  readonly #onWait: (seconds: number) => void;

  constructor(options: HubClientOptions) {
    this.base = options.base;
    this.headers = options.headers ?? {};
    this.#signal = options.signal;
    this.#onWait = options.onWait;
  }

  /**
   * Returns the body of a 2xx response.
   * @throws CommandError `hub_refused` for any other, and as `ask` does
   */
  async get(path: string): Promise<unknown> {
    const answer = await this.ask({ method: 'GET', path });
    if (answer.status >= 200 && answer.status < 300) return answer.body;
    throw this.refusal('GET', path, answer);
  }

  /**
   * Returns the bytes of a 2xx response.
   * @throws CommandError `hub_refused` for any other, and as `ask` does
   */
  async getBytes(path: string): Promise<Uint8Array> {
    const answer = await this.untilNotBusy(() => this.#sendOnce({ method: 'GET', path }));
    if (answer.status >= 200 && answer.status < 300) return answer.bytes;
    throw this.refusal('GET', path, answer);
  }

  /**
   * Does the same as `getBytes`; undefined when there is nothing at the path (404).
   * @throws CommandError as `getBytes`
   */
  async findBytes(path: string): Promise<Uint8Array | undefined> {
    const answer = await this.untilNotBusy(() => this.#sendOnce({ method: 'GET', path }));
    if (answer.status === NOT_FOUND) return undefined;
    if (answer.status >= 200 && answer.status < 300) return answer.bytes;
    throw this.refusal('GET', path, answer);
  }

  /**
   * Sends a request until the hub is not busy. Only requests that may be sent twice: an event with
   * an external id may, because the second is a replay.
   * @throws CommandError `hub_unreachable`
   */
  async ask(request: HubRequest): Promise<HubAnswer> {
    return await this.untilNotBusy(() => this.#sendOnce(request));
  }

  /**
   * Repeats `send` while the hub responds that it is busy, after the waits that the hub requests.
   */
  async untilNotBusy<T extends HubAnswer & { readonly retryAfter: string | null }>(
    send: () => Promise<T>,
  ): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const answer = await send();
      if (!BUSY_STATUSES.includes(answer.status) || tries >= TRIES_MAX) return answer;
      const seconds = parseSeconds(answer.retryAfter);
      this.#onWait(seconds);
      await wait(seconds * MS_PER_SECOND, undefined, { signal: this.#signal });
    }
  }

  /** Makes the error for a response that the caller did not expect. */
  refusal(method: string, path: string, answer: HubAnswer): CommandError {
    const advice = answer.status === 401 ? '; give the key of this hub in TENANT_API_KEY' : '';
    const asked = `${method} ${this.base}${path}`;
    return new CommandError(
      'hub_refused',
      `${asked}: the hub answered ${answer.status}: ${readDetail(answer.body)}${advice}`,
    );
  }

  async #sendOnce(
    request: HubRequest,
  ): Promise<HubAnswer & { readonly bytes: Uint8Array; readonly retryAfter: string | null }> {
    for (let tries = 1; ; tries += 1) {
      try {
        const response = await fetch(this.base + request.path, {
          method: request.method,
          headers: {
            ...this.headers,
            Accept: 'application/json',
            ...(request.json === undefined ? {} : { 'Content-Type': 'application/json' }),
          },
          ...(request.json === undefined ? {} : { body: JSON.stringify(request.json) }),
          signal: AbortSignal.any([this.#signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
        });
        const bytes = await readBytes(response);
        return {
          status: response.status,
          bytes,
          body: jsonOrText(bytes.toString('utf8')),
          retryAfter: response.headers.get('retry-after'),
        };
      } catch (error) {
        this.#signal.throwIfAborted();
        if (error instanceof CommandError) throw error;
        if (tries >= CONNECT_TRIES_MAX) throw unreachable(this.base, request, error);
        await wait(CONNECT_WAIT_MS * tries, undefined, { signal: this.#signal });
      }
    }
  }
}

export function unreachable(
  base: string,
  request: { readonly method: string; readonly path: string },
  error: unknown,
): CommandError {
  return new CommandError(
    'hub_unreachable',
    `${request.method} ${base}${request.path}: ${formatReason(error)}; ` +
      'is the hub running, and is the address right?',
    { cause: error },
  );
}

/** The bytes of an answer, up to the most that is read of one. */
export async function readBytes(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > ANSWER_BYTES_MAX) {
      throw new CommandError(
        'answer_unexpected',
        `reading ${response.url}: the answer is longer than ${ANSWER_BYTES_MAX} bytes; ` +
          'is this the address of a hub?',
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller decides what to do with it: a proxy's error page is no JSON.
    return text;
  }
}

function parseSeconds(retryAfter: string | null): number {
  const seconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : 0;
  return Math.min(Math.max(seconds, RETRY_AFTER_SECONDS_DEFAULT), RETRY_AFTER_SECONDS_MAX);
}

/** Returns the sentence of an error response, its field errors, or the beginning of its text. */
function readDetail(body: unknown): string {
  if (typeof body === 'string') return body.slice(0, EXCERPT_MAX);
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : body;
  if (typeof detail === 'string') return detail;
  return JSON.stringify(detail).slice(0, EXCERPT_MAX);
}
