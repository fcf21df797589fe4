// The connections of clients: how many there are, how many there may be, and what the limit did.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { LIMIT_NEWS, type LimitNews } from '../http/connection-limit.ts';
import type { Metrics } from './metrics.ts';

/**
 * Counts the connections of a server that does not listen yet.
 * @returns counts what the limit did
 */
export function watchConnections(
  metrics: Metrics,
  { server, max }: { readonly server: Server; readonly max: number },
): (news: LimitNews) => void {
  const open = metrics.gauge({
    name: 'lothub_connections_open',
    help: 'Connections of clients',
  });
  metrics
    .gauge({ name: 'lothub_connections_max', help: 'Connections that there may be at a time' })
    .set(max);
  const limited = metrics.counter({
    name: 'lothub_connections_limited_total',
    help: 'Connections that came at the limit: others were closed for them, or they were refused',
    labelNames: ['outcome'],
  });
  for (const outcome of LIMIT_NEWS) limited.inc({ outcome }, 0);
  server.on('connection', (socket: Socket) => {
    open.inc();
    socket.once('close', () => open.dec());
  });
  return (outcome) => limited.inc({ outcome });
}
