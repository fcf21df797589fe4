// The worker's side of the background verifier. It verifies from genesis, round after round, in
// small slices, follows the growth of the chain in between, and rests most of the time. If several
// processes share one ledger, one of them verifies, and the others wait for the turn.
import { setTimeout as sleep } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { ChainGrowth } from './growth.ts';
import type { VerifiedProgress, VerifierTurns } from './turns.ts';
import type { LedgerSlice, LedgerVerification } from '../ledger.ts';
import { firstBadHeight, type LedgerMismatch } from '../mismatch.ts';

/** Share of one core while the chain grows: until the first round is through, and after it. */
const SHARE_FIRST_ROUND = 0.1;
const SHARE_LATER = 0.04;
/**
 * Share of one core while the chain does not grow: a million blocks of some 20 µs take two or three
 * minutes.
 */
const SHARE_IDLE = 0.15;
/** Rest between rounds, so that a small chain is not read hundreds of times a second. */
const ROUND_PAUSE_MS = 400;
/** Interval of looks at new blocks and the totals at the tip during a round. */
const FOLLOW_EVERY_MS = 250;
/** Interval of progress reports. */
const PROGRESS_EVERY_MS = 250;
/** Rest after a read that failed for a passing reason, such as a locked database. */
const RETRY_MS = 1_000;
/**
 * Interval of requests for the turn: while another process has it, and during a long rest, in which
 * a process that sends nothing would lose it.
 */
const TURN_EVERY_MS = 1_000;
/** Blocks and lines of a slice: at first, and the bounds between which the time decides. */
const ROWS_FIRST = 64;
const ROWS_MIN = 8;
const ROWS_MAX = 1_024;
/** A slice grows or shrinks at most by this factor at once. */
const ROWS_STEP = 2;

export type VerifierOrder =
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'close' }
  /** Answered by the end of the first round that begins from now on. */
  | { readonly kind: 'round'; readonly mark: number };

export type VerifierNews =
  | { readonly kind: 'found'; readonly mismatches: readonly LedgerMismatch[] }
  | ({ readonly kind: 'progress' } & VerifiedProgress)
  /** `tookMs`: with its rests, which are most of it. */
  | { readonly kind: 'round_ended'; readonly marks: readonly number[]; readonly tookMs: number }
  /** Reading failed for a passing reason; it is tried again. */
  | { readonly kind: 'failed'; readonly message: string };

export interface VerifierLoopOptions {
  readonly port: MessagePort;
  /** A verification that starts from genesis. */
  readonly newVerification: () => SlicedVerification;
  readonly turns: VerifierTurns;
  /** Height of the last block. */
  readonly readTip: () => Promise<number>;
  /** Length of a slice: other users of the core, or of the database, wait no longer than this. */
  readonly sliceMs: number;
  readonly begin: 'running' | 'paused';
}

/** The members of a `LedgerVerification` that the loop uses. */
export type SlicedVerification = Pick<LedgerVerification, 'position' | 'advance'>;

/** Verifies until it receives the order to close. */
export async function runVerifier(options: VerifierLoopOptions): Promise<void> {
  await new VerifierLoop(options).run();
}

/** A verification and the first height that it found bad. */
interface Walk {
  readonly verification: SlicedVerification;
  firstBad: number;
  /** When it began; 0 before it does. */
  startedMs: number;
}

class VerifierLoop {
  readonly #port: MessagePort;
  readonly #newVerification: () => SlicedVerification;
  readonly #turns: VerifierTurns;
  readonly #sliceMs: number;
  readonly #growth: ChainGrowth;
  /** The current round. */
  #round: Walk;
  /** The last whole round, which follows the chain at the tip. */
  #follower: Walk | undefined;
  #roundDueMs = 0;
  #followDueMs = 0;
  #progressDueMs = 0;
  #restedMs = 0;
  #rowsMax = ROWS_FIRST;
  /** While the chain grows. */
  #share = SHARE_FIRST_ROUND;
  #marks: { readonly waiting: number[]; inRound: readonly number[] } = { waiting: [], inRound: [] };
  #paused: boolean;
  #closing = false;
  #failure = '';
  #wake = new AbortController();

  constructor(options: VerifierLoopOptions) {
    this.#port = options.port;
    this.#newVerification = options.newVerification;
    this.#turns = options.turns;
    this.#sliceMs = options.sliceMs;
    this.#growth = new ChainGrowth(options.readTip);
    this.#paused = options.begin === 'paused';
    this.#round = this.#newWalk();
    options.port.on('message', (order: VerifierOrder) => this.#obey(order));
  }

  async run(): Promise<void> {
    while (!this.#closing) {
      if (this.#paused) await this.#lieDown();
      else await this.#turn();
    }
    await this.#release();
  }

  #obey(order: VerifierOrder): void {
    switch (order.kind) {
      case 'pause':
      case 'resume':
        this.#paused = order.kind === 'pause';
        break;
      case 'close':
        this.#closing = true;
        break;
      case 'round':
        this.#marks.waiting.push(order.mark);
        this.#roundDueMs = 0;
        break;
    }
    this.#restedMs = 0;
    this.#wake.abort();
  }

  /** Does one slice of each task that is due, and then rests in proportion. */
  async #turn(): Promise<void> {
    try {
      const isOurs = await this.#turns.take();
      // A round that a caller waits for runs beside that of another process: turns only save work,
      // and two verifications at a time do no harm.
      if (!isOurs && !this.#isWaitedFor) return await this.#waitForTurn();
      if (performance.now() >= this.#restedMs) await this.#advanceDue(isOurs ? 'ours' : 'anothers');
      this.#failure = '';
    } catch (error) {
      this.#tellFailure(error);
      return await this.#rest(RETRY_MS);
    }
    await this.#rest(Math.min(this.#restedMs - performance.now(), TURN_EVERY_MS));
  }

  get #isWaitedFor(): boolean {
    return this.#marks.waiting.length > 0 || this.#marks.inRound.length > 0;
  }

  /**
   * Waits for the turn. A process that gets it starts from genesis, and follows the chain only from
   * blocks that it has verified itself.
   */
  async #waitForTurn(): Promise<void> {
    this.#follower = undefined;
    this.#round = this.#newWalk();
    this.#roundDueMs = 0;
    this.#share = SHARE_FIRST_ROUND;
    const shared = await this.#turns.shared();
    if (shared !== undefined) this.#report({ kind: 'progress', ...shared });
    this.#failure = '';
    await this.#rest(TURN_EVERY_MS);
  }

