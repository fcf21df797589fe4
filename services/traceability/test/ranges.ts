// A verification in ranges without threads: what a thread would do is done here, one order after the other,
// in ranges of a few blocks, so that every test of what a verification notices tries it, too.
import assert from 'node:assert/strict';
import { openOperated } from '../src/ledger/operate/open-operated.ts';
import { walkInRanges } from '../src/ledger/operate/walk-ledger.ts';
import type { VerificationReport } from '../src/ledger/operate/verify-database.ts';
import type { LedgerPlace } from '../src/ledger/operated-database.ts';
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import { HOLDING_CODES } from '../src/ledger/verify/mismatch.ts';
import type { OrderTaker } from '../src/ledger/verify/ranges/threads.ts';
import type { SnapshotReader } from '../src/ledger/verify/snapshot-reader.ts';
import { answerTo } from '../src/ledger/verify/ranges/worker.ts';

/** Few, and no divisor of what slices and tiles hold. */
const BLOCKS_PER_RANGE = 7;

/** What no range shows: the file itself, traces of cases, and what others have found by their own records. */
const FOUND_ELSEWHERE: readonly string[] = [
  ...['storage_damaged', 'case_not_followed'],
  ...HOLDING_CODES,
];

export interface RangeSize {
  readonly blocksPerRange?: number;
}

/** Whether the rows of a ledger are found to be right in ranges. */
export async function isSoundInRanges(
  place: LedgerPlace,
  { blocksPerRange = BLOCKS_PER_RANGE }: RangeSize = {},
): Promise<boolean> {
  await using database = await openOperated(place);
  await using other = await openOperated(place);
  const walked = await walkInRanges(
    {
      database,
      depth: 'contents',
      tipRecord: null,
      logRecord: undefined,
      isCutAccepted: false,
      total: await lastHeight(database.reader),
      onProgress: undefined,
    },
    { threads: inTurn(other.snapshots), blocksPerRange },
  );
  return walked !== undefined;
}

/** A report of `verifyDatabase` says that all is right when, and only when, the ranges do. */
export async function assertSameInRanges(
  place: LedgerPlace,
  { mismatches }: Pick<VerificationReport, 'mismatches'>,
  size: RangeSize = {},
): Promise<void> {
  const isSound = await isSoundInRanges(place, size);
  const inRows = mismatches.filter(({ code }) => !FOUND_ELSEWHERE.includes(code));
  if (isSound) assert.deepEqual(inRows, []);
  if (mismatches.length === 0) assert.ok(isSound, 'a sound ledger is not found so in ranges');
}

function inTurn(reader: SnapshotReader): OrderTaker {
  let last: Promise<unknown> = Promise.resolve();
  return {
    count: 1,
    ask: (order) => {
      const answer = last.then(() =>
        answerTo(order, {
          reader,
          onBlocks: () => undefined,
          findStorageDamage: () => Promise.resolve(undefined),
        }),
      );
      last = answer.catch(() => undefined);
      return answer;
    },
  };
}

async function lastHeight(reader: DatabaseReader): Promise<number> {
  const row = await reader.first<{ readonly height: number }>(
    sql`select height from blocks order by height desc limit 1`,
  );
  return row?.height ?? -1;
}
