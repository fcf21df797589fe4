// What a person does through a session is under that person's name, wherever it is kept: in the audit, in
// cases, holds, corrections, drills and reports. The forms of a session cannot declare another name, and none of
// it is public.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { systemClock } from '@lothub/kit/clock';
import { newSalt } from '@lothub/kit/secrets/secrets';
import sql from 'sql-template-tag';
import { setPlace } from '../../src/brand/places.ts';
import { setProduct } from '../../src/brand/products.ts';
import { correctBatch } from '../../src/corrections/batch.ts';
import { correctEvent } from '../../src/corrections/correct.ts';
import { holdMany } from '../../src/holds/many.ts';
import { callerOfPerson } from '../../src/http.ts';
import { changeHold } from '../../src/lots/holds.ts';
import { eraseCustomer } from '../../src/privacy/erase.ts';
import { CaseOpener } from '../../src/recall/case/open-case.ts';
import { getCase, moveCase } from '../../src/recall/case/move-case.ts';
import { makeDrill } from '../../src/recall/drill/drills.ts';
import { editCase } from '../../src/recall/edit/edit-case.ts';
import { confirmNotification } from '../../src/recall/outbox/confirm.ts';
import { OneAfterAnother } from '../../src/recall/outbox/one-after-another.ts';
import { readCaseReport } from '../../src/recall/report/read-case-report.ts';
import { boot } from '../boot.ts';
import { makeEvent, makeLine, openTestLedger } from '../ledger.ts';
import { readPublicBytes } from '../recall/public-bytes.ts';
import { verifiedCodes } from '../verified.ts';

const TENANT = 'acme';
const NAME = 'Zephyrine Vexley';
const ADA = callerOfPerson({ id: 'request-7' }, { name: NAME });
/** What a form might declare in place of the account's name. */
const FORGED = 'Ottoline Quartz';
const LOTS = ['FLOUR', 'DOUGH', 'OTHER'];

let caseNo: string;

const ledger = await openForFile(openTestLedger());
before(async () => {
  await ledger.record(
    [
      makeEvent(
        'RECEIVE',
        LOTS.map((code) => makeLine('in', code)),
        { location: 'MILL' },
      ),
      makeEvent('SELL', [makeLine('out', 'FLOUR', { customer_ref: 'C-1' })]),
      makeEvent('SELL', [makeLine('out', 'OTHER', { customer_ref: 'C-2' })]),
    ],
    TENANT,
  );
  caseNo = await workAsPerson();
});

/** Everything that a person may do and that somebody's name is kept of. */
async function workAsPerson(): Promise<string> {
  const { store, reader, state } = ledger;
  const deps = { store, reader, clock: systemClock, newSalt };
  const by = { tenantId: TENANT, caller: ADA };
  await changeHold(deps, { ...by, state: 'held', lotCode: 'DOUGH', caseNo: null, reason: 'smell' });
  await changeHold(deps, {
    ...by,
    state: 'released',
    lotCode: 'DOUGH',
    caseNo: null,
    reason: null,
  });
  await holdMany(deps, { ...by, request: { lots: ['OTHER'], state: 'held', reason: 'mould' } });
  const request = { seed_lot_code: 'FLOUR', title: 'Metal', reason: 'A sieve broke' };
  const { recallCase } = await new CaseOpener(deps).open({ ...by, request });
  const ofCase = { ...by, caseNo: recallCase.caseNo };
  await editCase(deps, { ...ofCase, edit: { title: 'Metal in flour' } });
  await editCase(deps, {
    ...ofCase,
    edit: { scope: { add: ['DOUGH', 'OTHER'], reason: 'same line' } },
  });
  await editCase(deps, { ...ofCase, edit: { scope: { exclude: ['OTHER'], reason: 'another' } } });
  const moves = { ...ofCase, note: 'seen', releaseHolds: false };
  await moveCase(deps, { ...moves, to: 'notification' });
  const notification = await store.reader.first<{ readonly id: number }>(sql`
    select notification_id as id
    from recall_notifications
    order by notification_id
    limit 1`);
  await confirmNotification(
    { ...deps, turns: new OneAfterAnother() },
    { ...ofCase, notificationId: notification!.id, to: 'sent', response: undefined },
  );
  await moveCase(deps, { ...moves, to: 'containment' });
  await moveCase(deps, { ...moves, to: 'closed', releaseHolds: true });
  await makeDrill(
    { ...deps, randomInt: () => 0 },
    { ...by, lotCode: 'FLOUR', supplierName: undefined },
  );
  const correction = { reason: 'typing error', requested_by: FORGED };
  await correctEvent(
    {
      ...correction,
      corrects_event_id: 1,
      changes: [{ field: 'location', old_value: 'MILL', new_value: 'MILL-2' }],
    },
    { ...deps, ...by },
  );
  await correctBatch({
    ...{ ...deps, state, tenantId: TENANT, callerFor: () => ADA, onError: 'abort' },
    corrections: [
      {
        ...correction,
        corrects_event_id: 2,
        changes: [{ field: 'status', old_value: 'accepted', new_value: 'voided' }],
      },
    ],
  });
  const telling = { ...deps, store };
  await setProduct(telling, { ...by, sku: 'FLOUR' }, { names: { en: 'Flour' } });
  await setPlace(telling, { ...by, location: 'MILL-2' }, { name: 'Mill' });
  await eraseCustomer(deps, { ...by, customerRef: 'C-2' });
  return recallCase.caseNo;
}

