// The stored tree of the log is compared with the blocks: any change of a tile or of the frontier is
// noticed, and a chain that is not the one that was signed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TILE_WIDTH, computeRoot } from '@lothub/chain/log';
import { systemClock } from '@lothub/kit/clock';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { newTestDatabase, testEngine, type TestDatabase } from '../../../test/engine.ts';
import {
  TEST_CALLER,
  makeDraft,
  makeEvent,
  makeLine,
  openTestStore,
} from '../../../test/ledger.ts';
import { isSoundInRanges } from '../../../test/ranges.ts';
import { storedBlocks } from '../../../test/stored.ts';
import type { LogRecordReading } from '../log/log-record.ts';
import { TreeWalk } from '../log/tree-walk.ts';
import { openOperated } from '../operate/open-operated.ts';
import { openRebuild } from '../operate/open-rebuild.ts';
import { verifyDatabase } from '../operate/verify-database.ts';
import { rebuildDerived } from '../rebuild/rebuild.ts';
import { LedgerVerification } from './ledger.ts';

const TILES = 2;
const BLOCKS = TILES * TILE_WIDTH + 10;
const TIP = BLOCKS - 1;

let database: TestDatabase;

before(async () => {
  database = await newTestDatabase();
  const store = await openTestStore(database);
  const drafts = Array.from({ length: BLOCKS - 1 }, (_, index) =>
    makeDraft(makeEvent('RECEIVE', [makeLine('in', `LOT-${index}`)])),
  );
  await store.append({ tenantId: 'acme', caller: TEST_CALLER, drafts, unit: 'all' });
  // Tiles are made while there is nothing to write.
  const deadline = performance.now() + PATIENCE_MS;
  while ((await tilesStored()) < TILES && performance.now() < deadline) await sleep(20);
  await store.close();
});

after(() => database[Symbol.asyncDispose]());

async function tilesStored(): Promise<number> {
  const [row] = await database.rows('select count(*) as tiles from log_tiles');
  return Number(row?.['tiles']);
}

async function listCodes(
  record: LogRecordReading = { kind: 'absent' },
  isCutAccepted = false,
): Promise<readonly (readonly [string, number])[]> {
  await using operated = await openOperated(database);
  const verification = new LedgerVerification({
    reader: operated.snapshots,
    depth: 'links',
    scope: 'ledger',
    tipRecord: null,
    logRecord: () => record,
    isCutAccepted,
  });
  const found: (readonly [string, number])[] = [];
  for (;;) {
    const slice = await verification.advance(1_000);
    found.push(...slice.mismatches.map(({ code, height }) => [code, height] as const));
    if (slice.status !== 'more') return found;
  }
}

const bytesText = {
  sqlite: (hex: string) => `x'${hex}'`,
  postgres: (hex: string) => `'\\x${hex}'`,
};

/** Does what it says behind the service's back, and undoes it. */
async function changed(
  statement: string,
  undo: string,
): Promise<readonly (readonly [string, number])[]> {
  await database.change(statement);
  try {
    return await listCodes();
  } finally {
    await database.change(undo);
  }
}

const CHECKPOINT = { epoch: 1, origin: 'hub/1' };

/** A log of the hub, whose rows the database has; `ended`: blocks of it that the next log shares. */
async function keepLog(
  { epoch, origin }: typeof CHECKPOINT,
  ended?: number,
): Promise<AsyncDisposable> {
  await database.change(
    'insert into log_epochs (epoch, origin, vkeys, begun_at, ended_at, common_size) values (?, ?, ?, ?, ?, ?)',
    ...[epoch, origin, '', '2026-01-01T00:00:00.000Z'],
    ...(ended === undefined ? [null, null] : ['2026-01-02T00:00:00.000Z', ended]),
  );
  return {
    async [Symbol.asyncDispose]() {
      await database.change('delete from log_checkpoints');
      await database.change('delete from log_epochs');
    },
  };
}

async function keepCheckpoint(
  { size, root }: { readonly size: number; readonly root: Uint8Array },
  { epoch } = CHECKPOINT,
): Promise<void> {
  await database.change(
    'insert into log_checkpoints (epoch, size, root, note, published_at) values (?, ?, ?, ?, ?)',
    ...[epoch, size, root, '', '2026-01-01T00:00:00.000Z'],
  );
}

