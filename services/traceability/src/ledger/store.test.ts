// The promises of every engine about changes beside the chain: they are made as a whole and on the
// state that they were planned on, or not at all; about turns, and about links.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { testEngine } from '../../test/engine.ts';
import { TEST_CALLER, makeDraft, makeEvent, makeLine, openTestLedger } from '../../test/ledger.ts';
import type { TestLedger } from '../../test/ledger.ts';
import { MANUAL_HOLD } from './draft.ts';
import type { ChangeOutcome } from '@lothub/kit/writer/planned-change';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(async () => {
  await ledger[Symbol.asyncDispose]();
});

let brandCount = 0;
/** Inserts a row for one test, with a value that a guard can read. */
async function newBrand(name: string): Promise<string> {
  const brand = `brand-${(brandCount += 1)}`;
  await ledger.store.write([
    sql`insert into brands (tenant_id, name, updated_at) values (${brand}, ${name}, '')`,
  ]);
  return brand;
}

async function readName(brand: string): Promise<string | undefined> {
  const row = await ledger.store.reader.first<{ readonly name: string }>(
    sql`select name from brands where tenant_id = ${brand}`,
  );
  return row?.name;
}

const isCalled = (brand: string, name: string): Sql =>
  sql`select 1 as found from brands where tenant_id = ${brand} and name = ${name}`;
const rename = (brand: string, name: string): Sql =>
  sql`update brands set name = ${name} where tenant_id = ${brand} returning name`;

/** The names that each statement returned. */
function namesIn(outcome: ChangeOutcome): readonly (readonly unknown[])[] {
  if (outcome.kind === 'stale') throw new Error('the change was not made');
  return outcome.rows.map((rows) =>
    rows.map((row) => (row !== null && typeof row === 'object' && 'name' in row ? row.name : row)),
  );
}

test('a change is made when its guard answers, and returns what each statement returned', async () => {
  const brand = await newBrand('old');

  const outcome = await ledger.store.change({
    guard: isCalled(brand, 'old'),
    statements: [rename(brand, 'new'), sql`delete from brands where tenant_id = 'nobody'`],
  });

  assert.deepEqual(namesIn(outcome), [['new'], []]);
  assert.equal(await readName(brand), 'new');
});

test('a change that was planned on a state that is gone changes nothing', async () => {
  const brand = await newBrand('other');

  const outcome = await ledger.store.change({
    guard: isCalled(brand, 'old'),
    statements: [rename(brand, 'new')],
  });

  assert.deepEqual(outcome, { kind: 'stale' });
  assert.equal(await readName(brand), 'other');
});

test('of a change of which one statement fails nothing is left, and the next one is made', async () => {
  const brand = await newBrand('old');
  const taken = sql`insert into brands (tenant_id, updated_at) values (${brand}, '')`;

  const failed = ledger.store.change({
    guard: isCalled(brand, 'old'),
    statements: [rename(brand, 'new'), taken],
  });

  await assert.rejects(failed);
  assert.equal(await readName(brand), 'old');
  const next = await ledger.store.change({
    guard: isCalled(brand, 'old'),
    statements: [rename(brand, 'newer')],
  });
  assert.equal(next.kind, 'done');
});

test('prepared rows are kept with their change, and are gone when it is not made', async () => {
  const brand = await newBrand('old');
  const added = `${brand}-added`;
  const claim = sql`
    insert into brands (tenant_id, name, updated_at) values (${added}, 'claimed', '')
    on conflict do nothing
    returning tenant_id`;
  const prepared = { claim, statements: [rename(added, 'prepared')] };
  const change = (guard: Sql, statements: readonly Sql[]) =>
    ledger.store.change({ prepared, guard, statements });
  const taken = sql`insert into brands (tenant_id, updated_at) values (${brand}, '')`;

  const stale = await change(isCalled(brand, 'another'), []);
  const afterStale = await readName(added);
  await assert.rejects(change(isCalled(brand, 'old'), [taken]));
  const afterFailure = await readName(added);
  const done = await change(isCalled(brand, 'old'), [rename(brand, 'new')]);
  const again = await change(isCalled(brand, 'new'), [rename(brand, 'newer')]);

  assert.deepEqual([stale.kind, afterStale, afterFailure], ['stale', undefined, undefined]);
  assert.deepEqual([done.kind, again.kind], ['done', 'stale']);
  assert.deepEqual([await readName(added), await readName(brand)], ['prepared', 'new']);
});

test('of many changes that were planned on one state one is made', async () => {
  const brand = await newBrand('0');

  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      ledger.store.change({
        guard: isCalled(brand, '0'),
        statements: [rename(brand, `${index + 1}`)],
      }),
    ),
  );

  assert.equal(outcomes.filter(({ kind }) => kind === 'done').length, 1);
});

