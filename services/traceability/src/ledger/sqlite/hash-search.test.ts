// The search of blocks by the first digits of their hash on SQLite: blocks in the table, blocks
// that wait for it, and both together.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { migrateSqlite, SqliteConnection } from '@lothub/kit/sqlite/connection';
import { readMigrations } from '@lothub/kit/migrations';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { SERVICE_NAME, sqliteSchemaFolder } from '../schema.ts';
import { findMissingHash, HashSearchTable, SqliteHashSearch } from './hash-search.ts';

/** More than a portion, and heights of two runs. */
const BLOCKS = 3_000;
const FIRST_HEIGHT = 65_536 - 1_000;

interface Opened extends AsyncDisposable {
  readonly connection: SqliteConnection;
  readonly hashes: ReadonlyMap<number, string>;
}

/** Blocks around the end of a run, as if those before had been cut off. */
async function openBlocks(): Promise<Opened> {
  const dir = await mkdtemp(join(tmpdir(), 'lothub-hashes-'));
  const connection = new SqliteConnection(join(dir, 'test.db'), 'write');
  migrateSqlite(connection, readMigrations(sqliteSchemaFolder), SERVICE_NAME);
  connection.database.exec('drop trigger blocks_link');
  const insert = connection.statement(
    "insert into blocks (height, hash, canonical) values (?, ?, '{}')",
  );
  const hashes = new Map<number, string>();
  connection.transaction(() => {
    for (let height = FIRST_HEIGHT; height < FIRST_HEIGHT + BLOCKS; height += 1) {
      const hash = sha256Hex(String(height));
      hashes.set(height, hash);
      insert.run(height, hash);
    }
  });
  return {
    connection,
    hashes,
    [Symbol.asyncDispose]: async () => {
      await connection.close();
      await rm(dir, { recursive: true });
    },
  };
}

const TIP = FIRST_HEIGHT + BLOCKS - 1;

/** Takes in everything up to a block. */
function takeAllIn(table: HashSearchTable, tip: number): void {
  while (table.takeIn(tip));
}

const PREFIXES = [
  '',
  '0',
  'f',
  '7c',
  'abc',
  sha256Hex(String(TIP)),
  sha256Hex(String(TIP - 2_500)),
];

/** Whatever is in the table, the same is found. */
async function assertFindsAll({ connection, hashes }: Opened): Promise<void> {
  const search = new SqliteHashSearch(connection);
  for (const prefix of PREFIXES) {
    for (const limit of [1, 20, 1_000]) {
      const expected = [...hashes]
        .filter(([, hash]) => hash.startsWith(prefix))
        .sort(([, a], [, b]) => (a < b ? -1 : 1))
        .slice(0, limit)
        .map(([height]) => height);
      const found = await search.heightsWithPrefix({ prefix, limit });
      assert.deepEqual(found, expected, `${prefix}, ${limit}`);
    }
  }
}

test('the same blocks are found in the table, beside it, and partly in both', async () => {
  await using opened = await openBlocks();
  const table = new HashSearchTable(opened.connection);

  await assertFindsAll(opened);
  takeAllIn(table, FIRST_HEIGHT + 1_500);
  await assertFindsAll(opened);
  takeAllIn(table, TIP);

  await assertFindsAll(opened);
  const [row] = opened.connection.statement('select count(*) as count from block_hashes').all();
  assert.equal(row?.['count'], BLOCKS);
});

test('a block is found by its hash through the key of the table', async () => {
  await using opened = await openBlocks();
  takeAllIn(new HashSearchTable(opened.connection), TIP);

  const plan = opened.connection.database
    .prepare(
      'explain query plan select height from block_hashes ' +
        'where run = ? and prefix >= ? and prefix <= ? order by prefix, height limit ?',
    )
    .all(0, Buffer.alloc(6), Buffer.alloc(6), 1);

  assert.deepEqual(
    plan.map(({ detail }) => detail),
    ['SEARCH block_hashes USING PRIMARY KEY (run=? AND prefix>? AND prefix<?)'],
  );
});

test('heights that were cut off and given again are found by their new hashes', async () => {
  await using opened = await openBlocks();
  const { connection, hashes } = opened;
  takeAllIn(new HashSearchTable(connection), TIP);
  const cut = TIP - 50;
  const insert = "insert into blocks (height, hash, canonical) values (?, ?, '{}')";
  for (let height = TIP; height > cut; height -= 1) {
    connection.statement('delete from blocks where height = ?').run(height);
  }
  const table = new HashSearchTable(connection);
  table.takeIn(cut);
  for (let height = cut + 1; height <= TIP; height += 1) {
    const hash = sha256Hex(`another ${height}`);
    (hashes as Map<number, string>).set(height, hash);
    connection.statement(insert).run(height, hash);
  }
  takeAllIn(table, TIP);

  await assertFindsAll(opened);
  assert.equal(findMissingHash(connection), undefined);
});

test('a block that the table should hold and does not is found missing', async () => {
  await using opened = await openBlocks();
  const { connection } = opened;
  takeAllIn(new HashSearchTable(connection), TIP);

  connection.statement('delete from block_hashes where height = ?').run(TIP - 7);

  assert.equal(findMissingHash(connection), TIP - 7);
});

test('a hash that is none keeps no other block out of the table', async () => {
  await using opened = await openBlocks();
  const { connection, hashes } = opened;
  connection.database.exec('drop trigger blocks_stay');
  connection.statement("update blocks set hash = 'none' where height = ?").run(TIP - 1_000);
  (hashes as Map<number, string>).delete(TIP - 1_000);

  takeAllIn(new HashSearchTable(connection), TIP);

  const search = new SqliteHashSearch(connection);
  const prefix = hashes.get(TIP)!;
  assert.deepEqual(await search.heightsWithPrefix({ prefix, limit: 1 }), [TIP]);
});