const OTHER_ROOT = new Uint8Array(32);

async function treeAt(size: number) {
  const walk = new TreeWalk({ kind: 'absent' });
  const blocks = await storedBlocks(database);
  for (const { blockHash } of blocks.slice(0, size)) walk.take(blockHash);
  return { origin: 'hub/1', size, root: computeRoot(walk.frontier, sha256Bytes), isGivenUp: false };
}

test('an untouched tree has no mismatch', async () => {
  assert.deepEqual(await listCodes(), []);
});

for (const { column, table, where, found } of [
  { column: 'hashes', table: 'log_tiles', where: 'tile = 0', found: ['tile_differs', 0] },
  { column: 'root', table: 'log_tiles', where: 'tile = 1', found: ['tile_differs', TILE_WIDTH] },
  { column: 'frontier', table: 'head', where: 'id = 1', found: ['frontier_differs', TIP] },
] as const) {
  for (const place of ['first', 'last'] as const) {
    test(`a change of the ${place} byte of ${column} is noticed`, async () => {
      const [row] = await database.rows(`select ${column} as bytes from ${table} where ${where}`);
      const bytes = Uint8Array.from(row!['bytes'] as Uint8Array);
      const flipped = bytes.slice();
      const at = place === 'first' ? 0 : bytes.length - 1;
      flipped[at] = bytes[at]! ^ 1;
      const set = (value: Uint8Array): string =>
        `update ${table} set ${column} = ${bytesText[testEngine](value.toHex())} where ${where}`;

      assert.deepEqual(await changed(set(flipped), set(bytes)), [found]);
    });
  }
}

test('a frontier of another size is noticed', async () => {
  const set = (sql: string): string => `update head set frontier = ${sql}`;
  const [row] = await database.rows('select frontier from head');
  const bytes = Uint8Array.from(row!['frontier'] as Uint8Array).toHex();

  const text = bytesText[testEngine];
  const found = await changed(set(text(bytes.slice(64))), set(text(bytes)));

  assert.deepEqual(found, [['frontier_differs', TIP]]);
});

test('a tile before others that is gone is noticed, and the last one may not be made yet', async () => {
  await database.change('update log_tiles set tile = tile + 100');
  const gone = await listCodes();
  await database.change('update log_tiles set tile = tile - 100');

  assert.deepEqual(
    gone.map(([code]) => code),
    ['tile_missing', 'tile_missing', 'tile_extra'],
  );
  await database.change('update log_tiles set tile = 100 where tile = 1');
  await database.change('delete from log_tiles where tile = 100');
  assert.deepEqual(await listCodes(), []);
});

for (const [level, tile] of [
  [0, TILES],
  [0, -1],
  [1, 0],
  [8, 0],
  [-1, 0],
] as const) {
  test(`a tile ${level}/${tile} that there cannot be is noticed`, async () => {
    const found = await changed(
      `insert into log_tiles (level, tile, hashes, root) select ${level}, ${tile}, hashes, root from log_tiles where level = 0 and tile = 0`,
      `delete from log_tiles where level = ${level} and tile = ${tile}`,
    );

    assert.ok(found.some(([code]) => code === 'tile_extra'));
  });
}

test('a chain that holds what was signed is sound, however much came since', async () => {
  for (const size of [1, 2, TILE_WIDTH, TILE_WIDTH + 1, 2 * TILE_WIDTH, BLOCKS]) {
    assert.deepEqual(await listCodes({ kind: 'read', value: await treeAt(size) }), []);
  }
});

test('a chain that is shorter than what was signed, or another one, is not', async () => {
  const signed = await treeAt(TILE_WIDTH);

  const longer = await listCodes({ kind: 'read', value: { ...signed, size: BLOCKS + 1 } });
  const other = await listCodes({ kind: 'read', value: { ...signed, size: TILE_WIDTH + 1 } });
  const none = await listCodes({ kind: 'unreadable' });

  assert.deepEqual(longer, [['log_rolled_back', BLOCKS]]);
  assert.deepEqual(other, [['log_forked', TILE_WIDTH]]);
  assert.deepEqual(none, [['log_record_unreadable', TIP]]);
});

