// The requests of an app that does not listen and are not answered yet: its server cannot count them.
import type { FastifyInstance } from 'fastify';

export class RequestsUnderWay {
  #count = 0;
  #ended: () => void = () => undefined;

  /** Before any other hook, so that it counts all. */
  static of(app: Pick<FastifyInstance, 'addHook'>): RequestsUnderWay {
    const underWay = new RequestsUnderWay();
    app.addHook('onRequest', (_request, _reply, done) => {
      underWay.#count += 1;
      done();
    });
    // Also of a request whose client has gone.
    app.addHook('onResponse', (_request, _reply, done) => {
      underWay.#count -= 1;
      if (underWay.#count === 0) underWay.#ended();
      done();
    });
    return underWay;
  }

  /** Resolves once none is under way. */
  async ended(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => (this.#ended = resolve));
  }
}
