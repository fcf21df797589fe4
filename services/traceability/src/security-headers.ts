// What every answer says to browsers besides its content: how little they may do with it. Content policies
// are set on the pages that need them.
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * No `Strict-Transport-Security`: whoever ends TLS in front of the hub decides this, because the header binds
 * other hosts as well.
 */
const SECURITY_HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
} as const;

/**
 * The `onRequest` hook that sets them; a route may set others. They go out with the other headers of the
 * answer: set on the raw answer one by one, as plugins do, they cost ten times as much.
 */
export function setSecurityHeaders(
  _request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  void reply.headers(SECURITY_HEADERS);
  done();
}
