// Blocks and complete tiles as a hub stores them, without their texts: enough for what reads the tree.
import { hash } from 'node:crypto';
import { readMigrations } from '@lothub/kit/migrations';
import { cutSlices } from '@lothub/kit/in-list';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { rowsInsert } from '@lothub/kit/postgres/row-statements';
import type { DatabaseReader } from '@lothub/kit/database';
import { SqliteConnection, migrateSqlite } from '@lothub/kit/sqlite/connection';
import { rowInsert } from '@lothub/kit/sqlite/row-statements';
import type { InsertedRowOf } from '@lothub/kit/rows/stored-table';
import { SERVICE_NAME, sqliteSchemaFolder } from '../../src/ledger/schema.ts';
import { databaseFile } from '../../src/ledger/sqlite/store.ts';
import { BLOCKS } from '../../src/ledger/tables/chain.ts';
import { LOG_TILES, type LogTileRow } from '../../src/ledger/tables/log.ts';
import type { TestDatabase } from '../engine.ts';
import { TILE_WIDTH } from '@lothub/chain/log';
import type { NaiveTree } from '@lothub/chain/test/log/naive-tree';

/** Rows in one statement. */
const ROWS_PER_STATEMENT = 5_000;

interface TreeRows {
  readonly blocks: readonly InsertedRowOf<typeof BLOCKS>[];
  readonly tiles: readonly LogTileRow[];
}

/** The entry of a height: any 32 bytes. */
export function makeEntry(height: number): Buffer {
  return hash('sha256', `block ${height}`, 'buffer');
}

/** Stores the blocks of a tree and all of its complete tiles in an empty database. */
export async function storeTree(database: TestDatabase, tree: NaiveTree): Promise<void> {
  const blocks = Array.from({ length: tree.size }, (_, height) => ({
    height,
    hash: makeEntry(height).toString('hex'),
    canonical: '{}',
  }));
  const tiles = [...completeTiles(tree)];
  if (database.databaseUrl === undefined) storeInSqlite(database, { blocks, tiles });
  else await storeInPostgres(database.databaseUrl, { blocks, tiles });
}

function storeInSqlite(database: TestDatabase, rows: TreeRows): void {
  const connection = new SqliteConnection(databaseFile(database.dataDir), 'write');
  migrateSqlite(connection, readMigrations(sqliteSchemaFolder), SERVICE_NAME);
  connection.database.exec('drop trigger blocks_link');
  const [insertBlock, insertTile] = [rowInsert(BLOCKS), rowInsert(LOG_TILES)];
  connection.transaction(() => {
    for (const block of rows.blocks) insertBlock(connection, block);
    for (const tile of rows.tiles) insertTile(connection, tile);
  });
  connection.database.close();
}

async function storeInPostgres(url: string, rows: TreeRows): Promise<void> {
  await using connection = await PostgresConnection.open(url, { connectionsMax: 1 });
  const [insertBlocks, insertTiles] = [rowsInsert(BLOCKS), rowsInsert(LOG_TILES)];
  await connection.transaction(async (transaction) => {
    await transaction.execute('set local session_replication_role = replica');
    for (const blocks of cutSlices(rows.blocks, ROWS_PER_STATEMENT))
      for (const statement of insertBlocks(blocks)) await transaction.all(statement);
    for (const statement of insertTiles(rows.tiles)) await transaction.all(statement);
  });
}

export async function openReader(database: TestDatabase): Promise<DatabaseReader> {
  return database.databaseUrl === undefined
    ? new SqliteConnection(databaseFile(database.dataDir), 'read')
    : await PostgresConnection.open(database.databaseUrl, { connectionsMax: 2, pipeline: true });
}

function* completeTiles(tree: NaiveTree): Generator<LogTileRow> {
  for (let level = 0; TILE_WIDTH ** (level + 1) <= tree.size; level += 1) {
    const count = Math.floor(tree.size / TILE_WIDTH ** (level + 1));
    for (let tile = 0; tile < count; tile += 1) {
      yield {
        level,
        tile,
        root: tree.subtree({ level: 8 * (level + 1), index: tile }),
        hashes: tree.tile({ level, tile, width: TILE_WIDTH }),
      };
    }
  }
}
