// Tiles of the log in PostgreSQL that are made from leaves in memory. These databases have no
// blocks, so every stored tile was made without reading one.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TILE_WIDTH } from '@lothub/chain/log';
import { NaiveTree } from '@lothub/chain/test/log/naive-tree';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { startTestPostgres, type TestPostgres } from '@lothub/kit/test/postgres/server';
import sql from 'sql-template-tag';
import { makeEntry } from '../../../test/log/stored-tree.ts';
import { toLeaf } from '../log/leaf.ts';
import { migrateLedger } from './migrate-ledger.ts';
import { PostgresLogTiles } from './log-tiles.ts';

const ENTRIES = Array.from({ length: 4 * TILE_WIDTH }, (_, height) => makeEntry(height));
const LEAVES = ENTRIES.map((entry) => toLeaf(entry.toString('hex')));
const TREE = NaiveTree.ofEntries(ENTRIES);
/** Leaves of another chain, which replaced the first one. */
const OTHER_LEAVES = ENTRIES.map((_, height) =>
  toLeaf(makeEntry(height + 1_000_000).toString('hex')),
);

let server: TestPostgres;

before(async () => {
  server = await startTestPostgres();
});

after(() => server[Symbol.asyncDispose]());

interface Maker extends AsyncDisposable {
  readonly tiles: PostgresLogTiles;
  readonly connection: PostgresConnection;
}

async function openMaker(): Promise<Maker> {
  await using opening = new AsyncDisposableStack();
  const { url } = await server.createDatabase();
  const connection = opening.use(await PostgresConnection.open(url));
  await migrateLedger(connection);
  const onFailure = (error: unknown): void => assert.fail(String(error));
  const tiles = opening.use(new PostgresLogTiles({ connection, onFailure }));
  const opened = opening.move();
  return { tiles, connection, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** The group that ends at a height, with the leaves of the blocks from another height on. */
function grow(
  { tiles }: Maker,
  { from, below }: { readonly from: number; readonly below: number },
  leaves: readonly Uint8Array[] = LEAVES,
): void {
  tiles.grew({ height: below - 1, hash: '' }, leaves.slice(from, below));
}

interface StoredTile {
  readonly tile: number;
  readonly hashes: Buffer;
}

async function readTiles({ connection }: Maker): Promise<readonly StoredTile[]> {
  const rows = await connection.all<{ readonly tile: number; readonly hashes: Uint8Array }>(sql`
    select tile, hashes
    from log_tiles
    where level = 0
    order by tile`);
  return rows.map(({ tile, hashes }) => ({ tile, hashes: Buffer.from(hashes) }));
}

async function untilStored(maker: Maker, tile: number): Promise<readonly StoredTile[]> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const stored = await readTiles(maker);
    if (stored.at(-1)?.tile === tile) return stored;
    assert.ok(performance.now() < deadline, `tile ${tile} was not made`);
    await sleep(10);
  }
}

test('groups leave tiles behind that are made of their own leaves', async () => {
  await using maker = await openMaker();

  grow(maker, { from: 0, below: 200 });
  grow(maker, { from: 200, below: 600 });
  await untilStored(maker, 1);
  grow(maker, { from: 600, below: 800 });

  const stored = await untilStored(maker, 2);
  assert.equal(stored.length, 3);
  for (const { tile, hashes } of stored) {
    assert.deepEqual(hashes, TREE.tile({ level: 0, tile, width: TILE_WIDTH }));
  }
});

test('no tile is made of leaves from before and after the tree was given up', async () => {
  await using maker = await openMaker();

  grow(maker, { from: 0, below: 100 }, OTHER_LEAVES);
  maker.tiles.forget();
  grow(maker, { from: 100, below: 400 });
  // Waits for what was begun.
  await maker.tiles[Symbol.asyncDispose]();

  assert.deepEqual(await readTiles(maker), []);
});

test('a maker goes on behind the tiles that others have made meanwhile', async () => {
  await using maker = await openMaker();
  grow(maker, { from: 0, below: TILE_WIDTH });
  await untilStored(maker, 0);
  await maker.connection.all(sql`
    insert into log_tiles (level, tile, root, hashes)
    select level, 1, root, hashes from log_tiles`);

  grow(maker, { from: TILE_WIDTH, below: 3 * TILE_WIDTH });

  const stored = await untilStored(maker, 2);
  assert.equal(stored.length, 3);
  assert.deepEqual(stored[2]?.hashes, TREE.tile({ level: 0, tile: 2, width: TILE_WIDTH }));
});