test('nothing is appended between the guard of a change and its end', async () => {
  const brand = await newBrand('0');
  const isAt = (height: number): Sql => sql`select 1 as found from head where height = ${height}`;
  const noteHeight = sql`
    update brands
    set name = (select cast(height as text) from head)
    where tenant_id = ${brand}
    returning name`;
  let isAppending = true;
  const appending = (async () => {
    for (let count = 0; count < 60; count += 1) {
      await ledger.record([makeEvent('RECEIVE', [makeLine('in', `LOT-${count}`)])]);
    }
    isAppending = false;
  })();
  let done = 0;

  while (isAppending) {
    const { height } = await ledger.reader.head();
    // The head moves on between two of them, were it not kept from doing so.
    const outcome = await ledger.store.change({
      guard: isAt(height),
      statements: [noteHeight, noteHeight, noteHeight],
    });
    if (outcome.kind === 'stale') continue;
    done += 1;
    assert.deepEqual(namesIn(outcome), Array(3).fill([String(height)]));
  }
  await appending;

  assert.notEqual(done, 0);
});

test('an event that comes after a change sees the holds that it set and ended', async () => {
  await ledger.record([makeEvent('RECEIVE', [makeLine('in', 'HELD-1'), makeLine('in', 'FREE-1')])]);
  const { lotNo } = await ledger.lot('HELD-1');
  const always = sql`select 1 as found`;
  const heldLots = async (externalId: string) => {
    const { outcomes } = await ledger.store.append({
      tenantId: 'bakery',
      caller: TEST_CALLER,
      drafts: [
        makeDraft(
          makeEvent('CONSUME', [makeLine('in', 'HELD-1'), makeLine('in', 'FREE-1')], {
            external_id: externalId,
          }),
        ),
      ],
      unit: 'all',
    });
    return outcomes.flatMap((outcome) => (outcome.kind === 'appended' ? outcome.heldLots : []));
  };

  const before = await heldLots('before');
  await ledger.store.change({
    guard: always,
    statements: [
      sql`insert into lot_holds (lot_no, source, reason, held_by, held_since)
        values (${lotNo}, ${MANUAL_HOLD}, 'moist', 'Ada', '2026-03-02T06:15:00Z')`,
      sql`update lots set on_hold = 1 where lot_no = ${lotNo}`,
    ],
  });
  const held = await heldLots('held');
  await ledger.store.change({
    guard: always,
    statements: [
      sql`update lot_holds set released_at = '2026-03-02T06:20:00Z', released_by = 'Ada'
        where lot_no = ${lotNo}`,
      sql`update lots set on_hold = 0 where lot_no = ${lotNo}`,
    ],
  });
  const released = await heldLots('released');

  assert.deepEqual([before, held, released], [[], ['HELD-1'], []]);
});

test('an event sees a hold that another process has set since the event before', async () => {
  const event = makeEvent('CONSUME', [makeLine('in', 'SEEN-1')]);
  const append = async () => {
    const { outcomes } = await ledger.store.append({
      tenantId: 'bakery',
      caller: TEST_CALLER,
      drafts: [makeDraft(event)],
      unit: 'all',
    });
    return outcomes.flatMap((outcome) => (outcome.kind === 'appended' ? outcome.heldLots : []));
  };
  const before = await append();
  const { lotNo } = await ledger.lot('SEEN-1');

  await ledger.database.change(
    `insert into lot_holds (lot_no, source, reason, held_by, held_since)
      values (?, 'manual', 'moist', 'Ada', '2026-03-02T06:15:00Z')`,
    lotNo,
  );
  await ledger.database.change('update lots set on_hold = 1 where lot_no = ?', lotNo);
  const after = await append();

  assert.deepEqual([before, after], [[], ['SEEN-1']]);
});

test('of events of one moment, one that the database refuses takes none of the others down', async () => {
  await refuseReference('REFUSED');

  const answers = await Promise.allSettled(
    ['GOOD-1', 'REFUSED', 'GOOD-2'].map((reference) =>
      ledger.record([makeEvent('RECEIVE', [makeLine('in', 'NEXT-1')], { reference })]),
    ),
  );

  assert.deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  const stored = await ledger.database.rows(
    "select reference from events where reference in ('GOOD-1', 'REFUSED', 'GOOD-2') order by height",
  );
  assert.deepEqual(
    stored.map((row) => row['reference']),
    ['GOOD-1', 'GOOD-2'],
  );
});

/** Makes the database refuse events with this reference. */
async function refuseReference(reference: string): Promise<void> {
  if (testEngine === 'sqlite') {
    await ledger.database.change(`
      create trigger refuse before insert on events when new.reference = '${reference}'
      begin select raise(abort, 'refused'); end`);
  } else {
    await ledger.database.rows(
      `alter table events add constraint refuse check (reference <> '${reference}') not valid`,
    );
  }
}

test('the database itself refuses a block that does not link to the one before', async () => {
  await ledger.record([makeEvent('RECEIVE', [makeLine('in', 'LINKED-1')])]);
  const last = sql`select max(height) from blocks`;

  const inserted = ledger.store.write([
    sql`insert into blocks (height, hash, canonical)
      values ((${last}) + 1, 'X', ${`,"prev_hash":"${'0'.repeat(64)}"}`})`,
  ]);

  await assert.rejects(inserted, {
    name: 'DatabaseError',
    message: /must carry the hash of the block before/,
  });
});

test('a store that nobody else serves has every turn, and has it again after giving it up', async () => {
  const turn = ledger.store.turn('sweeping');

  const taken = [await turn.take(), await turn.take(), await ledger.store.turn('weeding').take()];
  await turn.release();
  taken.push(await turn.take());

  assert.deepEqual(taken, [true, true, true, true]);
});
