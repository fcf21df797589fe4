// Several stores over one PostgreSQL, as in several processes: changes beside the chain keep each other
// and every append out, and of those who take turns one has it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { openStore } from '../../src/ledger/open-store.ts';
import type { LedgerStore } from '../../src/ledger/store.ts';
import { newTestDatabase, openSecondDatabase, type TestDatabase } from '../engine.ts';
import { TEST_CALLER, makeDraft, makeEvent, makeLine } from '../ledger.ts';

const CHANGES = 10;
const EVENTS = 40;

let database: TestDatabase;
let beside: TestDatabase;
let one: LedgerStore;
let other: LedgerStore;

before(async () => {
  database = await newTestDatabase();
  beside = await openSecondDatabase(database.databaseUrl!);
  one = await open(database);
  other = await open(beside);
});

after(async () => {
  for (const opened of [one, other, beside, database]) await opened[Symbol.asyncDispose]();
});

function open({ dataDir, databaseUrl }: TestDatabase): Promise<LedgerStore> {
  const onFatal = (error: Error): never => {
    throw error;
  };
  return openStore({ dataDir, databaseUrl, hubName: 'Lothub', onFatal });
}

async function newBrand(brand: string): Promise<void> {
  await one.write([
    sql`insert into brands (tenant_id, name, updated_at) values (${brand}, '0', '')`,
  ]);
}

async function readName(store: LedgerStore, brand: string): Promise<string> {
  const row = await store.reader.first<{ readonly name: string }>(
    sql`select name from brands where tenant_id = ${brand}`,
  );
  return row!.name;
}

const isCalled = (brand: string, name: string): Sql =>
  sql`select 1 as found from brands where tenant_id = ${brand} and name = ${name}`;
const rename = (brand: string, name: string): Sql =>
  sql`update brands set name = ${name} where tenant_id = ${brand}`;

/** Reads a number, plans the next one, and plans again for as long as somebody came before. */
async function countUp(store: LedgerStore, brand: string): Promise<void> {
  for (;;) {
    const name = await readName(store, brand);
    const { kind } = await store.change({
      guard: isCalled(brand, name),
      statements: [rename(brand, String(Number(name) + 1))],
    });
    if (kind === 'done') return;
  }
}

test('changes of two processes that were planned on what each had read lose nothing', async () => {
  await newBrand('counted');

  await Promise.all(
    [one, other].map(async (store) => {
      for (let count = 0; count < CHANGES; count += 1) await countUp(store, 'counted');
    }),
  );

  assert.equal(await readName(one, 'counted'), String(2 * CHANGES));
});

test('of changes that two processes planned on one state one is made', async () => {
  await newBrand('raced');
  const plan = (name: string) => ({
    guard: isCalled('raced', '0'),
    statements: [rename('raced', name)],
  });

  const outcomes = await Promise.all([one.change(plan('one')), other.change(plan('other'))]);

  assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['done', 'stale']);
});

/** What both begin while the rows are made anew; the head that they wait for is another row afterwards. */
async function whileRebuilt<Result>(
  begin: (store: LedgerStore) => Promise<Result>,
): Promise<readonly Result[]> {
  await using connection = await PostgresConnection.open(database.databaseUrl!);
  const waiting = sql`
    select count(*) as waiting
    from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  const { begun } = await connection.transaction(async (transaction) => {
    await transaction.execute(`
      create temporary table kept on commit drop as select * from head;
      delete from head;
      insert into head select * from kept`);
    const begun = [one, other].map(begin);
    while ((await connection.first<{ readonly waiting: number }>(waiting))!.waiting < 2);
    return { begun };
  });
  return await Promise.all(begun);
}

test('changes that waited for the rows to be made anew keep each other out, too', async () => {
  await newBrand('waited');
  // Long enough for the other one's guard, were it not kept out.
  const rest = sql`select pg_sleep(0.1)`;

  const outcomes = await whileRebuilt((store) =>
    store.change({ guard: isCalled('waited', '0'), statements: [rest, rename('waited', '1')] }),
  );

  assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['done', 'stale']);
});

test('events that waited for the rows to be made anew are appended one after the other', async () => {
  const drafts = [makeDraft(makeEvent('RECEIVE', [makeLine('in', 'WAITED-1')]))];

  const answers = await whileRebuilt((store) =>
    store.append({ tenantId: 'bakery', caller: TEST_CALLER, drafts, unit: 'all' }),
  );

  const [first, second] = answers.map(({ tip }) => tip.height).toSorted((a, b) => a - b);
  assert.equal(second, first! + 1);
});

test('no process appends between the guard of a change of another one and its end', async () => {
  await newBrand('noting');
  let isAppending = true;
  const appending = (async () => {
    for (let count = 0; count < EVENTS; count += 1) {
      const drafts = [makeDraft(makeEvent('RECEIVE', [makeLine('in', `LOT-${count}`)]))];
      await other.append({ tenantId: 'bakery', caller: TEST_CALLER, drafts, unit: 'all' });
    }
    isAppending = false;
  })();
  const heightNow = sql`select height from head`;
  // Long enough for an append, were it not kept out.
  const rest = sql`select pg_sleep(0.02)`;
  const heights: unknown[] = [];

  while (isAppending) {
    const outcome = await one.change({
      guard: heightNow,
      statements: [heightNow, rest, heightNow],
    });
    assert.equal(outcome.kind, 'done');
    const [before, , after] = outcome.rows;
    assert.deepEqual(after, before);
    heights.push(JSON.stringify(after));
  }
  await appending;

  assert.ok(new Set(heights).size > 1, 'nothing was appended meanwhile');
});

test('of two processes one has a turn, until it gives it up or is silent for too long', async () => {
  const [ours, theirs] = [one.turn('sweeping'), other.turn('sweeping')];
  const first = await ours.take();
  const second = await theirs.take();
  const another = await other.turn('weeding').take();

  await ours.release();
  // Each asks at its first call, and then once a second.
  const next = await other.turn('sweeping').take();
  const gone = await one.turn('sweeping').take();
  await one.write([sql`update leases set expires_at = now()`]);
  const afterSilence = await one.turn('sweeping').take();

  assert.deepEqual(
    { first, second, another, next, gone, afterSilence },
    { first: true, second: false, another: true, next: true, gone: false, afterSilence: true },
  );
});
