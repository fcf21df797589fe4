// Sends what the outbox holds. One of all processes does at a time; each delivery is claimed for a while
// before it is sent, so a process that dies loses nothing: what it had claimed is due again when the
// claim ends. A receiver may thus get one delivery twice, and knows it by its id.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@lothub/kit/clock';
import type { Turn } from '@lothub/kit/turn';
import type { FastifyBaseLogger } from 'fastify';
import type { NotificationStore } from '../store/store.ts';
import {
  deleteDeliveries,
  deleteWebhook,
  endPending,
  webhooksToClear,
} from './clearing-queries.ts';
import {
  claimDeliveries,
  claimedDeliveries,
  dueWebhooks,
  endFailed,
  releaseDelivery,
} from './outbox-queries.ts';
import type { ClaimedRow, DueRow } from './outbox-queries.ts';
import { PENDING_MAX, recordTry } from './record-try.ts';
import { SEND_TIMEOUT_MS } from './send.ts';
import type { Send } from './send.ts';
import { webhookRequest } from './webhook-request.ts';

/** Requests under way at a time, of all webhooks. */
const IN_FLIGHT_MAX = 64;
/** Of one webhook; of one whose last try failed there is one, so that it cannot take all places. */
const IN_FLIGHT_PER_WEBHOOK = 8;
const IN_FLIGHT_WHILE_FAILING = 1;
/** The longest try, and what it takes to write its result to a slow disk. */
const LEASE_MS = SEND_TIMEOUT_MS + 45_000;
/** Rest between two looks: under a stream of posts one look finds many deliveries. */
const LOOK_PAUSE_MS = 20;
/** Asking takes a tenth of the time at most: of a thousand webhooks it takes 3 ms. */
const PAUSE_PER_ASKING = 10;
const LOOK_PAUSE_MAX_MS = 100;
/** How often the turn is kept, or asked for. */
const TURN_EVERY_MS = 1_000;
/** Rest after the database refused. */
const FAILED_PAUSE_MS = 1_000;
/** How long tries may still take when the service stops. */
const STOP_GRACE_MS = 3_000;
/** Rows of one small transaction, between which posts go on. */
const SLICE_ROWS = 500;
/** Webhooks that are cleared between two looks. */
const CLEAR_MAX = 16;

export interface DeliveryWorkerOptions {
  readonly store: NotificationStore;
  readonly clock: Clock;
  readonly send: Send;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  /** 0 to 1; spreads tries. */
  readonly random?: () => number;
  readonly stopGraceMs?: number;
  readonly pendingMax?: number;
}

interface Places {
  taken: number;
  /** As many as it may take. */
  readonly most: number;
}

export class DeliveryWorker implements AsyncDisposable {
  readonly #options: DeliveryWorkerOptions;
  readonly #random: () => number;
  readonly #turn: Turn;
  readonly #stopping = new AbortController();
  readonly #tries = new Set<Promise<void>>();
  readonly #places = new Map<string, Places>();
  #unsubscribe = (): void => undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;
  #closed: Promise<void> | undefined;
  #isWoken = true;
  #hasTurn = false;
  #ring = (): void => undefined;
  /** When the next delivery is due that could be taken. */
  #nextDueMs = 0;
  /** What the last look took to ask what is due. */
  #askingMs = 0;

  constructor(options: DeliveryWorkerOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#turn = options.store.turn('delivery');
  }

  start(): void {
    this.#unsubscribe = this.#options.store.onCommit(() => this.wake());
    this.#running = this.#run();
  }

  /** There may be something to do. */
  wake(): void {
    this.#isWoken = true;
    this.#ring();
  }

  /** Begins nothing more, gives tries under way a little time, and the turn to another process. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    this.wake();
    const graceMs = this.#options.stopGraceMs ?? STOP_GRACE_MS;
    const graceIsOver = sleep(graceMs, undefined, { ref: false });
    await this.#running;
    const ended = Promise.all(this.#tries);
    await Promise.race([ended, graceIsOver]);
    this.#stopping.abort();
    await ended;
    // Without the database another process takes the turn when it ends by itself.
    await this.#turn.release().catch((error: unknown) => this.#warn(error, 'giving up the turn'));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#askingMs = 0;
      try {
        await this.#round();
      } catch (error) {
        this.#warn(error, 'looking for deliveries');
        this.#hasTurn = false;
        this.#isWoken = true;
        if (!this.#isStopped) await sleep(FAILED_PAUSE_MS);
      }
      const pauseMs = Math.max(LOOK_PAUSE_MS, this.#askingMs * PAUSE_PER_ASKING);
      await sleep(Math.min(pauseMs, LOOK_PAUSE_MAX_MS));
      await this.#woken();
    }
  }

  /** Until somebody wakes it, a delivery is due, or the turn has to be kept. */
  async #woken(): Promise<void> {
    if (this.#isWoken || this.#isStopped) return;
    const dueInMs = this.#hasTurn ? this.#nextDueMs - this.#options.clock.nowMs() : Infinity;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.min(Math.max(dueInMs, 0), TURN_EVERY_MS));
    this.#ring = resolve;
    await promise;
    clearTimeout(timer);
  }

