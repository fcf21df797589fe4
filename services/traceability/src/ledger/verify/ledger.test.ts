// A verification that has reached the tip follows the chain, and notices when the chain is cut
// there. One failed read is no finding.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseError } from '@lothub/kit/database';
import type { Sql } from 'sql-template-tag';
import { newTestDatabase, type TestDatabase } from '../../../test/engine.ts';
import { TEST_CALLER } from '../../../test/ledger.ts';
import type { Draft } from '../draft.ts';
import { openOperated } from '../operate/open-operated.ts';
import { openStore } from '../open-store.ts';
import type { SnapshotReader } from './snapshot-reader.ts';
import { LedgerVerification, type LedgerSlice } from './ledger.ts';
import { rebuildRows } from '../../../test/verified.ts';

interface Ledger extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly snapshots: SnapshotReader;
  append(events: number): Promise<void>;
  /** Removes the blocks after a height and whatever else would show it. */
  cutAfter(height: number): Promise<void>;
}

async function openLedger(): Promise<Ledger> {
  const database = await newTestDatabase();
  const { dataDir, databaseUrl } = database;
  const onFatal = (error: Error): never => {
    throw error;
  };
  const store = await openStore({ dataDir, databaseUrl, hubName: 'Testhub', onFatal });
  const operated = await openOperated(database);
  let nextNo = 1;
  return {
    database,
    snapshots: operated.snapshots,
    append: async (events) => {
      const drafts = Array.from({ length: events }, () => draft(nextNo++));
      await store.append({ tenantId: 'acme', caller: TEST_CALLER, drafts, unit: 'all' });
    },
    cutAfter: async (height) => {
      await database.change('delete from blocks where height > ?', height);
      await rebuildRows(database);
    },
    [Symbol.asyncDispose]: async () => {
      await operated[Symbol.asyncDispose]();
      await store.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** An event with as many lines as its number. */
function draft(eventNo: number): Draft {
  const line = { direction: 'in', lot_code: `LOT-${eventNo}`, product_sku: 'X', quantity: '1' };
  const event = {
    event_type: 'RECEIVE',
    lines: Array.from({ length: eventNo }, () => ({ ...line, unit: 'kg' })),
    location: 'YARD',
    occurred_at: '2026-03-02T06:15:00Z',
    reference: `PO-${eventNo}`,
  };
  return {
    eventText: JSON.stringify(event),
    externalId: null,
    groupKey: null,
    privateLines: [],
    privateNotes: null,
    warnings: [],
  };
}

function verify(
  { snapshots: reader }: Pick<Ledger, 'snapshots'>,
  scope: 'ledger' | 'blocks' = 'ledger',
): LedgerVerification {
  return new LedgerVerification({ reader, depth: 'links', scope, tipRecord: null });
}

async function untilTip(verification: LedgerVerification): Promise<LedgerSlice> {
  for (;;) {
    const slice = await verification.advance(10);
    if (slice.status !== 'more') return slice;
  }
}

test('a verification that is complete follows the blocks appended since', async () => {
  await using ledger = await openLedger();
  await ledger.append(5);
  const verification = verify(ledger);
  await untilTip(verification);
  await ledger.append(5);

  const slice = await untilTip(verification);

  assert.deepEqual(slice, { status: 'complete', mismatches: [], mismatchCount: 0 });
  assert.equal(verification.position.height, 10);
});

test('a tail cut behind a verification is noticed without any record of the tip', async () => {
  await using ledger = await openLedger();
  await ledger.append(10);
  const verification = verify(ledger);
  await untilTip(verification);
  await ledger.cutAfter(6);

  const slice = await untilTip(verification);

  assert.equal(slice.status, 'broken');
  assert.deepEqual(
    slice.mismatches.map(({ height, code }) => ({ height, code })),
    [{ height: 7, code: 'tail_missing' }],
  );
});

test('a tail replaced by as many other blocks is noticed without any record of the tip', async () => {
  await using ledger = await openLedger();
  await ledger.append(5);
  const verification = verify(ledger);
  await untilTip(verification);
  await ledger.cutAfter(4);
  await ledger.append(1);

  const slice = await untilTip(verification);

  assert.deepEqual(
    slice.mismatches.map(({ height, code }) => ({ height, code })),
    [{ height: 5, code: 'tip_differs' }],
  );
});

test('a tail replaced by more other blocks does not link to what was verified', async () => {
  await using ledger = await openLedger();
  await ledger.append(5);
  const verification = verify(ledger);
  await untilTip(verification);
  await ledger.cutAfter(4);
  await ledger.append(3);

  const slice = await untilTip(verification);

  assert.deepEqual(
    slice.mismatches.map(({ height, code }) => ({ height, code })),
    [{ height: 6, code: 'prev_hash_mismatch' }],
  );
});

test('a slice holds no more lines than asked for, and an event is never divided', async () => {
  await using ledger = await openLedger();
  await ledger.append(12);
  const verification = verify(ledger);
  const heights: number[] = [];

  while ((await verification.advance(10)).status === 'more') {
    heights.push(verification.position.height);
  }

  // Events of 1, 2, 3 and 4 lines; then one each, as two have more than ten lines.
  assert.deepEqual([...new Set(heights)], [4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

test('blocks alone can be verified without a look at any row', async () => {
  await using ledger = await openLedger();
  await ledger.append(5);
  await ledger.database.change("update events set reference = 'X'");
  const verification = verify(ledger, 'blocks');

  const slice = await untilTip(verification);

  assert.deepEqual(slice, { status: 'complete', mismatches: [], mismatchCount: 0 });
  assert.equal(verification.position.height, 5);
});

/** Reads blocks as a disk that errs the first `times` times it reads the block of this height. */
function erring(
  reader: SnapshotReader,
  error: { readonly height: number; readonly times: number; readonly kind: 'fails' | 'flips' },
): SnapshotReader {
  let left = error.times;
  const inSnapshot = (work: () => Promise<unknown>) => reader.inSnapshot(work);
  return {
    inSnapshot: inSnapshot as SnapshotReader['inSnapshot'],
    all: async <Row>(query: Sql): Promise<readonly Row[]> => {
      const rows = await reader.all<Row>(query);
      const index = rows.findIndex((row) => isBlock(row) && row.height === error.height);
      const row = rows[index];
      if (!isBlock(row) || left === 0) return rows;
      left -= 1;
      if (error.kind === 'fails') throw new DatabaseError('database_failed', 'reading: a bad page');
      return rows.with(index, { ...row, canonical: row.canonical.replace('YARD', 'YARE') });
    },
  };
}

function isBlock(row: unknown): row is { readonly height: number; readonly canonical: string } {
  return typeof row === 'object' && row !== null && 'canonical' in row && 'blockHash' in row;
}

for (const kind of ['fails', 'flips'] as const) {
  test(`a block is read again when reading it ${kind} once, and then nothing is found`, async () => {
    await using ledger = await openLedger();
    await ledger.append(5);
    // After a failed read of a slice each block is read separately, which is a second read.
    const times = kind === 'fails' ? 2 : 1;
    const reader = erring(ledger.snapshots, { height: 3, times, kind });
    const verification = verify({ snapshots: reader });

    const slice = await untilTip(verification);

    assert.deepEqual(slice, { status: 'complete', mismatches: [], mismatchCount: 0 });
    assert.equal(verification.position.height, 5);
  });

  test(`a block is a finding when reading it ${kind} each time`, async () => {
    await using ledger = await openLedger();
    await ledger.append(5);
    const reader = erring(ledger.snapshots, { height: 3, times: Infinity, kind });

    const slice = await untilTip(verify({ snapshots: reader }));

    const code = kind === 'fails' ? 'unreadable' : 'hash_mismatch';
    assert.equal(slice.status, 'broken');
    assert.deepEqual(
      slice.mismatches.map((mismatch) => [mismatch.height, mismatch.code]),
      [[3, code]],
    );
  });
}
