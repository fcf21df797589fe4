// Follows the chain for the open cases: a lot that a block adds to the scope of a case is held within a second,
// no matter which process accepted the block. One process does this at a time. Two would do no harm, and after a
// crash a step is only repeated.
import { instantText, type Clock } from '@lothub/kit/clock';
import { cutSlices } from '@lothub/kit/in-list';
import { slicesInTurns } from '@lothub/kit/in-turns';
import { rest } from '@lothub/kit/lifecycle';
import { present } from '@lothub/kit/present';
import type { FastifyBaseLogger } from 'fastify';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { BlockDraft } from '../../ledger/decisions/draft.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import type { LedgerStore, Turn } from '../../ledger/store.ts';
import type { ChainState } from '../../ledger/verify/chain-state.ts';
import { findHash, readFollowing, type FollowingRow } from './queries.ts';
import { casesAtRevisions, claimCases, type Finding } from '../case/scope-writes.ts';
import { CaseChecks } from './lacking.ts';
import { findTouchedCases, type TouchedCase } from './touched.ts';
import { buildWideningChange, planWidening } from './widen.ts';

/** Time between two reads of the chain: a late event must be found within a second. */
const LOOK_EVERY_MS = 200;
/** Pause after a temporary failure, such as an unreachable database. */
const RETRY_MS = 1_000;
/**
 * Blocks of one step, as many as one read finds at full load: each step ends with a commit, during
 * which others cannot append.
 */
const BLOCKS_PER_STEP = 1_000;
/** Blocks of one step while a case waits: its next block combines what all of them add. */
const BLOCKS_GATHERED_MAX = 5_000;
/**
 * At most one block in this time widens a case: each block is public and is kept forever. With the duration of a
 * step it stays below the second within which a late event has to be found.
 */
const WIDENED_EVERY_MS = 900;
/** Cases that are written in one change: a commit each would take most of the time of following. */
const CASES_PER_CHANGE = 64;
/** Cases that are read at the same moment. */
const CASES_TOGETHER = 4;

export interface CaseFollowerOptions {
  readonly store: LedgerStore;
  readonly reader: LedgerReader;
  /** Receives what cases lack although they were followed. */
  readonly state: Pick<ChainState, 'report'>;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
}

/**
 * `idle`: all blocks were followed, and the last of them changed no case. `again`: there is more, or a case was
 * changed meanwhile. `waiting`: a case that was widened a moment ago keeps the blocks from being done with.
 */
export type StepOutcome = 'idle' | 'again' | 'waiting';

/**
 * The times at which cases were widened, as far as they delay the next widening. Each is the time
 * at which the step began, because that time is in its blocks. If the end of the writing counted,
 * callers would wait for the writing twice.
 */
export class WideningPace {
  readonly #everyMs: number;
  /** The times by case, the oldest first. */
  readonly #widenedMs = new Map<number, number>();

  /** @param everyMs 0: as often as there is something new */
  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** @param beganMs of the step, on the clock of `performance` */
  isDue({ caseId }: Pick<TouchedCase, 'caseId'>, beganMs: number): boolean {
    const widenedMs = this.#widenedMs.get(caseId);
    return widenedMs === undefined || beganMs - widenedMs >= this.#everyMs;
  }

  /** @param beganMs as of `isDue` */
  note(widened: readonly Pick<TouchedCase, 'caseId'>[], beganMs: number): void {
    for (const { caseId } of widened) {
      this.#widenedMs.delete(caseId);
      this.#widenedMs.set(caseId, beganMs);
    }
    for (const [caseId, widenedMs] of this.#widenedMs) {
      if (beganMs - widenedMs < this.#everyMs) break;
      this.#widenedMs.delete(caseId);
    }
  }

  /** Milliseconds until the first of the cases is due that were widened. */
  get restMs(): number {
    const [oldest = -Infinity] = this.#widenedMs.values();
    return Math.max(0, oldest + this.#everyMs - performance.now());
  }
}

export class CaseFollower implements AsyncDisposable {
  readonly #options: CaseFollowerOptions;
  readonly #turn: Turn;
  readonly #closing = new AbortController();
  readonly #checks: CaseChecks;
  #step: FollowingStep;
  #running: Promise<void> = Promise.resolve();

  private constructor(options: CaseFollowerOptions) {
    this.#options = options;
    this.#turn = options.store.turn('recall');
    this.#checks = new CaseChecks((mismatch) => {
      options.state.report(mismatch);
    });
    this.#step = {
      pace: new WideningPace(WIDENED_EVERY_MS),
      blocksMax: BLOCKS_PER_STEP,
      checks: this.#checks,
    };
  }

  /** Follows until it is closed; errors are logged, and what failed is tried again. */
  static start(options: CaseFollowerOptions): CaseFollower {
    const follower = new CaseFollower(options);
    follower.#running = follower.#run();
    return follower;
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let hasFailed = false;
    while (!signal.aborted) {
      try {
        const isOurs = await this.#turn.take();
        if (!isOurs) this.#checks.restart();
        const outcome = isOurs ? await followStep(this.#options, this.#step) : 'idle';
        if (isOurs && outcome === 'idle') await this.#checkNext();
        hasFailed = false;
        this.#step = { ...this.#step, blocksMax: BLOCKS_PER_STEP };
        if (outcome === 'idle') await rest(LOOK_EVERY_MS, signal);
        if (outcome === 'waiting') {
          this.#step = { ...this.#step, blocksMax: BLOCKS_GATHERED_MAX };
          // No longer than a look: what other cases wait for may come.
          await rest(Math.min(LOOK_EVERY_MS, this.#step.pace.restMs), signal);
        }
      } catch (error) {
        // The log has one warning for each failure, not one for each second.
        if (!hasFailed) this.#options.log.warn({ err: error }, 'following the chain failed');
        hasFailed = true;
        await rest(RETRY_MS, signal);
      }
    }
    await this.#turn.release().catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'giving up the turn to follow the chain failed');
    });
  }

  /** Compares one open case with its trace, between two looks, and adds what it lacks. */
  async #checkNext(): Promise<void> {
    const { store, reader, clock } = this.#options;
    const lacking = await this.#checks.next(reader);
    if (lacking === undefined) return;
    const { height, hash } = await reader.head();
    const found = { at: instantText(clock.nowMs()), height, hash };
    const { widenings } = await readFollowing(reader.database);
    const beganMs = performance.now();
    const options = { store, reader, ...this.#step };
    const how = { found, beganMs, widenings: present(widenings, 'how often cases were widened') };
    const isDue = this.#step.pace.isDue(lacking, beganMs);
    const outcome = isDue ? await widenCases(options, [lacking], how) : 'stale';
    if (outcome === 'stale') this.#checks.restart();
  }
}

