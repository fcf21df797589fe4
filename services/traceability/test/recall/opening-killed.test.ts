// A process that is killed while it opens a case leaves all of the case or nothing of it, whatever it had
// written by then; and the next one opens cases as if there had been none.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { chooseRounds, testInLongRun } from '@lothub/kit/test/rounds';
import { TENANT_KEY, valueAt } from '../boot.ts';
import { startCrashChild, type CrashChild, type CrashChildOptions } from '../crash/crash-hub.ts';
import { newTestDatabase, testEngine, type TestDatabase } from '../engine.ts';
import { verifiedCodes } from '../verified.ts';
import { TEST_CALLER, makeDraft, makeEvent, makeLine, openTestStore } from '../ledger.ts';

const TENANT = 'acme';
/** Lots of the seed: as many as one block says. */
const BREADS = 600;
/** As many as three blocks say. */
const MANY_BREADS = 2_100;
const LOTS_OF_RUN = 50;
/** One channel, and the three that every case concerns. */
const CONCERNED_ALWAYS = 4;
const KILLS = chooseRounds({ usual: 3, long: 5 });
/** An opening takes about as long. */
const KILLED_WITHIN_MS = 250;
const LOOK_MS = 5;

const HEADERS = {
  'X-Api-Key': TENANT_KEY,
  'X-Tenant-Id': TENANT,
  'Content-Type': 'application/json',
};

/** @param breads lots of the seed, each sold to a customer of its own */
async function newHub(breads = BREADS): Promise<TestDatabase> {
  const database = await newTestDatabase();
  await using store = await openTestStore(database);
  const events = [makeEvent('RECEIVE', [makeLine('in', 'FLOUR')])];
  for (let run = 0; run < breads / LOTS_OF_RUN; run += 1) {
    const lots = Array.from({ length: LOTS_OF_RUN }, (_, index) => `BREAD-${run}-${index}`);
    events.push(
      makeEvent('PRODUCE', [makeLine('in', 'FLOUR'), ...lots.map((lot) => makeLine('out', lot))]),
    );
    for (const lot of lots) {
      const sold = makeLine('out', lot, { customer_ref: `C-${lot}`, channel: 'webshop' });
      events.push(makeEvent('SELL', [sold]));
    }
  }
  const drafts = events.map(makeDraft);
  await store.append({ tenantId: TENANT, caller: TEST_CALLER, drafts, unit: 'all' });
  return database;
}

type Kind = 'public' | 'confidential';

async function openCase({ base }: CrashChild, kind: Kind = 'public'): Promise<string> {
  const response = await fetch(`${base}/v1/recall/cases`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({
      seed_lot_code: 'FLOUR',
      title: 'Metal in flour',
      reason: 'A sieve broke',
      opened_by: 'Ada',
      confidential: kind === 'confidential',
    }),
  });
  assert.equal(response.status, 201);
  return String(valueAt(await response.json(), 'case_no'));
}

/** What is there of all cases. */
async function countRows(database: TestDatabase): Promise<Readonly<Record<string, unknown>>> {
  const [row] = await database.rows(
    `select
      (select count(*) from recall_cases) as cases,
      (select count(*) from recall_moves) as moves,
      (select count(*) from recall_lots) as lots,
      (select count(*) from recall_notifications) as notifications,
      (select count(*) from lot_holds where released_at is null) as holds,
      (select count(*) from audit_entries where action = 'open_case') as entries,
      (select count(*) from lots where on_hold = 1) as on_hold`,
  );
  return { ...row };
}

function ofCases(cases: number, breads = BREADS): Readonly<Record<string, unknown>> {
  const lots = 1 + breads;
  return {
    cases,
    moves: cases,
    lots: cases * lots,
    notifications: cases * (breads + CONCERNED_ALWAYS),
    holds: cases * lots,
    entries: cases,
    on_hold: cases > 0 ? lots : 0,
  };
}

interface Sealed {
  readonly blocks: number;
  readonly decisions: number;
}

async function countSealed(database: TestDatabase): Promise<Sealed> {
  const [row] = await database.rows(
    `select (select count(*) from blocks) as blocks, (select count(*) from decisions) as decisions`,
  );
  return { blocks: Number(row!['blocks']), decisions: Number(row!['decisions']) };
}

function plus({ blocks, decisions }: Sealed, count: number): Sealed {
  return { blocks: blocks + count, decisions: decisions + count };
}

/** Starts to open a case, of which no answer may come. */
function beginOpening(child: CrashChild, kind: Kind = 'public'): Promise<string | undefined> {
  return openCase(child, kind).catch(() => undefined);
}

async function kill(child: CrashChild): Promise<void> {
  await child.end();
}

