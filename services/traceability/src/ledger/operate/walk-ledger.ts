// Walks a whole ledger to verify it: in ranges and in several threads while all is right, else from genesis
// block by block, which says what is wrong, in the order of the blocks.
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainPosition, VerificationDepth } from '@lothub/chain';
import { DatabaseError } from '@lothub/kit/database';
import { nextTurn } from '@lothub/kit/in-turns';
import type { LogRecordReading } from '../log/log-record.ts';
import type { OperatedDatabase } from '../operated-database.ts';
import { LedgerVerification } from '../verify/ledger.ts';
import type { LedgerSlice, LedgerVerificationOptions } from '../verify/ledger.ts';
import { Findings, type LedgerMismatch } from '../verify/mismatch.ts';
import { verifyLotsInRanges, verifyRanges } from '../verify/ranges/join.ts';
import type { Answer } from '../verify/ranges/orders.ts';
import { VerifierThreads, type OrderTaker } from '../verify/ranges/threads.ts';
import type { TipRecordSource } from '../verify/tip.ts';

/** Blocks and lines of one slice; progress is reported after each. */
const ROWS_PER_SLICE = 1_000;
/** A verification that takes hours does not fail because the database was away for a moment. */
const ATTEMPTS_MAX = 10;
const RETRY_MS = 1_000;
/** Threads at most: each has a connection, and up to 100 MB of memory. */
const THREADS_MAX = 16;
/** Blocks of one order to a thread: a fifth of a second. */
const BLOCKS_PER_RANGE = 8_192;
/** Shorter chains are verified before a thread has loaded what it needs. */
const BLOCKS_MIN: Readonly<Record<VerificationDepth, number>> = {
  contents: 30_000,
  links: 500_000,
};

const NO_RECORD: LogRecordReading = { kind: 'absent' };

export interface VerificationProgress {
  /** Blocks below this height are found good. */
  readonly height: number;
  /** Height of the last block when the verification began. */
  readonly total: number;
}

export interface WalkOptions {
  readonly database: Pick<OperatedDatabase, 'snapshots' | 'ranges' | 'findStorageDamage'>;
  readonly depth: VerificationDepth;
  readonly tipRecord: TipRecordSource;
  readonly logRecord: LedgerVerificationOptions['logRecord'];
  /** As in `LedgerVerificationOptions`. */
  readonly isCutAccepted: boolean;
  /** Height of the last block; -1 without any. */
  readonly total: number;
  readonly onProgress: ((progress: VerificationProgress) => void) | undefined;
}

export interface WalkedLedger {
  /** The last block found good. */
  readonly position: ChainPosition;
  readonly contentsNotJudged: number;
  /** Bounded; `mismatchCount` counts all. */
  readonly findings: Findings;
  readonly mismatchCount: number;
  /** Damage that the engine finds in its storage; at the depth `contents` alone. */
  readonly damage: LedgerMismatch | undefined;
}

type WalkedRows = Omit<WalkedLedger, 'damage'>;

/** @throws DatabaseError when the database stays busy */
export async function walkLedger(options: WalkOptions): Promise<WalkedLedger> {
  const { database, depth, total } = options;
  const count = Math.min(availableParallelism(), THREADS_MAX);
  const isWhole = depth === 'contents';
  if (count === 1 || total < BLOCKS_MIN[depth]) {
    const walked = await walkRows(options);
    return { ...walked, damage: isWhole ? await findDamage(database, walked) : undefined };
  }
  await using threads = new VerifierThreads({ source: database.ranges, count });
  // The longest of all orders comes first.
  const storage = isWhole ? threads.ask({ kind: 'storage' }) : undefined;
  const walked =
    (await walkInRanges(options, { threads, blocksPerRange: BLOCKS_PER_RANGE })) ??
    (await walkRows(options));
  return { ...walked, damage: storage && (await findDamage(database, walked, storage)) };
}

/** @param storage the answer of a thread that looks for it, if one does */
async function findDamage(
  database: WalkOptions['database'],
  { position }: WalkedRows,
  storage?: Promise<Answer>,
): Promise<LedgerMismatch | undefined> {
  const height = Math.max(0, position.height);
  const answer = await orNothing(async () => await storage);
  return answer?.kind === 'sound' ? undefined : await database.findStorageDamage(height);
}

/** @returns undefined when something is not right, or a thread has died */
export async function walkInRanges(
  options: Omit<WalkOptions, 'database'> & {
    readonly database: Pick<WalkOptions['database'], 'snapshots'>;
  },
  { threads, blocksPerRange }: { readonly threads: OrderTaker; readonly blocksPerRange: number },
): Promise<WalkedRows | undefined> {
  const { database, depth, total, onProgress } = options;
  const { snapshots: reader } = database;
  let blocks = 0;
  const begin = await orNothing(() =>
    verifyRanges({
      threads,
      reader,
      depth,
      scope: chooseScope(depth),
      through: total,
      blocksPerRange,
      logRecord: options.logRecord?.() ?? NO_RECORD,
      isCutAccepted: options.isCutAccepted,
      onBlocks: (count) => {
        blocks += count;
        onProgress?.({ height: blocks - 1, total });
      },
    }),
  );
  if (begin === undefined) return undefined;
  const walked = await walkRows(options, {
    begin,
    compareLots: async (lots) =>
      (await orNothing(() => verifyLotsInRanges({ threads, reader }, lots))) === true,
  });
  return walked.mismatchCount === 0 ? walked : undefined;
}

/**
 * Returns undefined after any error: the caller then does the work again, and a lasting error
 * occurs again.
 */
async function orNothing<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

function chooseScope(depth: VerificationDepth): LedgerVerificationOptions['scope'] {
  return depth === 'contents' ? 'ledger' : 'blocks';
}

async function walkRows(
  options: Omit<WalkOptions, 'database'> & {
    readonly database: Pick<WalkOptions['database'], 'snapshots'>;
  },
  known: Pick<LedgerVerificationOptions, 'begin' | 'compareLots'> = {},
): Promise<WalkedRows> {
  const { database, depth, tipRecord, logRecord, isCutAccepted, total, onProgress } = options;
  const verification = new LedgerVerification({
    reader: database.snapshots,
    depth,
    scope: chooseScope(depth),
    tipRecord,
    logRecord,
    isCutAccepted,
    ...known,
  });
  const findings = new Findings();
  let mismatchCount = 0;
  let status: 'more' | 'complete' | 'broken' = 'more';
  while (status === 'more') {
    const slice = await advance(verification);
    ({ status } = slice);
    mismatchCount += slice.mismatchCount;
    for (const mismatch of slice.mismatches) findings.add(mismatch);
    onProgress?.({ height: verification.position.height, total });
    // Signals and the drawing of progress get their turn.
    await nextTurn();
  }
  const { position, contentsNotJudged } = verification;
  return { position, contentsNotJudged, findings, mismatchCount };
}

async function advance(verification: LedgerVerification): Promise<LedgerSlice> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await verification.advance(ROWS_PER_SLICE);
    } catch (error) {
      const isPassing = error instanceof DatabaseError && error.code === 'database_busy';
      if (!isPassing || attempt >= ATTEMPTS_MAX) throw error;
      await sleep(RETRY_MS);
    }
  }
}
