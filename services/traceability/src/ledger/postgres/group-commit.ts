// Commits groups of jobs to PostgreSQL: two round trips, between which the head of the chain is
// locked. (The outcome of a failed commit: commit-until-known.ts of the kit.)
import type { MachineClock } from '@lothub/kit/clock';
import { commitUntilKnown } from '@lothub/kit/postgres/commit-until-known';
import type {
  PostgresConnection,
  PostgresPlan,
  PostgresTransaction,
} from '@lothub/kit/postgres/connection';
import { allOrFirstFailure } from '@lothub/kit/postgres/transaction';
import { at } from '@lothub/kit/present';
import type { JobGroup } from '@lothub/kit/writer/queue';
import { Appender } from '../append/appender.ts';
import type { Head } from '../append/group-rows.ts';
import { warnOfTaskFailure } from '../append/task-failures.ts';
import { applyJob, withLog, type HeadAnswer, type HeadJob } from '../append/jobs.ts';
import { readTrusted } from '../append/trusted-time.ts';
import type { ClockTrust } from '../clock-trust.ts';
import type { Tip } from '../draft.ts';
import type { GrownGroup, LogKeeper } from '../log/log-keeper.ts';
import { listNeeds } from './group-needs.ts';
import { PostgresGroupRows } from './group-rows.ts';
import { loadCorrected, loadGroup, loadRepeated } from './load-group.ts';
import type { PostgresLogTiles } from './log-tiles.ts';
import { recountLots } from './recount-lots.ts';
import { LOCK_HEAD, takeHead } from './take-head.ts';

/**
 * A longer wait for the head means that another process held it: reading it takes a fraction of this time.
 */
const WAITED_MS = 2;

export interface GroupCommitOptions {
  readonly connection: PostgresConnection;
  readonly clock: MachineClock;
  readonly clockTrust: ClockTrust;
  /** Called after each group that is on disk, before the keeper and the callers get it. */
  readonly onCommitted: (commit: CommittedGroup) => void;
  /** Signs what is on disk; undefined: the log is off. */
  readonly keeper: Pick<LogKeeper, 'signedFrontier' | 'committed'> | undefined;
  /** Makes tiles from the leaves of signed trees. */
  readonly tiles: Pick<PostgresLogTiles, 'grew' | 'forget'>;
  /** Returns whether an alarm about the tip is open. */
  readonly isAlarmed: () => boolean;
}

export interface CommittedGroup {
  /** The head that it was built on. */
  readonly before: Tip;
  /** The last block of the group. */
  readonly tip: Tip;
  /** Texts of lots that it wrote. */
  readonly texts: number;
  /** Lines and changes on the chain before and after it. */
  readonly transactions: { readonly before: number; readonly after: number };
}

interface Attempt extends CommittedGroup {
  readonly appender: Appender;
  /** True if the block that this process sealed last is not stored any more. */
  readonly lostKnown: boolean;
  readonly since: GrownGroup['since'];
  readonly answers: readonly HeadAnswer[];
}

export class GroupCommit {
  readonly #connection: PostgresConnection;
  readonly #clock: MachineClock;
  readonly #clockTrust: ClockTrust;
  readonly #options: GroupCommitOptions;
  /** The tip of the last group of this process. */
  #known: Head | undefined;
  /** The last group had to wait for the head. */
  #hasWaited = false;

  constructor(options: GroupCommitOptions) {
    this.#connection = options.connection;
    this.#clock = options.clock;
    this.#clockTrust = options.clockTrust;
    this.#options = options;
  }