test('a chain that holds every checkpoint that is kept is sound', async () => {
  await using _log = await keepLog(CHECKPOINT);
  for (const size of [1, 2, 3, TILE_WIDTH, TILE_WIDTH + 1, 2 * TILE_WIDTH, BLOCKS]) {
    await keepCheckpoint(await treeAt(size));
  }

  assert.deepEqual(await listCodes(), []);
  assert.deepEqual(await listCodes({ kind: 'read', value: await treeAt(TILE_WIDTH) }), []);
});

test('of kept checkpoints that the chain does not hold the smallest is named, and the largest it does not reach', async () => {
  await using _log = await keepLog(CHECKPOINT);
  await keepCheckpoint(await treeAt(TILE_WIDTH));
  for (const size of [7, TILE_WIDTH + 9, BLOCKS + 1, BLOCKS + 2]) {
    await keepCheckpoint({ size, root: OTHER_ROOT });
  }

  const report = await verifyDatabase({ ...database, clock: systemClock, tip: 'compare' });

  assert.deepEqual(
    report.mismatches.map(({ code, height }) => [code, height]),
    [
      ['log_forked', 6],
      ['log_rolled_back', BLOCKS],
    ],
  );
  assert.match(
    report.mismatches[0]!.message,
    /under the checkpoint of 7 blocks that hub\/1 signed/,
  );
  assert.match(report.mismatches[1]!.message, /hub\/1 signed a checkpoint of \d+ blocks, but/);
});

test('a tree that a log has noted is compared as a checkpoint is', async () => {
  await using _log = await keepLog(CHECKPOINT);
  const note = (size: number, root: Uint8Array) =>
    database.change('update log_epochs set signed_size = ?, signed_root = ?', size, root);
  await note(TILE_WIDTH + 3, (await treeAt(TILE_WIDTH + 3)).root);
  const sound = await listCodes();

  await note(TILE_WIDTH + 3, OTHER_ROOT);

  assert.deepEqual(sound, []);
  assert.deepEqual(await listCodes(), [['log_forked', TILE_WIDTH + 2]]);
});

test('of logs that have ended what the one that goes on has is compared, and no more', async () => {
  const [second, third] = [
    { epoch: 2, origin: 'hub/2' },
    { epoch: 3, origin: 'hub/3' },
  ];
  await using _first = await keepLog(CHECKPOINT, 20);
  await using _second = await keepLog(second, 10);
  await using _third = await keepLog(third);
  for (const size of [11, 20, 21]) await keepCheckpoint({ size, root: OTHER_ROOT });
  await keepCheckpoint({ size: BLOCKS + 5, root: OTHER_ROOT }, second);
  const given = await listCodes();

  await keepCheckpoint({ size: 10, root: OTHER_ROOT });

  assert.deepEqual(given, []);
  assert.deepEqual(await listCodes(), [['log_forked', 9]]);
});

test('an operator who gives up signed blocks gives up their checkpoints', async () => {
  await using _log = await keepLog(CHECKPOINT);
  await keepCheckpoint({ size: BLOCKS + 1, root: OTHER_ROOT });

  assert.deepEqual(await listCodes({ kind: 'absent' }, true), []);
});

test('ranges of a chain are compared with the checkpoints that are kept, too', async () => {
  await using _log = await keepLog(CHECKPOINT);
  await keepCheckpoint(await treeAt(TILE_WIDTH + 9));
  const sound = await isSoundInRanges(database);

  await keepCheckpoint({ size: TILE_WIDTH + 10, root: OTHER_ROOT });

  assert.deepEqual([sound, await isSoundInRanges(database)], [true, false]);
});

test('rows are not made anew from a chain that a kept checkpoint contradicts', async () => {
  await using _log = await keepLog(CHECKPOINT);
  await keepCheckpoint({ size: 3, root: OTHER_ROOT });
  await using opened = await openRebuild(database);
  const rebuild = () =>
    rebuildDerived({ ledger: opened.ledger, logRecord: () => ({ kind: 'absent' }) });

  await assert.rejects(rebuild, /the first 3 blocks are not those under the checkpoint/);
});
