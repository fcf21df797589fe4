// Reports what no transaction of its own can report: events that moved lots on hold, findings of verifications,
// recalls of suppliers. Of several processes one looks; each step is written under a guard, so a crash or a second
// one at work only repeats it.
import { instantText, type Clock } from '@lothub/kit/clock';
import { rest } from '@lothub/kit/lifecycle';
import type { FastifyBaseLogger } from 'fastify';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { LedgerReader } from '../ledger/read.ts';
import type { LedgerStore, Turn } from '../ledger/store.ts';
import { LOTS_NAMED_MAX, notifyWebhooks } from '../ledger/webhooks/notify.ts';
import { casesThatReached } from '../recall/inbound/inbound.ts';
import {
  alarmsAbove,
  brandsToNotify,
  breachesAbove,
  findPosition,
  isReported,
  lotsOfBreach,
  moveTo,
  noteReported,
  whileAt,
  whileNotReported,
} from './look-queries.ts';

const LOOK_EVERY_MS = 1_000;
/** What a recall of a supplier reaches is walked for: some seconds where a brand has many. */
const INBOUND_EVERY_MS = 60_000;
/** Rest after something failed for a passing reason, such as a database that is away. */
const RETRY_MS = 5_000;
/** Limit of one step, which is one transaction. */
const BREACHES_PER_STEP = 50;
const ALARMS_PER_STEP = 100;
const BRANDS_PER_PAGE = 100;

export interface LooksDeps {
  readonly store: Pick<LedgerStore, 'change' | 'reader' | 'turn'>;
  readonly reader: Pick<LedgerReader, 'head'>;
  readonly clock: Clock;
}

export interface LooksOptions extends LooksDeps {
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  readonly everyMs?: number | undefined;
  readonly inboundEveryMs?: number | undefined;
}

export class WebhookLooks implements AsyncDisposable {
  readonly #options: LooksOptions;
  readonly #turn: Turn;
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #inboundAtMs = 0;
  /** Height of the chain at the last search for recalls of suppliers. */
  #inboundHeight = -1;

  private constructor(options: LooksOptions) {
    this.#options = options;
    this.#turn = options.store.turn('webhook-looks');
  }

  static start(options: LooksOptions): WebhookLooks {
    const looks = new WebhookLooks(options);
    looks.#running = looks.#run();
    return looks;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log, everyMs = LOOK_EVERY_MS } = this.#options;
    const { signal } = this.#closing;
    let hasFailed = false;
    while (!signal.aborted) {
      try {
        if (await this.#turn.take()) await this.#look();
        hasFailed = false;
        await rest(everyMs, signal);
      } catch (error) {
        if (!hasFailed) log.warn({ err: error }, 'looking for messages to webhooks failed');
        hasFailed = true;
        await rest(RETRY_MS, signal);
      }
    }
    await this.#turn.release().catch((error: unknown) => {
      log.warn({ err: error }, 'giving up the turn to look for messages to webhooks failed');
    });
  }

  async #look(): Promise<void> {
    const { inboundEveryMs = INBOUND_EVERY_MS } = this.#options;
    await reportBreaches(this.#options);
    await reportAlarms(this.#options);
    const nowMs = performance.now();
    if (nowMs < this.#inboundAtMs) return;
    this.#inboundAtMs = nowMs + inboundEveryMs;
    const { height } = await this.#options.reader.head();
    // A webhook that is made now begins with the next block.
    if (height === this.#inboundHeight) return;
    await reportInbound(this.#options, this.#closing.signal);
    this.#inboundHeight = height;
  }
}

/** Events that took lots on hold: one message for each event. */
export async function reportBreaches({ store }: LooksDeps): Promise<void> {
  const { reader } = store;
  for (;;) {
    const position = await findPosition(reader, 'breaches', 'hold.breached');
    if (position === undefined) return;
    const found = await breachesAbove(reader, { height: position, limit: BREACHES_PER_STEP });
    const last = found.at(-1);
    if (last === undefined) return;
    const messages = await Promise.all(
      found.map(async ({ height, tenantId, at, lots }) => {
        const codes = await lotsOfBreach(reader, { height, limit: LOTS_NAMED_MAX });
        return notifyWebhooks({
          ...{ brand: tenantId, type: 'hold.breached', at, blockHeight: height },
          data: { event_id: height, lots: codes, lots_total: lots },
          key: `breach-${height}`,
          condition: wasThere(at),
        });
      }),
    );
    await store.change({
      guard: whileAt('breaches', position),
      statements: [...messages, moveTo('breaches', last.height)],
    });
  }
}

/** What happened before a webhook was made is none of its business, whenever it is found. */
function wasThere(at: string): Sql {
  return sql`w.created_at < ${Date.parse(at)}`;
}

/** Findings of verifications: each brand receives a message that the chain of its hub is in doubt. */
export async function reportAlarms({ store }: LooksDeps): Promise<void> {
  const { reader } = store;
  for (;;) {
    const position = await findPosition(reader, 'alarms', 'chain.alarm');
    if (position === undefined) return;
    const found = await alarmsAbove(reader, { id: position, limit: ALARMS_PER_STEP });
    const last = found.at(-1);
    if (last === undefined) return;
    const messages = found.map(({ id, height, code, foundAt }) =>
      notifyWebhooks({
        ...{ brand: null, type: 'chain.alarm', at: foundAt, blockHeight: null },
        data: { code, height },
        key: `alarm-${id}`,
        condition: wasThere(foundAt),
      }),
    );
    await store.change({
      guard: whileAt('alarms', position),
      statements: [...messages, moveTo('alarms', last.id)],
    });
  }
}

/** Open recalls of suppliers that reached a brand: each is reported once, also one that was open before. */
export async function reportInbound(
  { store, clock }: LooksDeps,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const { reader } = store;
  const type = 'recall.inbound';
  let after = '';
  for (;;) {
    const brands = await brandsToNotify(reader, { type, after, limit: BRANDS_PER_PAGE });
    for (const brand of brands) {
      const buildName = (caseNo: string): string => `inbound ${brand} ${caseNo}`;
      const cases = casesThatReached(reader, brand, (caseNo) =>
        isReported(reader, buildName(caseNo)),
      );
      for await (const { caseNo, tenantId, title, severity } of cases) {
        if (signal.aborted) return;
        const atMs = clock.nowMs();
        await store.change({
          guard: whileNotReported(buildName(caseNo)),
          statements: [
            notifyWebhooks({
              ...{ brand, type, at: instantText(atMs), blockHeight: null },
              data: { case_no: caseNo, supplier: tenantId, title, severity },
              key: `inbound-${caseNo}`,
            }),
            noteReported(buildName(caseNo), atMs),
          ],
        });
      }
    }
    const last = brands.at(-1);
    if (last === undefined || brands.length < BRANDS_PER_PAGE) return;
    after = last;
  }
}