/** The settings of one step. */
interface FollowingStep {
  readonly pace: WideningPace;
  readonly blocksMax: number;
  readonly checks?: CaseChecks;
}

/**
 * Widens the open cases by some blocks. After a crash before its end, the blocks are followed
 * again.
 */
export async function followStep(
  { store, reader, clock }: Pick<CaseFollowerOptions, 'store' | 'reader' | 'clock'>,
  step: FollowingStep = { pace: new WideningPace(0), blocksMax: BLOCKS_PER_STEP },
): Promise<StepOutcome> {
  const following = await readFollowing(reader.database);
  const { followedHeight, height, lastOpenCase, lastCase } = following;
  if (lastOpenCase === 0) return 'idle';
  const mending = step.checks?.read(following);
  if (mending !== undefined) {
    await store.write([mending]);
    return 'again';
  }
  if (followedHeight === null || followedHeight >= height) return 'idle';
  const through = Math.min(height, followedHeight + step.blocksMax);
  const hash = await findHash(reader.database, through);
  const found = { at: instantText(clock.nowMs()), height: through, hash };
  const beganMs = performance.now();
  const blocks = { above: followedHeight, through };
  let widenings = present(following.widenings, 'how often cases were widened');
  const touched = await findTouchedCases(reader, blocks);
  const due = touched.filter((one) => step.pace.isDue(one, beganMs));
  for (const some of cutSlices(due, CASES_PER_CHANGE)) {
    const outcome = await widenCases({ store, reader, ...step }, some, {
      found,
      beganMs,
      widenings,
    });
    if (outcome === 'stale') return 'again';
    if (outcome === 'done') widenings += 1;
  }
  if (due.length < touched.length) return 'waiting';
  const kind = await advance(store, { followedHeight, lastCase, widenings }, through);
  // Each step ends with a commit: at full load steps without a rest between them make dozens in a second.
  if (kind === 'done') step.checks?.wrote(through);
  const isDone = kind === 'done' && through === height && touched.length === 0;
  return isDone ? 'idle' : 'again';
}

/**
 * @param widenings how often cases had been widened when these were read
 * @returns `stale` when somebody changed the cases meanwhile: then none is widened
 */
async function widenCases(
  {
    store,
    reader,
    pace,
  }: Pick<CaseFollowerOptions, 'store' | 'reader'> & Pick<FollowingStep, 'pace'>,
  touched: readonly TouchedCase[],
  {
    found,
    beganMs,
    widenings,
  }: { readonly found: Finding; readonly beganMs: number; readonly widenings: number },
): Promise<'done' | 'none' | 'stale'> {
  const decisions: BlockDraft[] = [];
  const prepared: Sql[] = [];
  const statements: Sql[] = [];
  const widened: TouchedCase[] = [];
  for await (const some of slicesInTurns(touched, CASES_TOGETHER)) {
    const plans = await Promise.all(
      some.map(async (one) => ({ one, plan: await planWidening(reader, one, found) })),
    );
    for (const { one, plan } of plans) {
      if (plan === 'stale') return 'stale';
      if (plan === 'nothing') continue;
      const change = buildWideningChange(plan, decisions.length);
      widened.push(one);
      decisions.push(...change.decisions);
      prepared.push(...change.prepared);
      statements.push(...change.statements);
    }
  }
  if (widened.length === 0) return 'none';
  const guard = sql`
    select id
    from recall_progress
    where id = 1 and widenings = ${widenings} and exists (${casesAtRevisions(widened)})`;
  const counted = sql`update recall_progress set widenings = widenings + 1 where id = 1`;
  const { kind } = await store.decide({
    prepared: { claim: claimCases(widened), statements: prepared },
    guard,
    decisions,
    statements: [...statements, counted],
  });
  if (kind === 'done') pace.note(widened, beganMs);
  return kind;
}

/**
 * Stores that the blocks were followed, unless a case was opened since the step began, because
 * nobody has searched the blocks for that case. It also does not when another process has widened
 * cases meanwhile: reads before and after it may together show nothing to widen, and the step would
 * miss a sale of a lot that entered in between.
 */
async function advance(
  store: LedgerStore,
  read: Pick<FollowingRow, 'followedHeight' | 'lastCase' | 'widenings'>,
  through: number,
): Promise<'done' | 'stale'> {
  const { kind } = await store.change({
    guard: sql`
      select id
      from recall_progress
      where id = 1 and followed_height = ${read.followedHeight} and widenings = ${read.widenings}
        and not exists (select 1 from recall_cases where case_id > ${read.lastCase})`,
    statements: [sql`update recall_progress set followed_height = ${through} where id = 1`],
  });
  return kind;
}
