// Both services behind one HTTP server. A request goes to one of them by the beginning of its path,
// before anything of it is looked at.
import type { FrontedApp } from '@lothub/kit/serving/front';

/** Everything of the notification service, and nothing else: `/api-docs` is the other service's. */
const NOTIFICATION_PATH = /^\/(?:api|inbox)(?=[/?#]|$)/;

/** Of bytes that are no HTTP so much is looked at for a path. */
const REQUEST_LINE_MAX = 200;

export function joinServices(services: {
  readonly hub: FrontedApp;
  readonly notifications: FrontedApp;
}): FrontedApp {
  const { hub, notifications } = services;
  const appAt = (url: string): FrontedApp => (isForNotifications(url) ? notifications : hub);
  return {
    routing: (request, response) => appAt(request.url ?? '').routing(request, response),
    refuseMalformed: (error, socket) => appAt(pathIn(error)).refuseMalformed(error, socket),
    // The hub's are the longer ones: files are sent to it.
    timeouts: hub.timeouts,
  };
}

/** The path of what could not be read as HTTP, if the bytes that came last begin with one. */
function pathIn(error: Error): string {
  const packet: unknown = 'rawPacket' in error ? error.rawPacket : undefined;
  if (!Buffer.isBuffer(packet)) return '';
  return /^[A-Z]+ (\S+)/.exec(packet.toString('latin1', 0, REQUEST_LINE_MAX))?.[1] ?? '';
}

/** @param url as it is in the request line */
export function isForNotifications(url: string): boolean {
  return NOTIFICATION_PATH.test(url);
}
