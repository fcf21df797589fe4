// One HTTP server in front of both services. A request goes to one of them by the beginning of its path,
// before anything of it is looked at; neither service listens.
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';

/** Everything of the notification service, and nothing else: `/api-docs` is the other service's. */
const NOTIFICATION_PATH = /^\/(?:api|inbox)(?=[/?#]|$)/;

/** Of bytes that are no HTTP so much is looked at for a path. */
const REQUEST_LINE_MAX = 200;

/** What the front needs of a service's Fastify app, which is ready and does not listen. */
export interface FrontedApp {
  readonly server: FastifyInstance['server'];
  readonly log: FastifyInstance['log'];
  routing(request: IncomingMessage, response: ServerResponse): void;
}

export interface Front extends FrontedApp {
  listen(options: { readonly host: string; readonly port: number }): Promise<string>;
  /** Resolves once all that was begun has been answered. */
  close(): Promise<void>;
}

export function newFront(services: {
  readonly hub: FrontedApp;
  readonly notifications: FrontedApp;
  /** Called before the front waits for the end of what was begun. */
  readonly onClose: () => void;
}): Front {
  const { hub, notifications, onClose } = services;
  let isClosing = false;
  // A Fastify app without routes: it listens and closes as the services do when they are alone.
  const front = fastify({
    serverFactory: (answerWhileClosing) => {
      const server = createServer((request, response) => {
        if (isClosing) answerWhileClosing(request, response);
        else if (isForNotifications(request.url ?? '')) notifications.routing(request, response);
        else hub.routing(request, response);
      });
      // What a service would have set on a server of its own.
      server.keepAliveTimeout = hub.server.keepAliveTimeout;
      server.headersTimeout = hub.server.headersTimeout;
      server.requestTimeout = hub.server.requestTimeout;
      return server;
    },
    clientErrorHandler: (error, socket) => {
      const { server } = isForNotifications(pathIn(error)) ? notifications : hub;
      server.emit('clientError', error, socket);
    },
  });
  front.addHook('preClose', async () => {
    isClosing = true;
    onClose();
  });
  return {
    server: front.server,
    log: hub.log,
    routing: (request, response) => front.routing(request, response),
    listen: (place) => front.listen(place),
    close: () => front.close(),
  };
}

/** The path of what could not be read as HTTP, if the bytes that came last begin with one. */
function pathIn(error: Error): string {
  const packet: unknown = 'rawPacket' in error ? error.rawPacket : undefined;
  if (!Buffer.isBuffer(packet)) return '';
  return /^[A-Z]+ (\S+)/.exec(packet.toString('latin1', 0, REQUEST_LINE_MAX))?.[1] ?? '';
}

/** @param url as it stands in the request line */
export function isForNotifications(url: string): boolean {
  return NOTIFICATION_PATH.test(url);
}
