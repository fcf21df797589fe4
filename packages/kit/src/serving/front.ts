// The one HTTP server of a process, in front of the apps that answer its requests. None of them listens:
// the server is there before they are open, and stays when one takes the place of another.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import fastify from 'fastify';
import { NO_FASTIFY_COMPILERS } from '../http/schemas/no-fastify-compilers.ts';

/** What answers requests behind a front. */
export interface FrontedApp {
  routing(request: IncomingMessage, response: ServerResponse): void;
  /** Answers bytes that are no HTTP request, and closes their socket. */
  refuseMalformed(error: Error, socket: Socket): void;
  /** What it would have set on a server of its own, in milliseconds. */
  readonly timeouts: Pick<Server, 'keepAliveTimeout' | 'headersTimeout' | 'requestTimeout'>;
}

/** A Fastify app that is ready. */
interface ReadyApp {
  readonly server: Server;
  routing(request: IncomingMessage, response: ServerResponse): void;
}

export function frontedApp(app: ReadyApp): FrontedApp {
  return {
    routing: (request, response) => app.routing(request, response),
    refuseMalformed: (error, socket) => void app.server.emit('clientError', error, socket),
    timeouts: app.server,
  };
}

/** Passes each request to the app that answers now. */
export class SwitchedApp implements FrontedApp {
  #app: FrontedApp;

  constructor(app: FrontedApp) {
    this.#app = app;
  }

  /** From the next request on; what was begun is finished by the app before. */
  switchTo(app: FrontedApp): void {
    this.#app = app;
  }

  get timeouts(): FrontedApp['timeouts'] {
    return this.#app.timeouts;
  }

  routing(request: IncomingMessage, response: ServerResponse): void {
    this.#app.routing(request, response);
  }

  refuseMalformed(error: Error, socket: Socket): void {
    this.#app.refuseMalformed(error, socket);
  }
}

export interface Front {
  readonly server: Server;
  listen(place: { readonly host: string; readonly port: number }): Promise<string>;
  /** Resolves once all that was begun has been answered. */
  close(): Promise<void>;
}

/** @param options.onClose called before the front waits for the end of what was begun */
export function newFront(app: FrontedApp, options: { readonly onClose: () => void }): Front {
  let isClosing = false;
  // A Fastify app without routes: it listens and closes as a service does that is alone.
  const front = fastify({
    schemaController: NO_FASTIFY_COMPILERS,
    serverFactory: (answerWhileClosing) => {
      const server = createServer((request, response) => {
        if (isClosing) answerWhileClosing(request, response);
        else app.routing(request, response);
      });
      const { keepAliveTimeout, headersTimeout, requestTimeout } = app.timeouts;
      return Object.assign(server, { keepAliveTimeout, headersTimeout, requestTimeout });
    },
    clientErrorHandler: (error, socket) => app.refuseMalformed(error, socket),
  });
  front.addHook('preClose', async () => {
    isClosing = true;
    options.onClose();
  });
  return {
    server: front.server,
    listen: (place) => front.listen(place),
    close: () => front.close(),
  };
}
