// Open holds on PostgreSQL: one lot's are found by the lot, also where the server has counted none, and those
// of a tenant are listed through their own index.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { startTestPostgres, type TestPostgres } from '@lothub/kit/test/postgres/server';
import sql, { Sql } from 'sql-template-tag';
import { notingReader } from '../../../test/noting-reader.ts';
import { countOfTenant } from '../../dashboard/queries.ts';
import { newestLotsOnHold, openHoldsOfLot } from '../../lots/record-queries.ts';
import { countScope } from '../../recall/case/rows.ts';
import { flagReleased } from '../../recall/case/scope-writes.ts';
import { migrateLedger } from './migrate-ledger.ts';

/** Released holds: the server's statistics from before a case holds its lots. */
const HOLDS = 20_000;

let server: TestPostgres;
let connection: PostgresConnection;

before(async () => {
  server = await startTestPostgres();
  const { url } = await server.createDatabase();
  connection = await PostgresConnection.open(url);
  await migrateLedger(connection);
  await connection.all(sql`
    insert into lots (lot_no, tenant_no, lot_code, product_sku, first_height, on_hold)
    select n, 1, cast(n as text), 'SKU', 1, 1 from generate_series(1, cast(${HOLDS} as bigint)) n`);
  await connection.all(sql`
    insert into lot_holds (lot_no, tenant_no, source, reason, held_by, held_since, released_at)
    select lot_no, 1, 'RC-2026-0001', 'r', 'b', '2026-01-05', '2026-01-06' from lots`);
  await connection.transaction((transaction) => transaction.execute('analyze'));
});

after(async () => {
  await connection.close();
  await server[Symbol.asyncDispose]();
});

async function explained(queries: readonly Sql[]): Promise<string> {
  const plans: string[] = [];
  for (const { strings, values } of queries) {
    const explain = new Sql([`explain ${strings[0]}`, ...strings.slice(1)], values);
    const rows = await connection.all<{ readonly 'QUERY PLAN': string }>(explain);
    plans.push(...rows.map((row) => row['QUERY PLAN']));
  }
  return plans.join('\n');
}

test('holds of a lot are never looked for among all that are open', async () => {
  const reader = notingReader(connection);
  await openHoldsOfLot(reader, { lotNo: 7, limit: 10 });
  await countScope(reader, { caseId: 1, caseNo: 'RC-2026-0001' });

  const plans = await explained([...reader.queries, ...flagReleased([1, 2, 3])]);

  assert.match(plans, /lot_holds/);
  assert.doesNotMatch(plans, /lot_holds_open_by_tenant/);
});

test('lots on hold are listed and counted through the open holds of their tenant', async () => {
  const reader = notingReader(connection);
  await newestLotsOnHold(reader, { tenantNo: 1, below: Number.MAX_SAFE_INTEGER, limit: 10 });
  await countOfTenant(reader, { tenantNo: 1, tenantId: 'a', limit: 10 });

  for (const query of reader.queries) {
    assert.match(await explained([query]), /lot_holds_open_by_tenant/);
  }
});