  async #round(): Promise<void> {
    const hadTurn = this.#hasTurn;
    this.#hasTurn = await this.#turn.take();
    const isWoken = this.#isWoken;
    this.#isWoken = false;
    if (!this.#hasTurn) return;
    // What another process has left is looked for as soon as the turn is ours.
    const isDue = this.#options.clock.nowMs() >= this.#nextDueMs;
    if (hadTurn && !isWoken && !isDue) return;
    await this.#takeDue();
    await this.#clear();
  }

  async #takeDue(): Promise<void> {
    const { store, clock } = this.#options;
    while (!this.#isStopped) {
      const free = IN_FLIGHT_MAX - this.#tries.size;
      const full = [...this.#places].filter(([, { taken, most }]) => taken >= most);
      this.#nextDueMs = Infinity;
      // The end of each try wakes this up.
      if (free === 0) return;
      const at = clock.nowMs();
      const startedMs = performance.now();
      const webhooks = await dueWebhooks(store.reader, {
        without: full.map(([id]) => id),
        limit: free,
      });
      this.#askingMs += performance.now() - startedMs;
      const due = webhooks.filter(({ dueAt }) => dueAt <= at);
      this.#nextDueMs = webhooks.find(({ dueAt }) => dueAt > at)?.dueAt ?? Infinity;
      if (due.length === 0) return;
      await this.#claim(due, { at, free });
    }
  }

  async #claim(
    webhooks: readonly DueRow[],
    { at, free }: { readonly at: number; readonly free: number },
  ): Promise<void> {
    const { store } = this.#options;
    // Everybody gets a place before anybody gets many.
    const share = Math.max(1, Math.floor(free / webhooks.length));
    const claims = webhooks.flatMap(({ id, failures }) => {
      const limit = Math.min(share, this.#freePlaces(id, failures));
      if (limit <= 0) return [];
      return [claimDeliveries({ webhookId: id, at, leaseUntil: at + LEASE_MS, limit })];
    });
    if (claims.length === 0) return;
    const ids = (await store.write(claims)).flat().map(idOf);
    // A crash from here to the record of a try leaves the claim, which ends by itself.
    for (const row of await claimedDeliveries(store.reader, ids)) this.#begin(row);
  }

  #freePlaces(webhookId: string, failures: number): number {
    const most = failures > 0 ? IN_FLIGHT_WHILE_FAILING : IN_FLIGHT_PER_WEBHOOK;
    const taken = this.#places.get(webhookId)?.taken ?? 0;
    this.#places.set(webhookId, { taken, most });
    return most - taken;
  }

  #begin(row: ClaimedRow): void {
    const places = this.#places.get(row.webhookId) ?? { taken: 0, most: IN_FLIGHT_WHILE_FAILING };
    places.taken += 1;
    this.#places.set(row.webhookId, places);
    const attempt = this.#try(row)
      .catch((error: unknown) => this.#warn(error, `delivering ${row.id}`))
      .finally(() => {
        this.#tries.delete(attempt);
        this.#leave(row.webhookId);
        this.wake();
      });
    this.#tries.add(attempt);
  }

  #leave(webhookId: string): void {
    const places = this.#places.get(webhookId);
    if (places === undefined) return;
    places.taken -= 1;
    if (places.taken === 0) this.#places.delete(webhookId);
  }

  async #try(row: ClaimedRow): Promise<void> {
    const { store, clock, send } = this.#options;
    // Paused or deleted a moment ago: what it still has is ended by the next look.
    if (row.webhookStatus !== 'active') return;
    const at = clock.nowMs();
    const request = webhookRequest(row, { atMs: at, signal: this.#stopping.signal });
    if (request === undefined) {
      await store.write([endFailed({ id: row.id, attempt: row.attempts, at })]);
      return;
    }
    const startedMs = performance.now();
    const result = await send(request);
    if (result.kind === 'stopped') {
      await store.write([releaseDelivery({ id: row.id, at })]);
      return;
    }
    const tookMs = Math.round(performance.now() - startedMs);
    // A crash here leaves a delivery that arrived and is sent once more.
    await recordTry(store, {
      row,
      at,
      endedAt: clock.nowMs(),
      tookMs,
      result,
      random: this.#random(),
      pendingMax: this.#options.pendingMax ?? PENDING_MAX,
    });
  }

  /** Ends what webhooks still have that send no more. */
  async #clear(): Promise<void> {
    const { store, clock } = this.#options;
    const at = clock.nowMs();
    const rows = await webhooksToClear(store.reader, CLEAR_MAX);
    for (const { id, status } of rows) {
      const slice = { webhookId: id, at, limit: SLICE_ROWS };
      await store.write(
        status === 'deleted' ? [deleteDeliveries(slice), deleteWebhook(id)] : [endPending(slice)],
      );
    }
    if (rows.length > 0) this.#isWoken = true;
  }

  #warn(error: unknown, attempted: string): void {
    this.#options.log.warn({ err: error }, `webhooks: ${attempted} failed`);
  }
}

function idOf(row: unknown): string {
  if (typeof row !== 'object' || row === null || !('id' in row) || typeof row.id !== 'string') {
    throw new Error('a claim answered something else than ids of deliveries');
  }
  return row.id;
}
