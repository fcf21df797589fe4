// Changed, deleted and added rows of what became of notifications are noticed, and made anew from the blocks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aLine, anEvent, boot, type Booted } from '../boot.ts';
import { RecallTenant } from '../recall/tenant.ts';
import { assertRebuilt, codesAfter } from './decided.ts';
import { verifiedCodes } from '../verified.ts';

let hub: Booted;
let caseNo: string;
let ids: readonly number[];

before(async () => {
  hub = await boot();
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR-1');
  for (const customer of ['C-1', 'C-2']) {
    const lines = [aLine({ lot_code: 'FLOUR-1', direction: 'out', customer_ref: customer })];
    await hub.post('/v1/events', anEvent({ event_type: 'SELL', lines }), tenant.headers);
  }
  caseNo = String((await tenant.open('FLOUR-1'))['case_no']);
  await tenant.moveThrough(caseNo, 'notification');
  const rows = await hub.database.rows(
    'select notification_id from recall_notifications order by notification_id',
  );
  ids = rows.map((row) => Number(row['notification_id']));
  const answer = async (id: number | undefined, body: object): Promise<void> => {
    const answered = await hub.call(`/v1/recall/cases/${caseNo}/notifications/${String(id)}`, {
      method: 'PATCH',
      headers: { ...tenant.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(answered.status, 200, answered.text);
  };
  await answer(ids[0], { status: 'sent' });
  await answer(ids[0], { status: 'resolved', response: '12 pieces destroyed' });
  await answer(ids[1], { status: 'acknowledged' });
});

after(async () => {
  await hub[Symbol.asyncDispose]();
});

test('what became of a notification is as its blocks say it', async () => {
  const found = await verifiedCodes(hub.database);

  assert.deepEqual(found, []);
});

const CHANGES: Readonly<Record<string, string>> = {
  status: `status = 'acknowledged'`,
  audience: `audience = 'supplier'`,
  recipient: `recipient = 'C-9'`,
  sent_at: `sent_at = '2026-01-01T00:00:00.000Z'`,
  acknowledged_at: `acknowledged_at = '2026-01-01T00:00:00.000Z'`,
  resolved_at: 'resolved_at = null',
  response: `response = 'nothing found'`,
};

/** But for what the case says of its notifications as well (recall.test.ts). */
async function ownCodesAfter(from: Booted, change: string): Promise<readonly string[]> {
  return (await codesAfter(from, change)).filter((code) => !code.startsWith('case_row_'));
}

for (const [column, change] of Object.entries(CHANGES)) {
  test(`a changed ${column} is noticed`, async () => {
    const codes = await ownCodesAfter(
      hub,
      `update recall_notifications set ${change} where notification_id = ${ids[0]}`,
    );

    assert.deepEqual(codes, ['response_row_differs']);
  });
}

test('a row that bears another block is noticed at both', async () => {
  const codes = await ownCodesAfter(
    hub,
    `update recall_notifications set response_height = response_height - 1
    where notification_id = ${ids[0]}`,
  );

  assert.deepEqual(codes.toSorted(), ['response_row_extra', 'response_row_missing']);
});

test('a deleted row is noticed', async () => {
  const codes = await ownCodesAfter(
    hub,
    `delete from recall_notifications where notification_id = ${ids[1]}`,
  );

  assert.deepEqual(codes, ['response_row_missing']);
});

test('an answer that no block says is noticed', async () => {
  const codes = await ownCodesAfter(
    hub,
    `update recall_notifications set status = 'sent' where notification_id = ${ids[2]}`,
  );

  assert.deepEqual(codes, ['decision_not_sealed']);
});

test('an added row is noticed, of a block that there is and of one that there is not', async () => {
  const added = (height: string) => `
    insert into recall_notifications (
      case_id, audience, recipient, status, created_at, response_height
    )
    select case_id, 'customer', 'C-7', 'resolved', created_at, ${height}
    from recall_notifications
    where notification_id = ${ids[0]}`;

  assert.deepEqual(await ownCodesAfter(hub, added('response_height')), ['response_row_extra']);
  assert.deepEqual(await ownCodesAfter(hub, added('1000000')), ['response_row_extra']);
  assert.deepEqual(await ownCodesAfter(hub, added('-1')), ['response_row_extra']);
});

test('what became of notifications is made anew from the blocks', async () => {
  await hub.service.close();

  await assertRebuilt(hub, 'select * from recall_notifications order by notification_id');
  hub = await hub.restart();

  assert.deepEqual(await verifiedCodes(hub.database), []);
});
