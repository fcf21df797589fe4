// Notifies those who watch: first what steps of recalls are to each watch (fan-out.ts), then one after the other what is
// due, some at a time. Of several processes one does it. A try is claimed by a lease: a crash leaves claims, which
// end by themselves, so a person who was notified at that moment is notified twice, with the same id.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@lothub/kit/clock';
import { waitAfter } from '@lothub/delivery/outbox/schedule';
import type { FastifyBaseLogger } from 'fastify';
import type { Sql } from 'sql-template-tag';
import type { LedgerStore, Turn } from '../../ledger/store.ts';
import { composeMessage, type ComposeDeps } from './compose.ts';
import {
  MAIL_ROUTE,
  claimDue,
  claimedDeliveries,
  endDelivery,
  endOlder,
  giveBack,
  hasNewer,
  putOff,
  routesDue,
} from './delivery-queries.ts';
import type { ClaimedDelivery, DeliveryKey } from './delivery-queries.ts';
import { fanOut } from './fan-out.ts';
import { REFUSALS_MAX, WATCH_MS } from '../limits.ts';
import type { WayResult, Ways } from './ways.ts';
import {
  activate,
  deleteAddress,
  deleteRefused,
  deleteWatch,
  noteRefusals,
  whileWatch,
} from '../watch-queries.ts';

/** A message leaves within this time; the store does not say when it commits. */
const LOOK_EVERY_MS = 500;
/** Rest between two looks while there is something to do. */
const PAUSE_MS = 20;
const FAILED_PAUSE_MS = 1_000;
/** How long tries may still take when the service stops. */
const STOP_GRACE_MS = 3_000;
/** Longer than any try takes (mails: 30 s), with its record on a slow disk. */
const LEASE_MS = 90_000;
/** Ways that are looked at a time. */
const ROUTES_MAX = 200;

/** Tries under way at a time, in all and by one way. */
const AT_ONCE_MAX = 64;
const MAILS_AT_ONCE = 8;
const PUSHES_AT_ONCE = 16;
/** Tries at once by a way whose last try got no answer: a way that never answers delays only itself. */
const SLOW_AT_ONCE = 1;

export type TriedOutcome = WayResult['kind'];

export interface WatchWorkerOptions {
  readonly store: Pick<LedgerStore, 'change' | 'reader' | 'turn' | 'write'>;
  readonly clock: Clock;
  readonly compose: ComposeDeps;
  readonly ways: Ways;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  /** Called once the result of a try is stored. */
  readonly onTried?: ((channel: 'mail' | 'push', outcome: TriedOutcome) => void) | undefined;
  readonly lookEveryMs?: number | undefined;
  /** 0 to 1; spreads tries. */
  readonly random?: () => number;
}

export class WatchWorker implements AsyncDisposable {
  readonly #options: WatchWorkerOptions;
  readonly #turn: Turn;
  readonly #closing = new AbortController();
  readonly #stopping = new AbortController();
  readonly #tries = new Map<Promise<void>, string>();
  readonly #slow = new Set<string>();
  #running: Promise<void> = Promise.resolve();
  #ring = (): void => undefined;

  private constructor(options: WatchWorkerOptions) {
    this.#options = options;
    this.#turn = options.store.turn('watching');
  }

  static start(options: WatchWorkerOptions): WatchWorker {
    const worker = new WatchWorker(options);
    worker.#running = worker.#run();
    return worker;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#ring();
    const graceIsOver = sleep(STOP_GRACE_MS, undefined, { ref: false });
    await this.#running;
    const ended = Promise.all(this.#tries.keys());
    await Promise.race([ended, graceIsOver]);
    this.#stopping.abort();
    await ended;
    await this.#turn.release().catch((error: unknown) => this.#warn(error, 'giving up the turn'));
  }

  async #run(): Promise<void> {
    let hasFailed = false;
    while (!this.#closing.signal.aborted) {
      try {
        const isBusy = (await this.#mayGoOn()) && (await this.#round());
        hasFailed = false;
        await this.#rest(isBusy ? PAUSE_MS : (this.#options.lookEveryMs ?? LOOK_EVERY_MS));
      } catch (error) {
        if (!hasFailed) this.#warn(error, 'looking for messages to send');
        hasFailed = true;
        await this.#rest(FAILED_PAUSE_MS);
      }
    }
  }

  async #mayGoOn(): Promise<boolean> {
    return !this.#closing.signal.aborted && (await this.#turn.take());
  }

  /** Ends early when a try has ended. */
  async #rest(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ring = resolve;
    if (this.#closing.signal.aborted) return;
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
  }

