// How far the open cases were followed, changed beside the hub: late events that are left out are found and made
// up for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@lothub/kit/clock';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { until } from '@lothub/kit/test/until';
import { makeEvent, makeLine, openTestLedger } from '../../../test/ledger.ts';
import { correct, follow, moveTo, openCase } from '../../../test/recall/case-ledger.ts';
import { coveredLots, readNotifications } from '../../../test/recall/following.ts';
import type { EventInput } from '../../events/schema.ts';
import type { Mismatch } from '../../ledger/verify/chain-state.ts';
import { CaseFollower, WideningPace, followStep } from './follow.ts';
import { CaseChecks, findNotFollowed } from './lacking.ts';

const ledger = await openForFile(openTestLedger());

let tenantCount = 0;
const newTenant = (): string => `tenant-${(tenantCount += 1)}`;

const RECEIVED = makeEvent('RECEIVE', [makeLine('in', 'FLOUR')]);
const MADE = makeEvent('PRODUCE', [makeLine('in', 'FLOUR'), makeLine('out', 'DOUGH')]);

function sold(lotCode: string, customer: string): EventInput {
  const names = { customer_ref: customer, channel: 'Corner shop' };
  return makeEvent('SELL', [makeLine('out', lotCode, names)]);
}

const SET_FORWARD = 'update recall_progress set followed_height = (select height from head)';

/** A case whose late events the place leaves out. */
async function leaveOut(
  late: readonly EventInput[],
): Promise<{ tenantId: string; caseNo: string }> {
  const tenantId = newTenant();
  await endCases();
  await ledger.record([RECEIVED, sold('FLOUR', 'Anna')], tenantId);
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });
  await follow(ledger);
  await ledger.record(late, tenantId);
  await ledger.database.change(SET_FORWARD);
  return { tenantId, caseNo };
}

async function readCodes(): Promise<readonly string[]> {
  return (await findNotFollowed(ledger.reader.database)).map(({ code }) => code);
}

/** Runs the follower until no open case lacks anything. */
async function followAndCompare(): Promise<readonly Mismatch[]> {
  const reported: Mismatch[] = [];
  await using _follower = CaseFollower.start({
    ...{ store: ledger.store, reader: ledger.reader, clock: systemClock },
    state: { report: (mismatch) => void reported.push(mismatch) },
    log: { warn: (...said: unknown[]) => assert.fail(JSON.stringify(said)) },
  });
  await until(
    'the case lacks nothing',
    async () => reported.length > 0 && (await readCodes()).length === 0,
  );
  return reported;
}

test('lots and customers of late events that were left out are found, and the follower adds them', async () => {
  const { caseNo } = await leaveOut([MADE, sold('FLOUR', 'Ben')]);

  const codes = await readCodes();
  const reported = await followAndCompare();

  assert.deepEqual(codes, ['case_not_followed']);
  assert.deepEqual(
    reported.map(({ code }) => code),
    ['case_not_followed'],
  );
  assert.deepEqual(await coveredLots(ledger, caseNo), [
    'DOUGH downstream 1 on_hold',
    'FLOUR self 0 on_hold',
  ]);
  assert.ok((await readNotifications(ledger, caseNo)).includes('customer Ben pending'));
});

test('a customer alone who was left out is found', async () => {
  const { caseNo } = await leaveOut([sold('FLOUR', 'Ben')]);

  const codes = await readCodes();
  await followAndCompare();

  assert.deepEqual(codes, ['case_not_followed']);
  assert.ok((await readNotifications(ledger, caseNo)).includes('customer Ben pending'));
});

test('a correction that was left out takes its lot out of the case again', async () => {
  const tenantId = newTenant();
  await endCases();
  const [, height = 0] = await ledger.record([RECEIVED, MADE], tenantId);
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });
  await follow(ledger);
  const voided = { field: 'status', old_value: 'accepted', new_value: 'voided' };
  await correct(ledger, { tenantId, height }, [voided]);
  await ledger.database.change(SET_FORWARD);

  const codes = await readCodes();
  await followAndCompare();

  assert.deepEqual(codes, ['case_not_followed']);
  assert.deepEqual(await coveredLots(ledger, caseNo), ['FLOUR self 0 on_hold']);
});

test('late events that are only not followed yet are no finding, nor is a place that was set back', async () => {
  const tenantId = newTenant();
  await ledger.record([RECEIVED], tenantId);
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });
  await ledger.record([MADE, sold('DOUGH', 'Ben')], tenantId);

  const before = await readCodes();
  await follow(ledger);
  const [head] = await ledger.database.rows('select height from head');
  await ledger.database.change('update recall_progress set followed_height = 0');
  const back = await readCodes();
  await follow(ledger);
  const [again] = await ledger.database.rows('select height from head');

  assert.deepEqual([before, back], [[], []]);
  assert.deepEqual(again, head, 'following again adds no block');
  assert.equal((await coveredLots(ledger, caseNo)).length, 2);
});

for (const [what, change] of [
  ['above the tip', 'update recall_progress set followed_height = 1000000'],
  ['below genesis', 'update recall_progress set followed_height = -1000000'],
  ['gone', 'delete from recall_progress'],
] as const) {
  test(`a place that is ${what} is found, and what it has left out is added`, async () => {
    const { caseNo } = await leaveOut([MADE]);
    await ledger.database.change(change);

    const codes = await readCodes();
    const reported = await followAndCompare();

    assert.ok(codes.includes('case_not_followed'));
    assert.ok(reported.every(({ code }) => code === 'case_not_followed'));
    assert.equal((await coveredLots(ledger, caseNo)).length, 2);
  });
}

test('a place that is set forward between two looks is noticed, and that of an opening is none', async () => {
  const reported: Mismatch[] = [];
  const checks = new CaseChecks((mismatch) => void reported.push(mismatch));
  const options = { store: ledger.store, reader: ledger.reader, clock: systemClock };
  const step = { pace: new WideningPace(0), blocksMax: 1_000, checks };
  const tenantId = newTenant();
  await endCases();
  await ledger.record([RECEIVED], tenantId);
  await openCase(ledger, 'FLOUR', { tenantId });
  await followStep(options, step);
  const compared: unknown[] = [];
  const compareAll = async (): Promise<void> => {
    for (let look = 0; look < 3; look += 1) compared.push(await checks.next(ledger.reader));
  };
  await compareAll();
  await endCases();
  await ledger.record([RECEIVED], tenantId);
  await openCase(ledger, 'FLOUR', { tenantId });
  await followStep(options, step);
  const readsBefore = compared.length;
  await compareAll();

  await ledger.record([MADE], tenantId);
  await ledger.database.change(SET_FORWARD);
  await followStep(options, step);
  const lacking = await checks.next(ledger.reader);

  assert.deepEqual(new Set(compared), new Set([undefined]));
  assert.ok(readsBefore > 0);
  assert.ok(lacking !== undefined);
  assert.deepEqual(
    reported.map(({ code }) => code),
    ['case_not_followed'],
  );
});

async function endCases(): Promise<void> {
  const open = await ledger.database.rows(
    `select c.case_no as "caseNo", t.tenant_id as "tenantId"
    from recall_cases c
    join tenants t on t.tenant_no = c.tenant_no
    where c.ended_at is null`,
  );
  for (const { caseNo, tenantId } of open) {
    await moveTo(ledger, { tenantId: String(tenantId), caseNo: String(caseNo), to: 'cancelled' });
  }
}