/** Until the server has ended what the dead process had sent it. */
async function untilEnded(database: TestDatabase): Promise<void> {
  if (testEngine === 'sqlite') return;
  await until(database, `select count(*) = 0 from pg_stat_activity where ${OTHERS}`);
}

const OTHERS = `datname = current_database() and pid <> pg_backend_pid()
  and xact_start is not null and backend_type = 'client backend'`;

async function until(database: TestDatabase, condition: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const [row] = await database.rows(`select case when (${condition}) then 1 else 0 end as so`);
    if (row?.['so'] === 1) return;
    if (performance.now() > deadline) throw new Error(`it never was so: ${condition}`);
    await sleep(LOOK_MS);
  }
}

test('a process that is killed at any moment of an opening leaves all of the case or nothing', async () => {
  await using database = await newHub();
  let opened = 0;
  for (let round = 0; round < KILLS; round += 1) {
    const child = await startCrashChild({ database });
    // Of a case in confidence one block says all; its rows are the same.
    const opening = beginOpening(child, round % 2 === 0 ? 'public' : 'confidential');
    await sleep(Math.random() * KILLED_WITHIN_MS);
    await kill(child);
    await untilEnded(database);

    const isAnswered = (await opening) !== undefined;
    const rows = await countRows(database);
    const cases = Number(rows['cases']);
    assert.ok(cases === opened || cases === opened + 1, `${cases} cases after ${opened}`);
    assert.ok(!isAnswered || cases === opened + 1, 'a case that was answered is gone');
    assert.deepEqual(rows, ofCases(cases));
    opened = cases;
  }

  const child = await startCrashChild({ database });
  await openCase(child);
  await kill(child);
  assert.deepEqual(await countRows(database), ofCases(opened + 1));
});

/**
 * Where a process dies while it seals the blocks of a case: on SQLite behind each of them, on PostgreSQL, where all
 * are one statement, behind that one and behind what follows it.
 */
const AMONG_BLOCKS = {
  sqlite: [1, 2].map((writes) => ({ later: 'insert into blocks', writes })),
  postgres: ['insert into decisions', 'update'].map((later) => ({ later, writes: 0 })),
}[testEngine];

testInLongRun(
  'a process that is killed between the blocks of a large case leaves nothing of it, behind its commit all',
  async () => {
    await using database = await newHub(MANY_BREADS);
    const empty = await countSealed(database);
    const killed = async (death: Omit<CrashChildOptions, 'database'>): Promise<void> => {
      const child = await startCrashChild({ database, ...death });
      const answer = await beginOpening(child);
      assert.equal(await child.ended, 'SIGKILL');
      await untilEnded(database);
      assert.equal(answer, undefined);
      assert.deepEqual(await verifiedCodes(database), []);
    };
    for (const decisions of AMONG_BLOCKS) {
      await killed({ point: 'between-writes', decisions });
      assert.deepEqual(await countSealed(database), empty);
      assert.deepEqual(await countRows(database), ofCases(0, MANY_BREADS));
    }

    await killed({ point: 'after-commit', decisions: AMONG_BLOCKS[0]! });
    const first = await countSealed(database);
    const child = await startCrashChild({ database });
    await openCase(child);
    await kill(child);

    const ofCase = first.blocks - empty.blocks;
    assert.ok(ofCase > AMONG_BLOCKS.length, `${ofCase} blocks`);
    assert.deepEqual(first, plus(empty, ofCase));
    assert.deepEqual(await countSealed(database), plus(first, ofCase));
    assert.deepEqual(await countRows(database), ofCases(2, MANY_BREADS));
    assert.deepEqual(await verifiedCodes(database), []);
  },
);

test('while others keep it from writing nothing of a case is seen, and a kill leaves nothing', async () => {
  await using database = await newHub();
  const child = await startCrashChild({ database });
  const held = await database.holdWrites();
  const opening = beginOpening(child);
  await untilPrepared(database);
  const seen = await countRows(database);

  await kill(child);
  await held[Symbol.asyncDispose]();
  await opening;
  await untilEnded(database);

  assert.deepEqual(seen, ofCases(0));
  assert.deepEqual(await countRows(database), ofCases(0));
});

/** Until the prepared rows are written, behind which a server waits for the head; a file waits before them. */
async function untilPrepared(database: TestDatabase): Promise<void> {
  if (testEngine === 'sqlite') return await sleep(KILLED_WITHIN_MS);
  await until(
    database,
    `select count(*) > 0 from pg_stat_activity
    where ${OTHERS} and wait_event_type = 'Lock' and query like '%from head%'
      and exists (select 1 from pg_locks l
        where l.pid = pg_stat_activity.pid and l.relation = 'recall_notifications'::regclass)`,
  );
}