/** The distinct values of a column. */
async function readValues(column: string, table: string): Promise<readonly unknown[]> {
  const rows = await ledger.database.rows(
    `select distinct ${column} as value from ${table} where ${column} is not null`,
  );
  return rows.map(({ value }) => value);
}

for (const [column, table] of [
  ['actor', "(select actor, id from audit_entries where tenant_id = 'acme') entries"],
  ['held_by', 'lot_holds'],
  ['released_by', 'lot_holds'],
  ['opened_by', 'recall_cases'],
  ['moved_by', 'recall_moves'],
  ['edited_by', 'recall_edits'],
  ['actor', 'recall_drills'],
  ['requested_by', 'private_requests'],
] as const) {
  test(`${column} of ${table} is the name of the person`, async () => {
    assert.deepEqual(await readValues(column, table), [NAME]);
  });
}

test('the audit has an entry for each kind of what was done, with the request', async () => {
  const rows = await ledger.database.rows(
    "select action, request_id from audit_entries where tenant_id = 'acme'",
  );

  assert.deepEqual([...new Set(rows.map(({ action }) => String(action)))].toSorted(), [
    'correct_event',
    'drill_recall',
    'edit_case',
    'erase_customer',
    'hold_lot',
    'move_case',
    'open_case',
    'release_lot',
    'set_place',
    'set_product',
    'update_notification',
  ]);
  assert.deepEqual([...new Set(rows.map((row) => row['request_id']))], ['request-7']);
});

test('the sealed answer to a notification commits to the person', async () => {
  const rows = await ledger.database.rows(
    'select value from private_decisions where name = ? and height in ' +
      "(select height from decisions where type = 'response')",
    'by',
  );

  assert.deepEqual(
    rows.map(({ value }) => value),
    [NAME],
  );
});

test('the report of the case names the person at the opening and at each step', async () => {
  const { reader, state } = ledger;
  const recallCase = await getCase(reader.database, { tenantId: TENANT, caseNo });

  const report = await readCaseReport(
    { reader, state, clock: systemClock, hubName: 'Lothub', publicUrl: 'https://hub.test' },
    { tenantId: TENANT, recallCase },
  );

  assert.equal(report.openedBy, NAME);
  // An opening, three edits and three moves.
  assert.deepEqual(
    report.moves.map(({ by }) => by),
    new Array(7).fill(NAME),
  );
});

test('a name that is none, or longer than what keeps it, is refused', () => {
  for (const name of ['', ' ', 'x'.repeat(201), 'a\u0000b', 'a\ud800']) {
    assert.throws(() => callerOfPerson({ id: 'request-7' }, { name }), {
      name: 'AssertionError',
    });
  }
});

test('all of it verifies, and no public byte names the person', async () => {
  await ledger.store.close();
  assert.deepEqual(await verifiedCodes(ledger.database), []);
  await using hub = await boot({ database: ledger.database });

  const about = { brand: TENANT, lotCodes: LOTS, words: [NAME, caseNo] };
  const shown = await readPublicBytes(hub, about);

  assert.ok(shown.size > 60, `${shown.size} paths`);
  for (const [path, text] of shown) {
    // A search repeats what was searched for.
    if (decodeURIComponent(path).includes('Vexley')) continue;
    for (const word of ['Zephyrine', 'Vexley', 'Quartz']) {
      assert.ok(!text.includes(word), `${path} says ${word}`);
    }
  }
  assert.doesNotMatch(hub.log(), /Vexley/);
});
