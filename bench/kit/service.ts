// The service as a child process of a benchmark: the real one, with no-op endpoints beside the
// real ones (same key check, same schema, same answer shape) as the baselines of the same run.
import { newId } from '@lothub/kit/secrets/ids';
import { newSession } from '@lothub/people/access/sessions';
import { insertAccount } from '@lothub/people/accounts/queries';
import { giveRole } from '@lothub/people/brands/grants';
import { COMMAND_LINE } from '@lothub/people/brands/roles-of-place';
import type { People } from '@lothub/people/people';
import { openService } from '@lothub/traceability/server';
import { readSettings } from '@lothub/traceability/settings';
import { EventAnswerSchema, EventSchema } from '@lothub/traceability/events/schema';
import { TENANT } from './hub.ts';

const NOOP_ANSWER = {
  id: 1,
  external_id: null,
  status: 'accepted',
  event_type: 'RECEIVE',
  chain: {
    height: 1,
    tip_hash: '0'.repeat(64),
    chain_valid: true,
    block_height: 1,
    block_hash: '0'.repeat(64),
    tx_count: 2,
    summary: 'PRODUCE at PLANT-1, ref WO-1: 1 in, 1 out (A -> B)',
  },
};

/** As large as a complete tile of the log. */
const NOOP_BYTES = Buffer.alloc(8_192);

const US_PER_MS = 1_000;

/**
 * Watches how long the event loop is held: what the serving thread computes between two calls of a timer
 * that is due every millisecond. Its processor time, because other processes would be in the time of a
 * clock.
 */
class LoopWatch {
  #timer: NodeJS.Timeout | undefined;
  #last = process.threadCpuUsage();
  #longestMs = 0;

  begin(): void {
    this.#longestMs = 0;
    this.#last = process.threadCpuUsage();
    this.#timer = setInterval(() => this.#note(), 1);
  }

  /** @returns the longest hold, ms */
  end(): number {
    clearInterval(this.#timer);
    this.#note();
    return this.#longestMs;
  }

  #note(): void {
    const { user, system } = process.threadCpuUsage(this.#last);
    this.#longestMs = Math.max(this.#longestMs, (user + system) / US_PER_MS);
    this.#last = process.threadCpuUsage();
  }
}

const loop = new LoopWatch();

function send(message: object): void {
  if (process.send === undefined) throw new Error('the benchmark starts this file as a child');
  process.send(message);
}

const service = await openService({
  settings: readSettings(),
  onFatal: (error) => {
    throw error;
  },
  tenantRoutes: (app) => {
    app.post(
      '/v1/noop',
      {
        config: { keyNeeds: 'post-events' },
        schema: { hide: true, body: EventSchema, response: { 201: EventAnswerSchema } },
      },
      async (_request, reply) => await reply.code(201).send(NOOP_ANSWER),
    );
    app.get(
      '/v1/noop',
      { config: { keyNeeds: 'read' }, schema: { hide: true } },
      async (_request, reply) => await reply.type('application/octet-stream').send(NOOP_BYTES),
    );
  },
});
const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
process.on('message', (message) => {
  if (message === 'close') void service.close().then(() => process.disconnect?.());
  if (message === 'verifier-pause') service.verifier.pause();
  if (message === 'verifier-resume') service.verifier.resume();
  if (message === 'loop-begin') loop.begin();
  if (message === 'loop-end') send({ holdMs: loop.end() });
  if (message === 'visitor') void makeVisitor(service.people).then((cookie) => send({ cookie }));
  if (message === 'memory') send({ rssBytes: process.memoryUsage().rss });
});
send({ address, rssBytes: process.memoryUsage().rss });

/**
 * Makes a person for benchmarks of the console: an account with a session, who manages the benchmarks' brand and
 * operates the hub; written past the pages and without the time that a password takes.
 *
 * @returns what the browser of this person sends as its cookie
 */
async function makeVisitor(people: People): Promise<string> {
  const accountId = newId('usr');
  const nowMs = Date.now();
  const session = newSession({ accountId, agent: 'bench', nowMs });
  const email = 'bench@example.com';
  const account = { id: accountId, email, name: 'Bench', passwordHash: 'none', createdAt: nowMs };
  await people.store.write([insertAccount(account), ...session.statements]);
  const brand = { kind: 'brand', id: TENANT } as const;
  const hub = { kind: 'hub', id: '' } as const;
  await giveRole(people, COMMAND_LINE, { place: brand, accountId, role: 'manager' });
  await giveRole(people, COMMAND_LINE, { place: hub, accountId, role: 'operator' });
  return `lothub_session=${session.secret}`;
}
