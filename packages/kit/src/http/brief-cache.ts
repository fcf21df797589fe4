// Answers that anybody may keep for a moment: how long, and how an unchanged one is recognised.
import { sha256Hex } from '../secrets/hash.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Half of the 30 seconds that a verdict may be cached: a proxy may keep it this long, and then a browser for the same
 * time again, if the proxy does not report its age.
 */
const MAX_AGE_SECONDS = 15;
const BRIEFLY = `public, max-age=${MAX_AGE_SECONDS}, must-revalidate`;
const NOT_MODIFIED = 304;

/** The `onSend` hook of answers that anybody may keep for a moment. A refusal is not kept. */
export function cacheBriefly(
  _request: FastifyRequest,
  reply: FastifyReply,
  _payload: unknown,
  done: () => void,
): void {
  const { statusCode } = reply;
  const isKept = statusCode === 200 || statusCode === NOT_MODIFIED;
  if (!reply.hasHeader('Cache-Control')) {
    void reply.header('Cache-Control', isKept ? BRIEFLY : 'no-store');
  }
  done();
}

/** Digits of the hash in a tag: 128 bits. */
const TAG_DIGITS = 32;

/** The `ETag` of an answer, from what its reader takes it for. */
export function buildWeakTag(content: string): string {
  return `W/"${sha256Hex(content).slice(0, TAG_DIGITS)}"`;
}
