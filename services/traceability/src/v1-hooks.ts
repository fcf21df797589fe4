// Hooks in front of the requests of /v1: what they refuse before a route is asked.
import { ACCEPTED_ENCODING, isEncoded } from '@lothub/kit/http/content-encoding';
import { Type } from '@lothub/kit/json-schema';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { Refusal } from './errors.ts';
import type { ClockWatch } from './ledger/clock-watch.ts';

/** Methods that change nothing, and whose requests have no body that counts. */
const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The `preHandler` hook of the endpoints of tenants: while the clock of this machine is not believed, requests that
 * change something are refused, and reading continues. The writer looks again before each block (trusted-time.ts).
 */
export function clockGate(
  clockWatch: Pick<ClockWatch, 'assertTrusted'>,
): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    if (!changesNothing(request)) clockWatch.assertTrusted();
  };
}

function changesNothing({ method, query, routeOptions }: FastifyRequest): boolean {
  if (READING_METHODS.has(method) || routeOptions.config.changesNothing === true) return true;
  // Of an import that only checks its file.
  return (
    typeof query === 'object' && query !== null && 'dry_run' in query && query.dry_run === true
  );
}

/** The `onRequest` hook that refuses compressed bodies, which would be read as they are. */
export function refuseEncodedBody(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  if (READING_METHODS.has(method) || !isEncoded(headers)) return done();
  void reply.headers(ACCEPTED_ENCODING);
  const message = 'The body is encoded: send it as it is, without Content-Encoding';
  done(new Refusal('media_type_unsupported', message));
}

/**
 * The `onRoute` hook of the endpoints whose queries hold nothing but what their schemas name. Unknown parameters are
 * refused: a filter that is ignored would answer everything.
 */
export function refuseUnknownParameters(route: RouteOptions): void {
  const { querystring = Type.Object({}) } = route.schema ?? {};
  if (typeof querystring !== 'object' || querystring === null) {
    throw new TypeError(`the schema of the query of ${route.url} is no object`);
  }
  route.schema = { ...route.schema, querystring: { ...querystring, additionalProperties: false } };
}
