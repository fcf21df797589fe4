// The first start on a ledger of a version that sealed no decisions: what was decided is sealed, once,
// whatever ends the process in between.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@lothub/kit/clock';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { testAboveEngines } from '@lothub/kit/test/above-engines';
import { holdStatement } from '@lothub/kit/test/held-statement-names';
import type { UpgradeProgress } from '@lothub/kit/upgrade';
import { ClockTrust } from '../../src/ledger/clock-trust.ts';
import { sealExisting } from '../../src/ledger/decisions/existing/seal-existing.ts';
import type { SealingLedger } from '../../src/ledger/decisions/existing/seal-existing.ts';
import { openStore } from '../../src/ledger/open-store.ts';
import { PostgresSealing } from '../../src/ledger/postgres/existing/seal-existing.ts';
import { SqliteSealing } from '../../src/ledger/sqlite/existing/seal-existing.ts';
import { databaseFile } from '../../src/ledger/sqlite/store.ts';
import { openSecondDatabase, testEngine, type StoredRow, type TestDatabase } from '../engine.ts';
import { awaitEnd, startCli, testFolder } from '../cli/run.ts';
import { ADMIN_KEY, TENANT_KEY } from '../boot.ts';
import { holdLot } from '../holds.ts';
import { makeEvent, makeLine, openTestStore } from '../ledger.ts';
import { makeOlderLedger, type OlderHold } from '../older-ledger.ts';
import { openTamperingWith, roundOver } from '../tampering/database.ts';
import { rebuildRows, verifiedCodes } from '../verified.ts';

const MARCH = '2026-03-02T06:00:00.000Z';
const APRIL = '2026-04-02T06:00:00.000Z';
const MAY = '2026-05-02T06:00:00.000Z';

function byHand(lotCode: string, changes: Partial<OlderHold> = {}): OlderHold {
  const hold = { source: 'manual', reason: 'smells', by: 'Jane Miller', since: MARCH };
  return { tenantId: 'bakery', lotCode, ...hold, ...changes };
}

/** FLOUR-1 is held again after its release: its second hold is sealed in a batch of its own. */
const HOLDS: readonly OlderHold[] = [
  byHand('FLOUR-1', { released: { at: APRIL, by: 'John Doe' } }),
  byHand('FLOUR-2'),
  byHand('FLOUR-1', { since: MAY, reason: '' }),
  // The clock was put back before it was released.
  byHand('FLOUR-3', { since: APRIL, released: { at: MARCH, by: '' } }),
  byHand('FLOUR-1', { tenantId: 'mill', since: APRIL }),
];

/** Blocks of events are those up to this height. */
const LAST_EVENT = 2;

async function olderLedger(holds: readonly OlderHold[] = HOLDS): Promise<TestDatabase> {
  return await makeOlderLedger(async (ledger) => {
    const lines = ['FLOUR-1', 'FLOUR-2', 'FLOUR-3', 'FLOUR-4', 'FLOUR-5'].map((code) =>
      makeLine('in', code),
    );
    await ledger.record([makeEvent('RECEIVE', lines)]);
    await ledger.record([makeEvent('RECEIVE', [makeLine('in', 'FLOUR-1')])], 'mill');
  }, holds);
}

/** Starts the service's store on it and ends it. */
async function startOnce(database: TestDatabase): Promise<readonly UpgradeProgress[]> {
  const seen: UpgradeProgress[] = [];
  const { dataDir, databaseUrl } = database;
  const store = await openStore({
    dataDir,
    databaseUrl,
    hubName: 'Lothub',
    onFatal: (error) => {
      throw error;
    },
    onUpgrade: (progress) => seen.push(progress),
  });
  await store.close();
  return seen;
}

interface SealedHold {
  readonly at: string;
  readonly lots: readonly string[];
  readonly state: string;
  readonly migrated?: true;
  readonly committed?: Readonly<Record<string, string>>;
}

/** What blocks of holds say, in their order, each with its height and brand. */
async function sealedHolds(
  database: TestDatabase,
): Promise<
  readonly { readonly height: number; readonly brand: string; readonly of: SealedHold }[]
> {
  const rows = await database.rows(
    `select height, canonical from blocks where height > ${LAST_EVENT} order by height`,
  );
  return rows.map((row) => {
    const { payload } = JSON.parse(String(row['canonical'])) as {
      payload: { readonly brand: string; readonly type: string; readonly decision: SealedHold };
    };
    assert.equal(payload.type, 'hold');
    return { height: Number(row['height']), brand: payload.brand, of: payload.decision };
  });
}

