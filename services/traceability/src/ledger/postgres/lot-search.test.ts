// The search of lots by a part of their text on PostgreSQL: its plan, its pages, and the list of texts
// that wait for the index. That it finds what SQLite's finds is in test/contract/queries.test.ts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { startTestPostgres, type TestPostgres } from '@lothub/kit/test/postgres/server';
import sql, { raw, type Sql } from 'sql-template-tag';
import { migrateLedger } from './migrate-ledger.ts';
import { LotTextIndex, PostgresLotSearch } from './lot-search.ts';

/** More than the texts that are scanned before the index is used, in several stretches. */
const LOTS = 200_000;
const TENANT_NO = 3;

let server: TestPostgres;
let connection: PostgresConnection;

before(async () => {
  server = await startTestPostgres();
  const { url } = await server.createDatabase();
  connection = await PostgresConnection.open(url);
  await migrateLedger(connection);
  await connection.all(sql`
    insert into lot_texts (tenant_no, lot_no, text)
    select case when n % 4 = 0 then 5 else ${TENANT_NO} end, n,
      'lot-' || n || chr(10) || 'sku-' || n % 50
        || case when n in (1, 70001, 199999) then chr(10) || 'needle --' else '' end
        || case when n < 50000 then chr(10) || 'flour' else '' end
    from generate_series(1, cast(${LOTS} as bigint)) n`);
  await connection.transaction((transaction) =>
    transaction.execute(`select gin_clean_pending_list('lot_texts_by_piece'); analyze lot_texts`),
  );
});

after(async () => {
  await connection.close();
  await server[Symbol.asyncDispose]();
});

/** Returns the lots found page by page, and the number of lots on each page. */
async function readPages(
  text: string,
  limit: number,
): Promise<{ readonly lotNos: readonly number[]; readonly sizes: readonly number[] }> {
  const search = new PostgresLotSearch(connection);
  const lotNos: number[] = [];
  const sizes: number[] = [];
  let below: number | null = Number.MAX_SAFE_INTEGER;
  while (below !== null) {
    const page: Awaited<ReturnType<PostgresLotSearch['lotsWithText']>> = await search.lotsWithText({
      tenantNo: TENANT_NO,
      text,
      below,
      limit,
    });
    assert.ok(page.next === null || page.next < below, 'a page leads on');
    lotNos.push(...page.lotNos);
    sizes.push(page.lotNos.length);
    below = page.next;
  }
  return { lotNos, sizes };
}

async function lotsHaving(text: string): Promise<readonly number[]> {
  const rows = await connection.all<{ readonly no: number }>(sql`
    select lot_no as no
    from lot_texts
    where tenant_no = ${TENANT_NO} and strpos(text, ${text}) > 0
    order by lot_no desc`);
  return rows.map((row) => row.no);
}

for (const text of [
  'needle',
  'flour',
  'sku-4',
  'sku-49',
  'lot-19999',
  'nowhere',
  '7',
  '--',
  '-1',
]) {
  test(`every lot that has "${text}" is found once, the newest first, in bounded pages`, async () => {
    const limit = 700;

    const { lotNos, sizes } = await readPages(text, limit);

    assert.deepEqual(lotNos, await lotsHaving(text));
    assert.ok(Math.max(...sizes) <= limit);
  });
}

test('a text that few lots have is found in a page or two, however many lots there are', async () => {
  const { sizes } = await readPages('needle', 700);

  assert.ok(sizes.length <= 2, `${sizes.length} pages`);
});

