// Sends what an outbox holds. One of all processes does at a time; each delivery is claimed for a while
// before it is sent, so a process that dies loses nothing: what it had claimed is due again when the
// claim ends. A receiver may thus get one delivery twice, and knows it by its id.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@lothub/kit/clock';
import { cutSlices } from '@lothub/kit/in-list';
import { nextWorkTurn } from '@lothub/kit/in-turns';
import { present } from '@lothub/kit/present';
import type { Turn } from '@lothub/kit/turn';
import type { FastifyBaseLogger } from 'fastify';
import type { Sql } from 'sql-template-tag';
import { SEND_TIMEOUT_MS } from '../sending/send.ts';
import {
  deleteDeliveries,
  deleteReceiver,
  endPending,
  receiversToClear,
} from './clearing-queries.ts';
import {
  claimDeliveries,
  dueReceivers,
  endFailed,
  postponeDelivery,
  releaseDelivery,
} from './due-queries.ts';
import type { ClaimedRow, DueRow } from './due-queries.ts';
import { GatheredWrites } from './gathered-writes.ts';
import type { Outbox, OutboxStore } from './outbox.ts';
import { Places } from './places.ts';
import { MAY_BE_LOST, PENDING_MAX, recordTry, type DeliveryOutcome } from './record-try.ts';

/** Receivers that one look finds. */
const DUE_MAX = 2_000;
/** The longest try, and what it takes to write its result to a slow disk. */
const LEASE_MS = SEND_TIMEOUT_MS + 45_000;
/** Rest after a look that found nothing to send. */
const LOOK_PAUSE_MS = 20;
/** Rest after a look that found something: free places are shared again then. */
const SENDING_PAUSE_MS = 5;
/** Asking takes a tenth of the time at most: of a thousand receivers it takes 3 ms. */
const PAUSE_PER_ASKING = 10;
const LOOK_PAUSE_MAX_MS = 100;
/**
 * Deliveries wait at most this long for a burst of posts to end. Sending takes six times the processor time of a
 * post: beside it, a burst of 2,000 posts took twice as long.
 */
const BURST_WAIT_MAX_MS = 1_000;
/** Rest before looking again whether a burst is over. */
const BURST_PAUSE_MS = 25;
/** How often the turn is kept, or asked for. */
const TURN_EVERY_MS = 1_000;
/** Rest after the database refused. */
const FAILED_PAUSE_MS = 1_000;
/** How long tries may still take when the service stops. */
const STOP_GRACE_MS = 3_000;
/** Rows of one small transaction; posts are written in between. */
const SLICE_ROWS = 500;
/** Receivers that are cleared between two looks, */
const CLEAR_MAX = 16;
/** and how long after they were looked for they are looked for again. */
const CLEAR_PAUSE_MS = 100;

export interface OutboxWorkerOptions<Store extends OutboxStore = OutboxStore> {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  /** Called once the outcome of a try is stored. */
  readonly onTried?: ((outcome: DeliveryOutcome) => void) | undefined;
  /** 0 to 1; spreads tries. */
  readonly random?: () => number;
  readonly stopGraceMs?: number;
  readonly pendingMax?: number;
  /** Looks at least this often, for a store that does not report its commits. */
  readonly lookEveryMs?: number;
}

export class OutboxWorker<Row extends ClaimedRow> implements AsyncDisposable {
  readonly #outbox: Outbox<Row>;
  readonly #options: OutboxWorkerOptions;
  readonly #random: () => number;
  readonly #turn: Turn;
  readonly #stopping = new AbortController();
  readonly #tries = new Set<Promise<void>>();
  /** Tries that have no result yet. */
  #sendingCount = 0;
  readonly #outcomes: GatheredWrites;
  readonly #places: Places;
  #unsubscribe = (): void => undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;
  readonly #stopped = Promise.withResolvers<void>();
  #closed: Promise<void> | undefined;
  #isWoken = true;
  #hasTurn = false;
  #ring = (): void => undefined;
  /** When the next delivery is due. */
  #nextDueMs = 0;
  /** When it looked last, on the clock of `performance`: the other one may jump. 0: not yet. */
  #lookedMs = 0;
  /** What the last look took to ask what is due, and to share the places. */
  #askingMs = 0;
  /** Whether it found something to send. */
  #hasClaimed = false;
  /** Whether the last look left deliveries that are due: a try that ends makes room for one. */
  #waitsForPlace = false;
  /** When it last looked for receivers to clear, on the clock of `performance`. */
  #lookedToClearMs = -Infinity;
  /** When it is to look for them once more, on the same clock. */
  #clearsAtMs = Infinity;
  /** When it began to wait for a burst of posts, on the clock of `performance`; undefined: there is none. */
  #burstSinceMs: number | undefined;