/** Holds as they are answered and compared, but for the numbers of rows. */
async function readHolds(database: TestDatabase): Promise<readonly StoredRow[]> {
  const rows = await database.rows(`
    select l.tenant_no, l.lot_code, h.source, h.reason, h.held_by, h.held_since, h.released_at,
      h.released_by, h.held_height, h.released_height, l.on_hold
    from lot_holds h
    join lots l on l.lot_no = h.lot_no
    order by l.tenant_no, l.lot_code, h.source, h.held_since`);
  return rows.map((row) => ({ ...row }));
}

async function heightOfMarker(database: TestDatabase): Promise<number | undefined> {
  const [marker] = await database.rows('select migrated_through from decision_sealing');
  return marker === undefined ? undefined : Number(marker['migrated_through']);
}

test('the first start seals holds by hand with the times at which they were set and ended', async () => {
  await using database = await olderLedger();

  await startOnce(database);

  const sealed = await sealedHolds(database);
  assert.deepEqual(
    sealed.map(({ brand, of: { at, lots, state, migrated } }) => [
      brand,
      state,
      at,
      lots,
      migrated,
    ]),
    [
      ['bakery', 'held', MARCH, ['FLOUR-1', 'FLOUR-2'], true],
      ['bakery', 'released', APRIL, ['FLOUR-1'], true],
      ['bakery', 'held', APRIL, ['FLOUR-3'], true],
      ['mill', 'held', APRIL, ['FLOUR-1'], true],
      ['bakery', 'released', MARCH, ['FLOUR-3'], true],
      ['bakery', 'held', MAY, ['FLOUR-1'], true],
    ],
  );
  assert.equal(await heightOfMarker(database), sealed.at(-1)?.height);
  assert.deepEqual(await verifiedCodes(database), []);
});

testAboveEngines(
  'who held a lot, and why, stays private when it is sealed at the first start',
  async () => {
    await using database = await olderLedger();

    await startOnce(database);

    const texts = await database.rows('select canonical from blocks');
    const [first] = await sealedHolds(database);
    assert.doesNotMatch(JSON.stringify(texts), /Jane Miller|John Doe|smells/);
    assert.deepEqual(Object.keys(first?.of.committed ?? {}), ['by', 'reason']);
  },
);

testAboveEngines(
  'what is answered of holds is the same after the first start and after a rebuild',
  async () => {
    await using database = await olderLedger();
    const { dataDir, databaseUrl } = database;

    await startOnce(database);
    const started = await readHolds(database);
    await rebuildRows({ dataDir, databaseUrl });

    assert.deepEqual(
      started.map((row) => [row['lot_code'], row['held_since'], row['reason'], row['released_at']]),
      [
        ['FLOUR-1', MARCH, 'smells', APRIL],
        ['FLOUR-1', MAY, '', null],
        ['FLOUR-2', MARCH, 'smells', null],
        ['FLOUR-3', APRIL, 'smells', MARCH],
        ['FLOUR-1', APRIL, 'smells', null],
      ],
    );
    assert.deepEqual(await readHolds(database), started);
    assert.deepEqual(await verifiedCodes(database), []);
  },
);

/** What the version before has stored of a case, an answer to it, a drill and a brand. */
const OLDER_DECISIONS = [
  `insert into recall_cases (
     case_id, case_no, tenant_no, seed_lot_code, seed_lot_no, title, reason, severity, direction,
     auto_hold, opened_by, opened_at, opened_height, opened_hash, status, updated_at, notified_at,
     revision, snapshot
   )
   select 1, 'RC-2026-0001', 1, 'FLOUR-1', 1, 'Glass', 'a shard', 'class_i', 'downstream', 0,
     'Jane Miller', '${MARCH}', 1, hash, 'notification', '${APRIL}', '${APRIL}', 2, '{}'
   from blocks where height = 1`,
  `insert into recall_moves (case_id, move_no, from_status, to_status, moved_at, moved_by, note)
   values (1, 1, null, 'investigation', '${MARCH}', 'Jane Miller', null),
     (1, 2, 'investigation', 'notification', '${APRIL}', 'John Doe', 'as agreed')`,
  `insert into recall_lots (
     case_id, lot_no, relation, distance, both_ways, in_snapshot, entered_at, entered_height
   )
   values (1, 1, 'self', 0, 0, 1, '${MARCH}', 1)`,
  'update lots set recalled = 1 where lot_no = 1',
  `insert into recall_notifications (
     case_id, audience, recipient, status, created_at, ready_at, acknowledged_at, response
   )
   values (1, 'customer', 'Anna', 'acknowledged', '${MARCH}', '${APRIL}', '${MAY}', 'sent back')`,
  `insert into recall_drills (
     tenant_no, lot_code, drilled_at, actor, height, tip_hash, elapsed_us, result
   )
   select 1, 'FLOUR-1', '${MAY}', 'Ada', 1, hash, 1234, '{"lots":1}'
   from blocks where height = 1`,
  `insert into brands (tenant_id, name, updated_at) values ('bakery', 'Old Mill', '${MARCH}')`,
];

