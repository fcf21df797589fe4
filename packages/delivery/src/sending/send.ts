// Sends one request to a receiver. The address is checked when the connection is made, so a name that resolves to
// another address by then is refused. Only the status of the answer is kept, and its beginning if a request wants it.
import { request as requestPlain, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as requestEncrypted } from 'node:https';
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

export function newSender(options: SenderOptions): Send {
  const { rules, timeoutMs = SEND_TIMEOUT_MS } = options;
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
      });
      const { statusCode = 0 } = answer;
      const retryAfter = answer.headers['retry-after'];
      const told = keepBytes === 0 ? {} : { bodyStart: kept.toString('utf8') };
      return { kind: 'answered', status: statusCode, retryAfter, ...told };
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
}

interface Answered {
  readonly answer: IncomingMessage;
  /** The beginning of its body. */
  readonly kept: Buffer;
}

/** @returns the head of the answer, once its body ended or was cut off: whatever the body did, it counts */
function requestOnce(url: URL, { headers, body, keepBytes, signal, lookup }: OnceOptions) {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const options = {
    method: 'POST',
    headers,
    signal,
    lookup,
    // A new connection for each request: a reused one would not be checked. No proxy of the environment is used.
    agent: false,
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
  request.on('error', (error) => (head === undefined ? reject(error) : end(head)));
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
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return classifyConnectionError(code) ?? 'connection_lost';
}
