// Edits of many lots of a case beside others: its lots and holds are written before the head is taken, while
// somebody releases lots by hand, erases customers, moves the case and widens it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@lothub/kit/clock';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { chooseRounds } from '@lothub/kit/test/rounds';
import sql from 'sql-template-tag';
import { verifyDatabase } from '../../src/ledger/operate/verify-database.ts';
import { eraseCustomer } from '../../src/privacy/erase.ts';
import { editCase } from '../../src/recall/edit/edit-case.ts';
import type { CaseEdit } from '../../src/recall/edit/schema.ts';
import { testEngine } from '../engine.ts';
import { releaseLot } from '../holds.ts';
import { TEST_CALLER, makeEvent, makeLine, openTestLedger, type TestLedger } from '../ledger.ts';
import { follow, moveTo, openCase } from './case-ledger.ts';
import { coveredLots, readNotifications } from './following.ts';

const ROUNDS = chooseRounds({ usual: 2, long: 12 });
/** Lots that an edit adds and the next one excludes: several slices of each statement. */
const LOTS = 1_300;
/** Events, one after the other, that widen the case while an edit is prepared. */
const LATE = 8;
const TENANT = 'mill';

const codes = Array.from({ length: LOTS }, (_, index) => `LOT-${index}`);
const customers = Array.from({ length: ROUNDS }, (_, index) => `Customer ${index}`);

async function edit(
  ledger: TestLedger,
  caseNo: string,
  scope: CaseEdit['scope'] & object,
): Promise<void> {
  const { store, reader } = ledger;
  await editCase(
    { store, reader, clock: systemClock },
    { tenantId: TENANT, caseNo, edit: { scope }, caller: TEST_CALLER },
  );
}

async function recordLots(ledger: TestLedger): Promise<void> {
  await ledger.record(
    [
      makeEvent('RECEIVE', [makeLine('in', 'FLOUR')]),
      makeEvent(
        'RECEIVE',
        codes.map((code) => makeLine('in', code)),
      ),
      ...customers.map((customer) => sold('LOT-7', customer)),
    ],
    TENANT,
  );
}

function sold(lotCode: string, customer_ref: string) {
  return makeEvent('SELL', [makeLine('out', lotCode, { customer_ref })]);
}

async function recordAndFollow(ledger: TestLedger, round: number): Promise<void> {
  for (let late = 0; late < LATE; late += 1) {
    const lines = [makeLine('in', 'FLOUR'), makeLine('out', `LATE-${round}-${late}`)];
    await ledger.record([makeEvent('PRODUCE', lines)], TENANT);
    await follow(ledger);
  }
}

/** How often two transactions have waited for each other. */
async function countDeadlocks({ database }: TestLedger): Promise<number> {
  if (testEngine === 'sqlite') return 0;
  const [row] = await database.rows(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  return Number(row?.['deadlocks']);
}

test('edits of many lots, releases, erasures and widenings meet, and all rows are as their blocks say', async () => {
  await using ledger = await openTestLedger();
  const { store, reader } = ledger;
  await recordLots(ledger);
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId: TENANT });

  for (const [round, customerRef] of customers.entries()) {
    await Promise.all([
      edit(ledger, caseNo, { add: codes, reason: 'seen beside it' }),
      recordAndFollow(ledger, round),
      eraseCustomer(
        { store, reader, clock: systemClock, newSalt },
        { tenantId: TENANT, customerRef, caller: TEST_CALLER },
      ),
    ]);
    await Promise.all([
      edit(ledger, caseNo, { exclude: codes, reason: 'they were not' }),
      ...codes.slice(0, 5).map((lotCode) =>
        // An edit may have ended the hold before.
        releaseLot(store, { tenantId: TENANT, lotCode, caseNo }).catch(() => undefined),
      ),
      follow(ledger),
    ]);
    if (round === 0) await moveTo(ledger, { tenantId: TENANT, caseNo, to: 'notification' });
  }
  await edit(ledger, caseNo, { add: codes, reason: 'at last' });
  await follow(ledger);

  const covered = await coveredLots(ledger, caseNo);
  const { dataDir, databaseUrl } = ledger.database;
  const { mismatches } = await verifyDatabase({
    ...{ dataDir, databaseUrl, clock: systemClock, tip: 'compare' },
  });
  assert.equal(covered.length, 1 + LOTS + ROUNDS * LATE);
  assert.deepEqual(mismatches, []);
  assert.equal(await countDeadlocks(ledger), 0);
});

if (testEngine === 'postgres') {
  test('others append while an edit waits to write the lots that it adds, and who widens the case waits', async () => {
    await using ledger = await openTestLedger();
    await recordLots(ledger);
    const caseNo = await openCase(ledger, 'FLOUR', { tenantId: TENANT });
    await ledger.record(
      [makeEvent('PRODUCE', [makeLine('in', 'FLOUR'), makeLine('out', 'LATE')])],
      TENANT,
    );
    await ledger.record([sold('LATE', 'Buyer of both')], TENANT);
    const { lotNo } = await ledger.lot('LOT-7', TENANT);
    await using blocker = await PostgresConnection.open(ledger.database.databaseUrl ?? '');
    const running: Promise<void>[] = [];

    await blocker.transaction(async ({ all }) => {
      await all(sql`
        insert into lot_holds (lot_no, tenant_no, source, reason, held_by, held_since, released_at)
        select ${lotNo}, tenant_no, ${caseNo}, '', '', '', null from lots where lot_no = ${lotNo}`);
      running.push(edit(ledger, caseNo, { add: codes, reason: 'seen beside it' }));
      await waiting(blocker, 1);
      await ledger.record([sold('FLOUR', 'Buyer of flour')], TENANT);
      running.push(follow(ledger));
      await waiting(blocker, 2);
      await ledger.record([makeEvent('RECEIVE', [makeLine('in', 'SALT')])], TENANT);
      await all(sql`delete from lot_holds where lot_no = ${lotNo} and source = ${caseNo}`);
    });
    await Promise.all(running);
    await follow(ledger);

    const notifications = await readNotifications(ledger, caseNo);
    assert.equal((await coveredLots(ledger, caseNo)).length, 2 + LOTS);
    assert.equal(notifications.filter((one) => one.includes('Buyer of')).length, 2);
  });
}

/** Until so many wait for rows of others. */
async function waiting(connection: PostgresConnection, count: number): Promise<void> {
  for (;;) {
    const rows = await connection.all(sql`
      select pid
      from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    if (rows.length >= count) return;
    await sleep(20);
  }
}