const TABLES_OF_DECISIONS = [
  'recall_cases',
  'recall_moves',
  'recall_lots',
  'recall_notifications',
  'recall_drills',
  'brands',
];

test('cases, answers, drills and brands are sealed as they were, and made anew of their blocks', async () => {
  await using database = await olderLedger([]);
  const { dataDir, databaseUrl } = database;
  for (const statement of OLDER_DECISIONS) await database.change(statement);

  await startOnce(database);
  const started = await readRows(database);
  const findings = await verifiedCodes(database);
  await rebuildRows({ dataDir, databaseUrl });

  const sealed = await database.rows('select type, subject from decisions order by height');
  assert.deepEqual(
    sealed.map((row) => [row['type'], row['subject']]),
    [
      ['brand', 'brand'],
      ['recall', 'RC-2026-0001'],
      ['recall', 'RC-2026-0001'],
      ['drill', '1'],
      ['response', 'RC-2026-0001/1'],
    ],
  );
  assert.deepEqual(findings, []);
  assert.deepEqual(await readRows(database), started);
  assert.deepEqual(await verifiedCodes(database), []);
  const texts = await database.rows('select canonical from blocks');
  assert.doesNotMatch(JSON.stringify(texts), /Jane Miller|John Doe|as agreed|Anna|sent back/);
});

async function readRows(database: TestDatabase): Promise<readonly unknown[]> {
  const rows: unknown[] = [];
  for (const table of TABLES_OF_DECISIONS) {
    rows.push(...(await database.rows(`select * from ${table} order by 1, 2`)));
  }
  return rows;
}

testAboveEngines('a second start seals nothing, and says nothing of an upgrade', async () => {
  await using database = await olderLedger();
  const first = await startOnce(database);
  const sealed = await sealedHolds(database);

  const second = await startOnce(database);

  const steps = new Set(first.map(({ step }) => step));
  assert.ok(steps.has('rows') && steps.has('decisions'));
  assert.deepEqual(second, []);
  assert.deepEqual(await sealedHolds(database), sealed);
});

testAboveEngines(
  'a hold of a thousand lots and more is sealed in blocks of at most a thousand',
  async () => {
    const codes = Array.from({ length: 1_200 }, (_, index) => `LOT-${index}`);
    await using database = await makeOlderLedger(
      async (ledger) => {
        for (let first = 0; first < codes.length; first += 100) {
          const lines = codes.slice(first, first + 100).map((code) => makeLine('in', code));
          await ledger.record([makeEvent('RECEIVE', lines)]);
        }
      },
      codes.map((code) => byHand(code)),
    );

    await startOnce(database);

    const rows = await database.rows(
      'select count(*) as lots from lot_holds group by held_height order by held_height',
    );
    assert.deepEqual(
      rows.map(({ lots }) => Number(lots)),
      [1_000, 200],
    );
    assert.deepEqual(await verifiedCodes(database), []);
  },
);

testAboveEngines('a new hub has nothing to seal', async () => {
  await using database = await olderLedger([]);

  await startOnce(database);

  assert.deepEqual(await sealedHolds(database), []);
  assert.equal(await heightOfMarker(database), 0);
  assert.deepEqual(await verifiedCodes(database), []);
});

/** As the store's writer does it, with what it seals it with in the hands of the test. */
async function withSealing<Result>(
  { dataDir, databaseUrl }: TestDatabase,
  work: (ledger: SealingLedger) => Promise<Result>,
): Promise<Result> {
  const trust = ClockTrust.begin(systemClock);
  if (databaseUrl === undefined) {
    await using connection = new SqliteConnection(databaseFile(dataDir), 'write');
    return await work(new SqliteSealing(connection, trust));
  }
  await using connection = await PostgresConnection.open(databaseUrl, { connectionsMax: 1 });
  return await work(new PostgresSealing(connection, trust));
}

