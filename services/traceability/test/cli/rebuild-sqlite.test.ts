// Rebuilding on SQLite, which has foreign keys and an index over texts of its own to keep in step.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { rebuildDerived } from '../../src/ledger/rebuild/rebuild.ts';
import { LotSearchIndex, SqliteLotSearch } from '../../src/ledger/sqlite/lot-search.ts';
import { SqliteRebuild } from '../../src/ledger/sqlite/rebuild.ts';
import { makeSmallLedger, openTampering } from '../tampering/ledger.ts';

test('rebuilding keeps every rule of the schema in force', async () => {
  await using ledger = await makeSmallLedger();
  await using connection = openTampering(ledger.dataDir);
  connection.database.exec('pragma foreign_keys = on');

  await rebuildDerived({ ledger: new SqliteRebuild(connection) });

  assert.deepEqual(connection.statement('pragma foreign_key_check').all(), []);
});

test('a rebuilt ledger finds the same lots by a part of their text', async () => {
  await using ledger = await makeSmallLedger();
  await using connection = openTampering(ledger.dataDir);
  new LotSearchIndex(connection).takeIn();
  const texts = ['flour', 'brand', 'br-119', 'br-118', 'ug', 'o'];
  const found = () => Promise.all(texts.map((text) => lotsWithText(connection, text)));
  const before = await found();
  assert.deepEqual(before, [[8, 2, 1], [1], [1], [], [2], [10, 9, 8, 7, 6, 2, 1]]);

  await rebuildDerived({ ledger: new SqliteRebuild(connection) });

  assert.deepEqual(await found(), before);
});

/** Lots of the first tenant, page by page, as a list of lots is searched. */
async function lotsWithText(
  connection: SqliteConnection,
  text: string,
): Promise<readonly number[]> {
  const search = new SqliteLotSearch(connection);
  const lotNos: number[] = [];
  for (let below: number | null = 1_000; below !== null;) {
    const page = await search.lotsWithText({ tenantNo: 1, text, below, limit: 50 });
    lotNos.push(...page.lotNos);
    below = page.next;
  }
  return lotNos;
}
