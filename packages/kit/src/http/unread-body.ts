// Answers that are sent before their request has been read: refusals of what is too large, of a wrong key,
// of a full disk. Many clients send all of a body before they read the answer. If the connection ended
// before that, the answer would be lost with it: they would report a broken pipe. So the rest of the body
// is read and thrown away while the answer is on its way, within limits.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface DiscardLimits {
  /** Bytes of a body that are thrown away; after more the connection is cut. */
  readonly bytesMax: number;
  /** Time for that. */
  readonly msMax: number;
}

export const DISCARD_LIMITS: DiscardLimits = {
  // What the largest body of all has, a file of 1 GiB in its form.
  bytesMax: 1_073_741_824 + 1_048_576,
  // The time that nginx waits (lingering_time): no client can keep a connection open forever.
  msMax: 30_000,
};

/** Discards unread bodies on all routes of an app, from their `onRequest` hooks on. */
export function discardUnreadBodies(
  app: Pick<FastifyInstance, 'addHook'>,
  limits: DiscardLimits = DISCARD_LIMITS,
): void {
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    done(null, answerUnread(request, reply, { payload, limits }));
  });
}

/**
 * What to send instead of a payload: the same when the body has been read, else a stream that is complete
 * for the client at once and ends when there is no more of the body to come.
 */
export function answerUnread(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    payload,
    limits = DISCARD_LIMITS,
  }: { readonly payload: unknown; readonly limits?: DiscardLimits },
): unknown {
  if (!isUnread(request)) return payload;
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
  void reply.header('Content-Length', Buffer.byteLength(payload));
  return Readable.from(payloadAndRest(payload, request, limits));
}

function isUnread({ raw, headers }: FastifyRequest): boolean {
  if (raw.complete || raw.readableEnded || raw.destroyed) return false;
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

async function* payloadAndRest(
  payload: string | Buffer,
  { raw }: FastifyRequest,
  limits: DiscardLimits,
): AsyncGenerator<string | Buffer> {
  const rest = discard(raw, limits);
  yield payload;
  if ((await rest) === 'given up') raw.socket.destroySoon();
}

/** Reads a body to its end without keeping it. */
async function discard(
  raw: FastifyRequest['raw'],
  { bytesMax, msMax }: DiscardLimits,
): Promise<'over' | 'given up'> {
  const { promise, resolve } = Promise.withResolvers<'over' | 'given up'>();
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > bytesMax) resolve('given up');
  };
  const over = (): void => resolve('over');
  const timer = setTimeout(() => resolve('given up'), msMax);
  raw.unpipe();
  raw.on('data', count).once('end', over).once('close', over).once('error', over);
  raw.resume();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    raw.off('data', count);
  }
}