test('a start that ends between two batches is gone on with, and nothing is sealed twice', async () => {
  await using whole = await olderLedger();
  await using database = await olderLedger([]);
  await startOnce(whole);
  await startOnce(database);
  await database.change('delete from decision_sealing');
  const holds = await whole.rows('select * from lot_holds order by hold_no');
  for (const {
    lot_no,
    tenant_no,
    source,
    reason,
    held_by,
    held_since,
    released_at,
    released_by,
  } of holds as readonly Record<string, string | number | null>[]) {
    await database.change(
      'insert into lot_holds (lot_no, tenant_no, source, reason, held_by, held_since, released_at, released_by) values (?, ?, ?, ?, ?, ?, ?, ?)',
      ...[lot_no!, tenant_no!, source!, reason!, held_by!, held_since!, released_at!, released_by!],
    );
  }

  let batches = 0;
  const ending = withSealing(database, async (ledger) => {
    await sealExisting(
      {
        reader: ledger.reader,
        inTransaction: (sealing) => {
          batches += 1;
          if (batches === 2) throw new Error('the process ends here');
          return ledger.inTransaction(sealing);
        },
      },
      () => undefined,
    );
  });
  await assert.rejects(ending, /the process ends here/);
  const between = await sealedHolds(database);
  const markerBetween = await heightOfMarker(database);
  await startOnce(database);

  const contents = (sealed: Awaited<ReturnType<typeof sealedHolds>>): unknown =>
    sealed.map(({ brand, of: { at, lots, state } }) => [brand, at, lots, state]);
  assert.equal(between.length, 2);
  assert.equal(markerBetween, undefined);
  assert.deepEqual(contents(await sealedHolds(database)), contents(await sealedHolds(whole)));
});

testAboveEngines(
  'a process that is killed before it says that all is sealed leaves the rest to the next',
  async () => {
    await using database = await olderLedger();
    await using folder = await testFolder();
    const held = await holdStatement(folder.file('held'), 'insert into decision_sealing');
    const child = startCli(['serve'], {
      ...database.env,
      ...held.env,
      PORT: '0',
      TENANT_API_KEY: TENANT_KEY,
      ADMIN_API_KEY: ADMIN_KEY,
    });
    const ended = awaitEnd(child);
    await held.reached();

    child.kill('SIGKILL');
    await ended;
    const sealed = await sealedHolds(database);
    const markerBetween = await heightOfMarker(database);
    await startOnce(database);

    assert.equal(sealed.length, 6);
    assert.equal(markerBetween, undefined);
    assert.deepEqual(await sealedHolds(database), sealed);
    assert.equal(await heightOfMarker(database), sealed.at(-1)?.height);
    assert.deepEqual(await verifiedCodes(database), []);
  },
);

testAboveEngines(
  'decisions that are made after the first start do not say that they were made before',
  async () => {
    await using database = await olderLedger();
    await startOnce(database);
    const marker = await heightOfMarker(database);

    const store = await openTestStore(database);
    await holdLot(store, { tenantId: 'bakery', lotCode: 'FLOUR-4' });
    await store.close();

    assert.equal((await sealedHolds(database)).at(-1)?.of.migrated, undefined);
    assert.equal(await heightOfMarker(database), marker);
    assert.deepEqual(await verifiedCodes(database), []);
  },
);

const INSERT_HOLD = `
  insert into lot_holds (lot_no, tenant_no, source, reason, held_by, held_since)
  select lot_no, tenant_no, 'manual', 'smells', 'Jane Miller', '${MAY}'
  from lots where lot_code = 'FLOUR-5'`;

const CHANGES = [
  ['a hold without a block', INSERT_HOLD, 'decision_not_sealed'],
  [
    'a release without a block',
    `update lot_holds set released_at = '${MAY}', released_by = 'John Doe' where held_since = '${MAY}'`,
    'decision_not_sealed',
  ],
  ['no marker', 'delete from decision_sealing', 'decision_sealing_missing'],
  [
    'a marker that is lower',
    'update decision_sealing set migrated_through = migrated_through - 1',
    'decision_sealing_differs',
  ],
  [
    'a marker that is higher',
    'update decision_sealing set migrated_through = migrated_through + 1',
    'decision_sealing_differs',
  ],
  [
    'a marker beyond the chain',
    'update decision_sealing set migrated_through = 1000',
    'decision_sealing_differs',
  ],
  [
    'a marker of nothing',
    'update decision_sealing set migrated_through = 0',
    'decision_sealing_differs',
  ],
] as const;