  constructor(outbox: Outbox<Row>, options: OutboxWorkerOptions) {
    this.#outbox = outbox;
    this.#places = new Places(outbox.triesMax);
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#turn = options.store.turn(outbox.name);
    this.#outcomes = new GatheredWrites({
      write: (statements) => options.store.write(statements, MAY_BE_LOST),
      // In strict order the next delivery of a receiver waits for the outcome of this one.
      isMoreComing: () => outbox.tables.order === 'none' && this.#sendingCount > 0,
    });
  }

  start(): void {
    this.#unsubscribe =
      this.#options.store.onCommit?.(() => this.wake()) ?? ((): void => undefined);
    this.#running = this.#run();
  }

  /** There may be something to do. */
  wake(): void {
    this.#isWoken = true;
    this.#ring();
  }

  /** Starts no more tries, waits a little for running ones, and gives the turn to another process. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#isStopped = true;
    this.#stopped.resolve();
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
      this.#hasClaimed = false;
      try {
        await this.#round();
      } catch (error) {
        this.#warn(error, 'looking for deliveries');
        this.#hasTurn = false;
        this.#isWoken = true;
        if (!this.#isStopped) await sleep(FAILED_PAUSE_MS);
      }
      const pauseMs = Math.max(this.#restMs(), this.#askingMs * PAUSE_PER_ASKING);
      await Promise.race([sleep(Math.min(pauseMs, LOOK_PAUSE_MAX_MS)), this.#stopped.promise]);
      await this.#woken();
    }
  }

  #restMs(): number {
    if (this.#waitsForPlace) return SENDING_PAUSE_MS;
    if (this.#outbox.tables.order === 'none') return LOOK_PAUSE_MAX_MS;
    return this.#hasClaimed ? SENDING_PAUSE_MS : LOOK_PAUSE_MS;
  }

  /** Until somebody wakes it, a delivery is due, or the turn has to be kept. */
  async #woken(): Promise<void> {
    if (this.#isWoken || this.#isStopped) return;
    const dueInMs = this.#hasTurn ? this.#nextDueMs - this.#options.clock.nowMs() : Infinity;
    const { promise, resolve } = Promise.withResolvers<void>();
    const clearsInMs = this.#hasTurn ? this.#clearsAtMs - performance.now() : Infinity;
    const waitMs = Math.min(dueInMs, clearsInMs, this.#looksInMs(), TURN_EVERY_MS);
    const timer = setTimeout(resolve, Math.max(waitMs, 0));
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
    const isDue = this.#options.clock.nowMs() >= this.#nextDueMs || this.#looksInMs() <= 0;
    const isClearDue = performance.now() >= this.#clearsAtMs;
    if (hadTurn && !isWoken && !isDue && !isClearDue) return;
    await this.#waitForBurst();
    this.#lookedMs = performance.now();
    await this.#options.store.distribute?.();
    await this.#takeDue();
    await this.#clear();
  }

  /** Once it has waited as long as it may, it does not wait again before the burst is over. */
  async #waitForBurst(): Promise<void> {
    const { store } = this.#options;
    while (!this.#isStopped) {
      if (store.isBurst?.() !== true) {
        this.#burstSinceMs = undefined;
        return;
      }
      this.#burstSinceMs ??= performance.now();
      if (performance.now() - this.#burstSinceMs >= BURST_WAIT_MAX_MS) return;
      await sleep(BURST_PAUSE_MS);
    }
  }

  #looksInMs(): number {
    const { lookEveryMs = Infinity } = this.#options;
    return lookEveryMs - (performance.now() - this.#lookedMs);
  }

  async #takeDue(): Promise<void> {
    const { tables } = this.#outbox;
    const { store, clock } = this.#options;
    while (!this.#isStopped) {
      const at = clock.nowMs();
      const startedMs = performance.now();
      const { due, nextDueAt = Infinity } = await dueReceivers(tables, store.reader, {
        at,
        limit: DUE_MAX,
      });
      const shares = this.#places.share(due);
      this.#askingMs += performance.now() - startedMs;
      this.#nextDueMs = nextDueAt;
      this.#waitsForPlace = due.length > 0;
      if (shares.size === 0) return;
      this.#hasClaimed = true;
      const isAllTaken = await this.#claim(shares, at);
      if (isAllTaken && shares.size === due.length) {
        this.#waitsForPlace = false;
        // Later deliveries of these receivers came after those that were due now.
        this.#nextDueMs = Math.min(nextDueAt, at + TURN_EVERY_MS);
        return;
      }
    }
  }

  /** @returns whether nothing else of these receivers is due */
  async #claim(shares: ReadonlyMap<DueRow, number>, at: number): Promise<boolean> {
    const { tables, togetherMax } = this.#outbox;
    const leaseUntil = at + LEASE_MS;
    const limits = new Map(
      [...shares].map(([receiver, tries]) => [
        receiver.id,
        { receiver, limit: tries * togetherMax },
      ]),
    );
    const claims = [...limits].map(([receiverId, { limit }]) =>
      claimDeliveries(tables, { receiverId, at, leaseUntil, limit }),
    );
    const ids = (await this.#options.store.write(claims, MAY_BE_LOST)).flat().map(readId);
    // A crash from here to the record of a try leaves the claim, which ends by itself.
    const rows = await this.#readClaimed(ids);
    let isAllTaken = true;
    for (const [receiverId, claimed] of Map.groupBy(rows, (row) => row.receiverId)) {
      const { receiver, limit } = present(limits.get(receiverId), `the claim of ${receiverId}`);
      // In strict order the next one waits for the end of this one, which wakes the worker.
      if (tables.order === 'none' && claimed.length >= limit) isAllTaken = false;
      for (const [first, ...rest] of cutSlices(claimed, togetherMax)) {
        if (first === undefined) continue;
        this.#begin([first, ...rest], receiver);
        // Encrypting and connecting take half a millisecond: requests that have arrived go first.
        await nextWorkTurn();
      }
    }
    return isAllTaken;
  }

  async #readClaimed(ids: readonly string[]): Promise<readonly Row[]> {
    const { readClaimed } = this.#outbox;
    const { reader } = this.#options.store;
    const rows: Row[] = [];
    for (const slice of cutSlices(ids)) rows.push(...(await readClaimed(reader, slice)));
    return rows;
  }

  #begin(rows: Rows<Row>, receiver: DueRow): void {
    const isOneByOne = this.#outbox.tables.order === 'strict';
    const leave = this.#places.take(receiver);
    const attempt = this.#try(rows)
      .catch((error: unknown): EndedTry => {
        this.#warn(error, `delivering ${rows[0].id}`);
        return NOT_TRIED;
      })
      .then(({ tookMs, isDelivered }) => {
        leave(tookMs);
        this.#tries.delete(attempt);
        if (!isDelivered || this.#waitsForPlace || isOneByOne) this.wake();
      });
    this.#tries.add(attempt);
  }

  async #try(rows: Rows<Row>): Promise<EndedTry> {
    const { tables, send } = this.#outbox;
    const { store, clock } = this.#options;
    // Paused or deleted a moment ago: what it still has is ended by the next look.
    if (rows[0].receiverStatus !== 'active') return NOT_TRIED;
    const at = clock.nowMs();
    const startedMs = performance.now();
    this.#sendingCount += 1;
    const result = await send(rows, { atMs: at, signal: this.#stopping.signal }).finally(() => {
      this.#sendingCount -= 1;
    });
    const write = (statements: readonly Sql[]): Promise<void> => this.#outcomes.write(statements);
    if (result.kind === 'nothing') {
      await write(rows.map(({ id, attempts: attempt }) => endFailed(tables, { id, attempt, at })));
      return NOT_TRIED;
    }
    if (result.kind === 'later') {
      const { dueAt } = result;
      await write(
        rows.map(({ id, attempts: attempt }) => postponeDelivery(tables, { id, attempt, dueAt })),
      );
      return NOT_TRIED;
    }
    if (result.kind === 'stopped') {
      await write(rows.map(({ id }) => releaseDelivery(tables, { id, at })));
      return NOT_TRIED;
    }
    const tookMs = Math.round(performance.now() - startedMs);
    // A crash here leaves deliveries that arrived and are sent once more.
    const outcome = await recordTry(
      { ...this.#outbox, store, write },
      {
        rows,
        at,
        endedAt: clock.nowMs(),
        tookMs,
        result,
        random: this.#random(),
        pendingMax: this.#options.pendingMax ?? PENDING_MAX,
      },
    );
    this.#options.onTried?.(outcome);
    return { tookMs, isDelivered: outcome === 'delivered' };
  }

  /** Ends the pending deliveries of receivers that are not active any more. */
  async #clear(): Promise<void> {
    const { tables } = this.#outbox;
    const { store, clock } = this.#options;
    const at = clock.nowMs();
    if (performance.now() < this.#lookedToClearMs + CLEAR_PAUSE_MS) {
      this.#clearsAtMs = this.#lookedToClearMs + CLEAR_PAUSE_MS;
      return;
    }
    this.#lookedToClearMs = performance.now();
    this.#clearsAtMs = Infinity;
    const rows = await receiversToClear(tables, store.reader, CLEAR_MAX);
    for (const { id, status } of rows) {
      const slice = { receiverId: id, at, limit: SLICE_ROWS };
      await store.write(
        status === 'deleted'
          ? [deleteDeliveries(tables, slice), deleteReceiver(tables, id)]
          : [endPending(tables, slice)],
      );
    }
    if (rows.length === 0) return;
    this.#lookedToClearMs = -Infinity;
    this.#isWoken = true;
  }

  #warn(error: unknown, attempted: string): void {
    this.#options.log.warn({ err: error }, `${this.#outbox.name}: ${attempted} failed`);
  }
}

interface EndedTry {
  /** undefined: no request was made, or it was broken off. */
  readonly tookMs: number | undefined;
  readonly isDelivered: boolean;
}

const NOT_TRIED: EndedTry = { tookMs: undefined, isDelivered: false };

/** What one try sends. */
type Rows<Row> = readonly [Row, ...Row[]];

function readId(row: unknown): string {
  if (typeof row !== 'object' || row === null || !('id' in row) || typeof row.id !== 'string') {
    throw new Error('a claim answered something else than ids of deliveries');
  }
  return row.id;
}