  /** @returns whether something was begun */
  async #round(): Promise<boolean> {
    const { store, clock } = this.#options;
    await fanOut({ store, clock }, () => this.#mayGoOn());
    const at = clock.nowMs();
    const due = (await routesDue(store.reader, ROUTES_MAX)).filter(({ dueAt }) => dueAt <= at);
    let hasBegun = false;
    for (const { route } of due) {
      const limit = this.#countPlaces(route);
      if (limit <= 0) continue;
      const claimed = await this.#claim(route, limit);
      for (const delivery of claimed) this.#begin(delivery);
      hasBegun ||= claimed.length > 0;
    }
    return hasBegun;
  }

  #countPlaces(route: string): number {
    const most = route === MAIL_ROUTE ? MAILS_AT_ONCE : PUSHES_AT_ONCE;
    const own = [...this.#tries.values()].filter((other) => other === route).length;
    const allowed = this.#slow.has(route) ? SLOW_AT_ONCE : most;
    return Math.min(allowed - own, AT_ONCE_MAX - this.#tries.size);
  }

  async #claim(route: string, limit: number): Promise<readonly ClaimedDelivery[]> {
    const { store, clock } = this.#options;
    const at = clock.nowMs();
    const claim = claimDue({ route, at, leaseUntil: at + LEASE_MS, limit });
    const [rows = []] = await store.write([claim]);
    return await claimedDeliveries(store.reader, rows.map(readKey));
  }

  #begin(delivery: ClaimedDelivery): void {
    const attempt = this.#try(delivery)
      .catch((error: unknown) => this.#warn(error, `sending to ${delivery.watchId}`))
      .finally(() => {
        this.#tries.delete(attempt);
        this.#ring();
      });
    this.#tries.set(attempt, delivery.route);
  }

  async #try(delivery: ClaimedDelivery): Promise<void> {
    const { store, compose, ways, onTried } = this.#options;
    const { attempts, channel, route } = delivery;
    // The newer message replaces the older one: it says how things are now.
    const isOld = attempts > 1 && (await hasNewer(store.reader, delivery));
    const message = isOld ? undefined : await composeMessage(compose, delivery);
    if (message === undefined) {
      await store.write([endDelivery(delivery)]);
      return;
    }
    const way = ways[channel];
    const result: WayResult =
      way === undefined
        ? { kind: 'later', retryAfterMs: null, isSlow: false }
        : await way(delivery, message, this.#stopping.signal);
    if (result.kind === 'later' && result.isSlow) this.#slow.add(route);
    else this.#slow.delete(route);
    // After a crash here a person is notified a second time.
    await this.#record(delivery, result);
    onTried?.(channel, result.kind);
  }

  async #record(delivery: ClaimedDelivery, result: WayResult): Promise<void> {
    const { store, clock, random = Math.random } = this.#options;
    const { watchId, address, attempts } = delivery;
    const nowMs = clock.nowMs();
    switch (result.kind) {
      case 'sent':
        await store.write([
          endDelivery(delivery),
          endOlder(delivery),
          noteRefusals(address, 'none'),
        ]);
        if (delivery.says === 'welcome') await this.#activate(watchId, nowMs);
        return;
      case 'gone':
        await store.write([deleteAddress(address)]);
        return;
      case 'refused':
        await store.write(refusedStatements(delivery));
        return;
      case 'stopped':
        await store.write([giveBack(delivery, { at: nowMs })]);
        return;
      case 'later': {
        const { retryAfterMs } = result;
        const waitMs = waitAfter({ number: attempts, retryAfterMs, random: random() });
        await store.write(
          waitMs === undefined
            ? refusedStatements(delivery)
            : [putOff(delivery, { attempts, dueAt: nowMs + waitMs })],
        );
      }
    }
  }

  /** The first message to a device arrived: from here on it is notified. */
  async #activate(watchId: string, nowMs: number): Promise<void> {
    await this.#options.store.change({
      guard: whileWatch(watchId, 'pending'),
      statements: [activate(watchId, nowMs + WATCH_MS)],
    });
  }

  #warn(error: unknown, attempted: string): void {
    this.#options.log.warn({ err: error }, `watching: ${attempted} failed`);
  }
}

/** Nobody has confirmed an address that does not take the first message. */
function refusedStatements(delivery: ClaimedDelivery): readonly Sql[] {
  const { watchId, address, attempts, status } = delivery;
  if (status === 'pending') return [deleteWatch(watchId)];
  return [
    endDelivery(delivery, attempts),
    noteRefusals(address, 'one more'),
    deleteRefused(address, REFUSALS_MAX),
  ];
}

function readKey(row: unknown): DeliveryKey {
  if (
    typeof row === 'object' &&
    row !== null &&
    'watchId' in row &&
    'topic' in row &&
    typeof row.watchId === 'string' &&
    typeof row.topic === 'string'
  ) {
    return { watchId: row.watchId, topic: row.topic };
  }
  throw new Error('a claim answered something else than keys of deliveries');
}