testAboveEngines('whatever is changed after the first start is found', async () => {
  await using database = await olderLedger();
  await startOnce(database);
  const store = await openTestStore(database);
  await holdLot(store, { tenantId: 'bakery', lotCode: 'FLOUR-4' });
  await store.close();
  await using tampering = await openTamperingWith(database);

  for (const [what, statement, code] of CHANGES) {
    const { codes } = await tampering.undone(async () => {
      await tampering.exec(statement);
      return await roundOver(tampering);
    });

    assert.ok(codes.includes(code), what);
  }
});

testAboveEngines(
  'where decisions were sealed as they were made, no start seals rows as if they were older',
  async () => {
    await using database = await olderLedger();
    await startOnce(database);
    const store = await openTestStore(database);
    await holdLot(store, { tenantId: 'bakery', lotCode: 'FLOUR-4' });
    await store.close();
    const sealed = await sealedHolds(database);
    await database.change('delete from decision_sealing');
    await database.change(INSERT_HOLD);

    await startOnce(database);

    assert.deepEqual(await sealedHolds(database), sealed);
    assert.ok((await verifiedCodes(database)).includes('decision_sealing_missing'));
  },
);

testAboveEngines('a rebuild makes the marker anew', async () => {
  await using database = await olderLedger();
  const { dataDir, databaseUrl } = database;
  await startOnce(database);
  const store = await openTestStore(database);
  await holdLot(store, { tenantId: 'bakery', lotCode: 'FLOUR-4' });
  await store.close();
  const marker = await heightOfMarker(database);
  await database.change('delete from decision_sealing');

  await rebuildRows({ dataDir, databaseUrl });

  assert.equal(await heightOfMarker(database), marker);
  assert.deepEqual(await verifiedCodes(database), []);
});

/** Sales of customers of two brands, one of each erased since as 0.5 did it, with nothing on the chain. */
async function ledgerWithErasures(): Promise<TestDatabase> {
  const sale = (customer: string) =>
    makeEvent('SELL', [makeLine('out', 'FLOUR-1', { customer_ref: customer, quantity: 1 })]);
  const database = await makeOlderLedger(async (ledger) => {
    await ledger.record([
      makeEvent('RECEIVE', [makeLine('in', 'FLOUR-1')]),
      sale('C-1'),
      sale('C-2'),
    ]);
    await ledger.record([makeEvent('RECEIVE', [makeLine('in', 'FLOUR-1')]), sale('C-1')], 'mill');
  }, []);
  await database.change("delete from private_lines where customer_ref = 'C-1'");
  await database.change(`
    insert into audit_entries (at, tenant_id, actor, action, entity_type, entity_id, details)
    values ('${APRIL}', 'bakery', 'test', 'erase_customer', 'customer', 'x', '{}')`);
  return database;
}

test('the first start seals which private values were erased before, never whose', async () => {
  await using database = await ledgerWithErasures();

  await startOnce(database);

  const rows = await database.rows('select height, canonical from blocks where height > 5');
  const payloads = rows.map(({ canonical }) => {
    const { payload } = JSON.parse(String(canonical)) as {
      payload: { readonly brand: string; readonly type: string; readonly decision: object };
    };
    return payload;
  });
  const [bakery, mill] = payloads;
  assert.deepEqual(
    payloads.map(({ brand, type }) => [brand, type]),
    [
      ['bakery', 'erasure'],
      ['mill', 'erasure'],
    ],
  );
  assert.deepEqual(bakery?.decision, { at: APRIL, heights: [2], migrated: true });
  assert.deepEqual({ ...mill?.decision, at: '' }, { at: '', heights: [5], migrated: true });
  assert.equal(await heightOfMarker(database), 7);
  assert.deepEqual(await verifiedCodes(database), []);
});

testAboveEngines('what is erased past the hub after the first start is found', async () => {
  await using database = await ledgerWithErasures();
  await startOnce(database);

  await database.change("delete from private_lines where customer_ref = 'C-2'");

  assert.deepEqual(await verifiedCodes(database), ['private_row_missing']);
});

if (testEngine === 'postgres') {
  test('of several processes that start at once each decision is sealed by one', async () => {
    await using database = await olderLedger();
    await using second = await openSecondDatabase(String(database.databaseUrl));

    await Promise.all([startOnce(database), startOnce(second)]);

    assert.equal((await sealedHolds(database)).length, 6);
    assert.deepEqual(await verifiedCodes(database), []);
  });
}
