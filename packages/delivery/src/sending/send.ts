// Sends requests to receivers. The address is checked when a connection is made, so a name that resolves to another
// address by then is refused; requests that follow soon use the same connection. Only the status of the answer is
// kept, and its beginning if a request wants it.
import { Agent as PlainAgent, request as requestPlain } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Agent as EncryptedAgent, request as requestEncrypted } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { AddressRules } from './address-rules.ts';
import { SEND_ERRORS, classifyConnectionError } from './answer.ts';
import type { SendErrorCode, TryResult } from './answer.ts';
import { newResolver, type Resolve } from './resolve-name.ts';
import { isPermitted, literalAddress } from './webhook-url.ts';

/** From the look-up of the name to the end of what is read (docs/interface/notifications.md#webhooks). */
export const SEND_TIMEOUT_MS = 15_000;
/** Read and thrown away, so that a receiver can finish its answer; the rest is cut off. */
const ANSWER_BYTES_MAX = 64 * 1_024;
/** How long a connection waits for the next request: less than the five seconds that many servers wait. */
const IDLE_MS = 4_000;
/** Idle connections to one receiver, */
const IDLE_MAX = 8;
/** and receivers that have some. Those beyond get a connection for each request: files are limited. */
const IDLE_RECEIVERS_MAX = 32;

export interface WebhookRequest {
  readonly url: URL;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer;
  /** Bytes of the answer's body to return; 0 when absent. */
  readonly keepBytes?: number;
  /** Aborted when the service stops. */
  readonly signal: AbortSignal;
}

export type Send = (request: WebhookRequest) => Promise<TryResult>;

export interface SenderOptions {
  readonly rules: AddressRules;
  readonly timeoutMs?: number;
  /** The name servers of this machine when not given. */
  readonly resolve?: Resolve;
}

const DEFAULT_PORT: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
const KEEPING = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: IDLE_MAX } as const;

/** Its connections are its own: each was made to an address that its rules permit. */
export function newSender(options: SenderOptions): Send {
  const { rules, timeoutMs = SEND_TIMEOUT_MS } = options;
  const plain = new PlainAgent(KEEPING);
  const encrypted = new EncryptedAgent(KEEPING);
  const resolve = options.resolve ?? newResolver({ readsHosts: rules.allowsSome });
  return async ({ url, headers, body, keepBytes = 0, signal }) => {
    const isPlain = url.protocol === 'http:';
    const address = literalAddress(url);
    // No look-up is made for these.
    if (address !== undefined && !isPermitted(address, { rules, isPlain })) {
      return { kind: 'unanswered', error: 'address_refused' };
    }
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const { answer, kept } = await requestOnce(url, {
        headers,
        body,
        keepBytes,
        signal: AbortSignal.any([signal, timeout]),
        lookup: judgingLookup({ rules, isPlain, resolve }),
        agent: isPlain ? plain : encrypted,
      });
      const { statusCode = 0 } = answer;
      const retryAfter = answer.headers['retry-after'];
      const bodyStart = keepBytes === 0 ? {} : { bodyStart: kept.toString('utf8') };
      return { kind: 'answered', status: statusCode, retryAfter, ...bodyStart };
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped' };
      return { kind: 'unanswered', error: timeout.aborted ? 'timed_out' : toSendError(error) };
    }
  };
}

interface OnceOptions {
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer;
  readonly keepBytes: number;
  readonly signal: AbortSignal;
  readonly lookup: LookupFunction;
  readonly agent: PlainAgent;
}

interface Answered {
  readonly answer: IncomingMessage;
  /** The beginning of its body. */
  readonly kept: Buffer;
}

/** @returns the head of the answer, once its body ended or was cut off: whatever the body did, it counts */
function requestOnce(url: URL, once: OnceOptions): Promise<Answered> {
  const { headers, body, keepBytes, signal, lookup, agent } = once;
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  // No proxy of the environment is used.
  const options = {
    ...{ method: 'POST', headers, signal, lookup },
    agent: mayKeep(agent, url) && agent,
  } as const;
  const request =
    url.protocol === 'http:'
      ? requestPlain(url, options)
      : // Said aloud, because the environment can turn it off for a whole process.
        requestEncrypted(url, { ...options, rejectUnauthorized: true });
  let head: IncomingMessage | undefined;
  const kept: Buffer[] = [];
  const end = (answer: IncomingMessage): void =>
    resolve({ answer, kept: Buffer.concat(kept).subarray(0, keepBytes) });
  request.on('error', (error) => {
    if (head !== undefined) end(head);
    // The receiver has closed an idle connection just now. Each such one is gone, so this comes to an end.
    else if (request.reusedSocket && isLost(error)) resolve(requestOnce(url, once));
    else reject(error);
  });
  request.on('response', (answer) => {
    head = answer;
    let bytes = 0;
    answer.on('data', (chunk: Buffer) => {
      if (bytes < keepBytes) kept.push(chunk);
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES_MAX) answer.destroy();
    });
    answer.on('error', () => end(answer));
    answer.on('close', () => end(answer));
  });
  request.end(body);
  return promise;
}

function mayKeep({ freeSockets }: PlainAgent, { hostname, port, protocol }: URL): boolean {
  const idle = Object.keys(freeSockets);
  if (idle.length < IDLE_RECEIVERS_MAX) return true;
  const place = `${hostname}:${port === '' ? DEFAULT_PORT[protocol] : port}:`;
  return idle.some((name) => name.startsWith(place));
}

class LookupError extends Error {
  readonly code: SendErrorCode;

  constructor(code: SendErrorCode) {
    super(SEND_ERRORS[code]);
    this.code = code;
  }
}

/** One address that may not be reached closes the name: an honest name has no such. */
function judgingLookup(rules: {
  readonly rules: AddressRules;
  readonly isPlain: boolean;
  readonly resolve: Resolve;
}): LookupFunction {
  return (hostname, options, callback) => {
    rules.resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) return callback(new LookupError('name_unknown'), []);
        if (!addresses.every(({ address }) => isPermitted(address, rules))) {
          return callback(new LookupError('address_refused'), []);
        }
        if (options.all === true) return callback(null, [...addresses]);
        callback(null, first.address, first.family);
      },
      () => callback(new LookupError('name_unknown'), []),
    );
  };
}

function toSendError(error: unknown): SendErrorCode {
  if (error instanceof LookupError) return error.code;
  return classifyConnectionError(readCode(error)) ?? 'connection_lost';
}

const LOST_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

function isLost(error: Error): boolean {
  return LOST_CODES.has(readCode(error));
}

function readCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