  async #advanceDue(turn: 'ours' | 'anothers'): Promise<void> {
    const startedMs = performance.now();
    if (startedMs >= this.#roundDueMs) await this.#advanceRound();
    if (turn === 'ours' && this.#follower !== undefined && startedMs >= this.#followDueMs) {
      await this.#follow(this.#follower);
    }
    const share = (await this.#growth.isGrowing(startedMs)) ? this.#share : SHARE_IDLE;
    const nowMs = performance.now();
    // A round that a caller waits for has no rest, neither between two slices nor before it.
    const restMs = this.#isWaitedFor ? 0 : (nowMs - startedMs) * (1 / share - 1);
    const dueMs = Math.min(this.#roundDueMs, this.#followDueMs);
    this.#restedMs = Math.max(nowMs + restMs, dueMs);
  }

  async #advanceRound(): Promise<void> {
    const walk = this.#round;
    if (walk.verification.position.height < 0) {
      walk.startedMs = performance.now();
      this.#marks.inRound = [...this.#marks.inRound, ...this.#marks.waiting.splice(0)];
    }
    const status = await this.#advance(walk);
    if (status === 'more') return;
    // A broken chain cannot be followed; the next round says whether it is still broken.
    this.#follower = status === 'complete' ? walk : undefined;
    this.#followDueMs = performance.now() + FOLLOW_EVERY_MS;
    this.#share = SHARE_LATER;
    this.#round = this.#newWalk();
    this.#roundDueMs = this.#marks.waiting.length > 0 ? 0 : performance.now() + ROUND_PAUSE_MS;
    // If this fails, callers that wait get the result of the next round.
    await this.#shareProgress(this.#marks.inRound.length > 0 ? 'at_once' : 'in_time');
    const tookMs = performance.now() - walk.startedMs;
    this.#report({ kind: 'round_ended', marks: this.#marks.inRound, tookMs });
    this.#marks.inRound = [];
  }

  async #follow(walk: Walk): Promise<void> {
    const status = await this.#advance(walk);
    if (status === 'broken') this.#follower = undefined;
    if (status !== 'more') this.#followDueMs = performance.now() + FOLLOW_EVERY_MS;
  }

  async #advance(walk: Walk): Promise<LedgerSlice['status']> {
    const startedMs = performance.now();
    const slice = await walk.verification.advance(this.#rowsMax);
    const elapsedMs = performance.now() - startedMs;
    if (slice.status === 'more') {
      this.#rowsMax = nextRowsMax(this.#rowsMax, elapsedMs / this.#sliceMs);
    }
    const bad = firstBadHeight(slice.mismatches);
    if (bad !== null) {
      walk.firstBad = Math.min(walk.firstBad, bad);
      this.#report({ kind: 'found', mismatches: slice.mismatches });
    }
    if (performance.now() >= this.#progressDueMs) await this.#shareProgress('in_time');
    return slice.status;
  }

  #newWalk(): Walk {
    return { verification: this.#newVerification(), firstBad: Infinity, startedMs: 0 };
  }

  async #shareProgress(when: 'at_once' | 'in_time'): Promise<void> {
    this.#progressDueMs = performance.now() + PROGRESS_EVERY_MS;
    const walk = this.#follower ?? this.#round;
    const firstBad = Math.min(walk.firstBad, this.#round.firstBad);
    const verifiedThrough = Math.min(walk.verification.position.height, firstBad - 1);
    if (verifiedThrough < 0) return;
    const progress = await this.#turns.share(verifiedThrough, when);
    if (progress !== undefined) this.#report({ kind: 'progress', ...progress });
  }

  async #lieDown(): Promise<void> {
    await this.#release();
    await this.#rest(LONGEST_REST_MS);
  }

  /** Returns the turn. If that fails, the turn expires. */
  async #release(): Promise<void> {
    try {
      await this.#turns.release();
    } catch (error) {
      this.#tellFailure(error);
    }
  }

  #tellFailure(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message === this.#failure) return;
    this.#failure = message;
    this.#report({ kind: 'failed', message });
  }

  #report(news: VerifierNews): void {
    this.#port.postMessage(news);
  }

  /** Ends early when an order comes. */
  async #rest(ms: number): Promise<void> {
    const { signal } = this.#wake;
    try {
      await sleep(Math.max(0, ms), undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
      this.#wake = new AbortController();
    }
  }
}

/** The longest sleep of a paused verifier before it sleeps again: a timer has a limit. */
const LONGEST_REST_MS = 60_000;

/**
 * Returns the number of rows that would have taken the time of a slice; the last slice took `share` of it.
 * The number changes in steps.
 */
function nextRowsMax(rowsMax: number, share: number): number {
  const fitting = rowsMax / Math.max(share, 1 / ROWS_MAX);
  const step = Math.min(Math.max(fitting, rowsMax / ROWS_STEP), rowsMax * ROWS_STEP);
  return Math.round(Math.min(Math.max(step, ROWS_MIN), ROWS_MAX));
}
