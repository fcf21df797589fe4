// A part of a service that is loaded with the first request for it: an app of its own behind the paths of one
// prefix. A start takes less time, and a process that nobody asks for the part less memory.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { present } from '../present.ts';

/** An app that is ready, and never listens. */
export interface OpenedApp {
  readonly app: {
    routing(request: IncomingMessage, response: ServerResponse): void;
    close(): Promise<void>;
  };
}

/** Requests as the app knew them that passed them on. */
const passedOn = new WeakSet<FastifyRequest>();
const ids = new WeakMap<IncomingMessage, string>();

/** Whether this app has passed the request on, so that another one logs and counts its answer. */
export function isPassedOn(request: FastifyRequest): boolean {
  return passedOn.has(request);
}

/** For `genReqId` of an app that requests are passed on to: they keep their ids. */
export function idPassedOn(request: IncomingMessage): string {
  return present(ids.get(request), 'the id of a request that was passed on');
}

export class LaterApp<Opened extends OpenedApp> {
  readonly #load: () => Promise<Opened>;
  #opened: Promise<Opened> | undefined;

  /** @param load makes the app ready; called once, or again after it has failed */
  constructor(load: () => Promise<Opened>) {
    this.#load = load;
  }

  open(): Promise<Opened> {
    this.#opened ??= this.#load().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  /** Passes all requests below a prefix on, whatever their method, until the app closes. */
  serve(app: FastifyInstance, prefix: string): void {
    app.addHook('onClose', () => this.#close());
    void app.register((passing, _options, done) => {
      passing.addHook('onRequest', async (request, reply) => {
        const { app: other } = await this.open();
        passedOn.add(request);
        ids.set(request.raw, request.id);
        reply.hijack();
        other.routing(request.raw, reply.raw);
      });
      for (const path of [prefix, `${prefix}/*`]) {
        passing.all(path, { schema: { hide: true } }, unreached);
      }
      done();
    });
  }

  async #close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.app.close();
  }
}

/** The hook before it has passed the request on. */
function unreached(): never {
  throw new Error('a request that was passed on came back');
}