  /**
   * @throws DatabaseError `clock_untrusted`; `database_busy` when the server stays unreachable;
   * `database_unsure` when it does so after a commit was sent, so that its outcome is unknown
   */
  async commit(group: JobGroup<HeadJob>): Promise<readonly HeadAnswer[]> {
    const attempt = await commitUntilKnown<Attempt>({
      connection: this.#connection,
      group,
      isRecognised: hasBlocks,
      plan: (transaction, { unknown, attempting }) =>
        this.#plan(transaction, { group, unknown }, attempting),
    });
    // A crash here leaves the group on disk without an answer; a retry with the same external id
    // finds it.
    const { tip, grown } = attempt.appender.committed();
    this.#known = tip;
    const { onCommitted, keeper, tiles, isAlarmed } = this.#options;
    onCommitted(attempt);
    const signed = keeper?.committed({
      grown,
      since: attempt.since,
      isAlarmed: attempt.lostKnown || isAlarmed(),
    });
    if (signed === undefined) {
      tiles.forget();
      return attempt.answers;
    }
    tiles.grew(attempt.tip, [...(attempt.since?.leaves ?? []), ...(grown?.leaves ?? [])]);
    try {
      return attempt.answers.map((answer, index) => withLog(at(group.jobs, index), answer, signed));
    } catch (error) {
      // The group is on disk, so its callers must not get an error.
      warnOfTaskFailure(error);
      return attempt.answers;
    }
  }

  async #plan(
    transaction: PostgresTransaction,
    {
      group,
      unknown,
    }: { readonly group: JobGroup<HeadJob>; readonly unknown: Attempt | undefined },
    planned: (attempt: Attempt) => void,
  ): Promise<PostgresPlan<Attempt>> {
    const rows = new PostgresGroupRows();
    const askedMs = performance.now();
    // Where other processes write as well, the rows that the group needs are read once, after the
    // wait for the head. No job joins an attempt with an unknown outcome until that outcome is
    // found.
    const readsBehind = this.#hasWaited && unknown === undefined;
    if (readsBehind) {
      await transaction.all(LOCK_HEAD);
      this.#hasWaited = hasWaitedSince(askedMs);
      group.takeMore();
    }
    // A look may sign more until the group is on disk.
    const signed = this.#options.keeper?.signedFrontier;
    const [taken] = await allOrFirstFailure([
      takeHead(transaction, {
        known: this.#known,
        attempted: unknown?.tip,
        signedSize: signed?.size,
      }),
      loadGroup(transaction, listNeeds(group.jobs), rows.view),
    ]);
    if (unknown !== undefined && taken.holdsAttempted) return { writes: [], result: unknown };
    // While other processes had the head, more jobs may have come: one group of all of them takes
    // the head once.
    if (!readsBehind && hasWaitedSince(askedMs)) {
      this.#hasWaited = true;
      const more = group.takeMore();
      if (more.length > 0) await loadGroup(transaction, listNeeds(more), rows.view);
    }
    const { jobs } = group;
    await allOrFirstFailure([
      loadRepeated(transaction, rows.view),
      loadCorrected(transaction, jobs, { view: rows.view, rows: rows.chain }),
    ]);
    // The head is locked from here to the commit, so this process waits for the server only for recounts.
    const appender = new Appender({ rows, known: this.#known });
    const { databaseMs } = taken;
    const nowMs = readTrusted(this.#clock, {
      trust: this.#clockTrust,
      head: taken.head,
      databaseMs,
    });
    appender.begin(taken.head, nowMs);
    if (!taken.holdsKnown) appender.raiseTipChanged(taken.head);
    const done = jobs.map((job) => applyJob(appender, job));
    const tip = appender.end();
    const attempt = {
      appender,
      answers: done.map((finish) => finish(tip)),
      tip,
      before: taken.head,
      lostKnown: !taken.holdsKnown,
      since: signed && { signed, leaves: taken.leavesSince },
      texts: rows.lots.textsWritten,
      transactions: {
        before: taken.transactions,
        after: taken.transactions + rows.chain.transactionsWritten,
      },
    };
    planned(attempt);
    // The server inserts the blocks while this process prepares the other rows. If the insertion
    // fails, the commit fails with the same error.
    const blocks = rows.chain.takeBlocks();
    if (blocks !== undefined) transaction.all(blocks).catch(() => undefined);
    const { recounts } = rows.lots;
    const statements = rows.statements();
    if (recounts.length === 0) return { writes: statements, result: attempt };
    await allOrFirstFailure(statements.map((statement) => transaction.all(statement)));
    return { writes: await recountLots(transaction, recounts), result: attempt };
  }
}

function hasWaitedSince(askedMs: number): boolean {
  return performance.now() - askedMs > WAITED_MS;
}

/**
 * Returns whether a group has a block: without one, it cannot be found out later whether it was
 * committed.
 */
function hasBlocks({ before, tip }: Attempt): boolean {
  return tip.height > before.height;
}
