// What a service has answered, by route and status. The route is its pattern: a path holds what was sent.
import type { FastifyInstance } from 'fastify';
import { isPassedOn } from '../http/later-app.ts';
import type { Metrics } from './metrics.ts';

/** Seconds; most answers take milliseconds, and ten seconds are promised for the slowest. */
const BUCKETS = [0.005, 0.02, 0.1, 0.5, 2, 10];
const MS_PER_SECOND = 1_000;
/** The label of requests to a path without a route. */
const NO_ROUTE = 'none';

/** Counts the requests of an app. Call it before routes are added. */
export function countRequests(
  app: Pick<FastifyInstance, 'addHook'>,
  { metrics, service }: { readonly metrics: Metrics; readonly service: string },
): void {
  const requests = metrics.counter({
    name: 'lothub_http_requests_total',
    help: 'Requests that were answered, by route and status',
    labelNames: ['service', 'method', 'route', 'status'],
  });
  const durations = metrics.histogram({
    name: 'lothub_http_request_duration_seconds',
    help: 'Time until the answer was sent, of streams until they ended',
    labelNames: ['service', 'route'],
    buckets: BUCKETS,
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (isPassedOn(request)) return done();
    const route = request.is404 ? NO_ROUTE : (request.routeOptions.url ?? NO_ROUTE);
    requests.inc({ service, method: request.method, route, status: reply.statusCode });
    durations.observe({ service, route }, reply.elapsedTime / MS_PER_SECOND);
    done();
  });
}