/** Returns every step of the plan that PostgreSQL makes for a query without its values. */
async function explainQuery(query: Sql): Promise<string> {
  return await connection.transaction(async (transaction) => {
    await transaction.execute('set local plan_cache_mode = force_generic_plan');
    await transaction.execute(`prepare asked as ${query.text}`);
    const values = query.values.map((value) =>
      value instanceof Uint8Array ? `'{1,2}'` : `'${String(value).replaceAll("'", "''")}'`,
    );
    const rows = await transaction.all<Record<string, string>>(
      sql`explain (costs off) execute asked (${raw(values.join(', '))})`,
    );
    await transaction.execute('deallocate asked');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

/** Returns the plans of all queries of a search. */
async function explainEach(text: string): Promise<readonly string[]> {
  const queries: Sql[] = [];
  const noting = new PostgresLotSearch({
    all: (query) => {
      queries.push(query);
      return connection.all(query);
    },
    first: (query) => {
      queries.push(query);
      return connection.first(query);
    },
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
  await noting.lotsWithText({ tenantNo: TENANT_NO, text, below: LOTS, limit: 10 });
  return await Promise.all(queries.map(explainQuery));
}

test('what few lots have is counted and found through the index of pieces alone', async () => {
  const plans = await explainEach('needle');

  assert.notEqual(plans.length, 0);
  for (const plan of plans) assert.match(plan, /Bitmap Index Scan on lot_texts_by_piece/);
});

test('what many lots have is found among the newest, and then through the index of pieces', async () => {
  const plans = await explainEach('flour');

  const [scan, ...others] = plans.filter((plan) => !plan.includes('CTE having_piece'));
  assert.match(scan ?? '', /Index Scan Backward using lot_texts_pkey/);
  const matches = others.filter((plan) => !plan.includes('Backward'));
  assert.notEqual(matches.length, 0);
  for (const plan of matches) assert.match(plan, /Bitmap Index Scan on lot_texts_by_piece/);
});

async function takenIn(): Promise<number> {
  const row = await connection.first<{ readonly pages: number }>(
    sql`select gin_clean_pending_list(cast('lot_texts_by_piece' as regclass)) as pages`,
  );
  return row?.pages ?? -1;
}

async function insertTexts(from: number, count: number, text = 'text of '): Promise<void> {
  await connection.all(sql`
    insert into lot_texts (tenant_no, lot_no, text)
    select 9, n, ${text} || n
    from generate_series(cast(${from} as bigint), cast(${from + count - 1} as bigint)) n`);
}

test('texts that wait for the index are found, and taken into it when enough of them wait', async () => {
  await using index = new LotTextIndex({ connection, onError: assert.ifError });
  await insertTexts(1_000_000, 1_500);
  const search = new PostgresLotSearch(connection);
  const query = { tenantNo: 9, text: 'text of 10000', below: Number.MAX_SAFE_INTEGER, limit: 9 };
  const waiting = await search.lotsWithText(query);

  index.wrote(1_500);
  await index.close();

  assert.equal(waiting.lotNos.length, 9);
  assert.deepEqual(await search.lotsWithText(query), waiting);
  assert.equal(await takenIn(), 0);
});

test('what was rare when it was counted is found when many lots have it', async () => {
  const search = new PostgresLotSearch(connection);
  const query = { tenantNo: 9, text: 'zebra 30', below: Number.MAX_SAFE_INTEGER, limit: 9 };
  const before = await search.lotsWithText(query);

  await insertTexts(3_000_000, 6_000, 'zebra ');
  const pages = [await search.lotsWithText(query), await search.lotsWithText(query)];

  assert.deepEqual(before, { lotNos: [], next: null });
  const newest = Array.from({ length: 9 }, (_, index) => 3_005_999 - index);
  for (const { lotNos, next } of pages) {
    assert.deepEqual(lotNos, newest);
    assert.equal(next, newest.at(-1));
  }
});

test('few texts wait while nobody writes more, and no longer than a moment', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await using index = new LotTextIndex({ connection, onError: assert.ifError });
  await insertTexts(2_000_000, 3);
  index.wrote(3);

  t.mock.timers.tick(1_000);
  await index.close();

  assert.equal(await takenIn(), 0);
});

test('an index that cannot be written to is reported, and appends continue', async () => {
  const { url } = await server.createDatabase();
  await using bare = await PostgresConnection.open(url);
  const errors: unknown[] = [];
  const index = new LotTextIndex({ connection: bare, onError: (error) => errors.push(error) });

  index.wrote(5_000);
  await index.close();

  assert.equal(errors.length, 1);
});
