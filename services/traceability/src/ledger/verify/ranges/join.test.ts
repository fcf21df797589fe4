// Ranges that are verified in threads of their own are joined to one chain: all of a ledger is found right
// when it is, and a range that is right in itself and does not fit the others is not taken.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newTestDatabase, type TestDatabase } from '../../../../test/engine.ts';
import {
  TEST_CALLER,
  makeDraft,
  makeEvent,
  makeLine,
  openTestStore,
} from '../../../../test/ledger.ts';
import { openOperated } from '../../operate/open-operated.ts';
import type { OperatedDatabase } from '../../operated-database.ts';
import { LedgerVerification } from '../ledger.ts';
import { verifyLotsInRanges, verifyRanges } from './join.ts';
import type { Answer, SoundBlocks } from './orders.ts';
import { VerifierThreads, type OrderTaker } from './threads.ts';

const BLOCKS = 40;
const TIP = BLOCKS - 1;
const BLOCKS_PER_RANGE = 9;
/** Each lot is in blocks of several ranges. */
const LOTS = 12;

let database: TestDatabase;
let operated: OperatedDatabase;
let threads: VerifierThreads;

before(async () => {
  database = await newTestDatabase();
  const store = await openTestStore(database);
  const drafts = Array.from({ length: BLOCKS - 1 }, (_, index) =>
    makeDraft(makeEvent('RECEIVE', [makeLine('in', `LOT-${index % LOTS}`)])),
  );
  await store.append({ tenantId: 'acme', caller: TEST_CALLER, drafts, unit: 'all' });
  await store.close();
  operated = await openOperated(database);
  threads = new VerifierThreads({ source: operated.ranges, count: 2 });
});

after(async () => {
  await threads[Symbol.asyncDispose]();
  await operated[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

function joined(taker: OrderTaker, onBlocks: (count: number) => void = () => undefined) {
  return verifyRanges({
    threads: taker,
    reader: operated.snapshots,
    depth: 'contents',
    scope: 'ledger',
    through: TIP,
    blocksPerRange: BLOCKS_PER_RANGE,
    logRecord: { kind: 'absent' },
    isCutAccepted: false,
    onBlocks,
  });
}

/** Answers of the threads, of which that of one range is changed on its way. */
function changing(after: number, change: (sound: SoundBlocks) => Answer): OrderTaker {
  return {
    count: threads.count,
    ask: async (order, onProgress) => {
      const answer = await threads.ask(order, onProgress);
      const isIt = order.kind === 'blocks' && order.after === after;
      return isIt && answer.kind === 'sound_blocks' ? change(answer) : answer;
    },
  };
}

test('the ranges of a sound ledger are where a verification of the whole goes on', async () => {
  const begin = await joined(threads);
  assert.ok(begin !== undefined);
  let comparedLots = 0;
  const verification = new LedgerVerification({
    reader: operated.snapshots,
    depth: 'contents',
    scope: 'ledger',
    tipRecord: null,
    begin,
    compareLots: (lots) => {
      comparedLots += 1;
      return verifyLotsInRanges({ threads, reader: operated.snapshots }, lots);
    },
  });

  const statuses: string[] = [];
  do {
    const { status, mismatches } = await verification.advance(1_000);
    statuses.push(status);
    assert.deepEqual(mismatches, []);
  } while (statuses.at(-1) === 'more');

  assert.equal(verification.position.height, TIP);
  assert.equal(comparedLots, 1);
  assert.equal(statuses.at(-1), 'complete');
});

test('the engine looks at its storage in a thread', async () => {
  assert.deepEqual(await threads.ask({ kind: 'storage' }), { kind: 'sound' });
});

test('only the hashes of blocks and their links are verified in ranges, too', async () => {
  const begin = await verifyRanges({
    threads,
    reader: operated.snapshots,
    depth: 'links',
    scope: 'blocks',
    through: TIP,
    blocksPerRange: BLOCKS_PER_RANGE,
    logRecord: { kind: 'absent' },
    isCutAccepted: false,
    onBlocks: () => undefined,
  });

  assert.equal(begin?.chain.position.height, TIP);
});

const SECOND = BLOCKS_PER_RANGE - 1;

const UNFIT: Readonly<Record<string, (sound: SoundBlocks) => Answer>> = {
  'behind another block': (sound) => ({
    ...sound,
    begin: { ...sound.begin, blockHash: 'f'.repeat(64) },
  }),
  'behind a block of another time': (sound) => ({
    ...sound,
    begin: { ...sound.begin, recordedAt: '2026-01-01T00:00:00.000Z' },
  }),
  'that ends before its end': (sound) => ({
    ...sound,
    end: { ...sound.end, height: sound.end.height - 1 },
  }),
  'with a lot that no range before names': (sound) => ({
    ...sound,
    counts: { ...sound.counts, namedBefore: new Map([[0, new Uint32Array(1_024).fill(2 ** 31)]]) },
  }),
  'that is the first to name a lot that another one is the first to name': (sound) => ({
    ...sound,
    counts: { ...sound.counts, firstNamed: sound.counts.namedBefore },
  }),
  'in which something is wrong': () => ({ kind: 'doubtful' }),
};

for (const [what, change] of Object.entries(UNFIT)) {
  test(`a range ${what} is not taken`, async () => {
    assert.equal(await joined(changing(SECOND, change)), undefined);
  });
}

test('a chain whose ranges hash to another tree than the stored one has another frontier', async () => {
  const begin = await joined(
    changing(SECOND, (sound) => ({ ...sound, leaves: sound.leaves.map((byte) => byte ^ 1) })),
  );
  const verification = new LedgerVerification({
    reader: operated.snapshots,
    depth: 'contents',
    scope: 'ledger',
    tipRecord: null,
    begin,
  });

  const { mismatches } = await verification.advance(1_000);

  assert.deepEqual(
    mismatches.map(({ code }) => code),
    ['frontier_differs'],
  );
});

test('a thread that dies fails its order, and the next order has another thread', async () => {
  const source = {
    module: new URL(
      'data:text/javascript,' +
        "import { parentPort } from 'node:worker_threads';" +
        "parentPort.once('message', () => process.exit(1));",
    ),
    workerData: {},
  };
  await using dying = new VerifierThreads({ source, count: 1 });

  await assert.rejects(dying.ask({ kind: 'texts' }), /ended/);
  await assert.rejects(dying.ask({ kind: 'texts' }), /ended/);
});
