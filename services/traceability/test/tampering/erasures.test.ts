// Private values that are gone are noticed unless a block says that they were erased; the rows that note it are
// compared with these blocks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aLine, anEvent, boot, type Booted } from '../boot.ts';
import { RecallTenant, readArray } from '../recall/tenant.ts';
import { assertRebuilt, codesAfter } from './decided.ts';
import { verifiedCodes } from '../verified.ts';

let hub: Booted;
let tenant: RecallTenant;
/** Blocks of sales to Anna, to Ben, and of one to nobody with notes. */
const heights: number[] = [];
let notificationOf: Readonly<Record<string, number>>;
let caseNo: string;

async function answer(id: number, body: object): Promise<number> {
  const answered = await hub.call(`/v1/recall/cases/${caseNo}/notifications/${id}`, {
    method: 'PATCH',
    headers: { ...tenant.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(answered.status, 200, answered.text);
  return Number(answered.json['block_height']);
}

before(async () => {
  hub = await boot();
  tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR-1');
  for (const [customer_ref, notes] of [
    ['Anna', 'for Anna'],
    ['Ben', 'by phone'],
    [undefined, 'in the shop'],
  ]) {
    const lines = [
      aLine({ lot_code: 'FLOUR-1', direction: 'out', ...(customer_ref && { customer_ref }) }),
    ];
    const sold = await hub.post(
      '/v1/events',
      anEvent({ event_type: 'SELL', notes, lines }),
      tenant.headers,
    );
    assert.equal(sold.status, 201, sold.text);
    heights.push(Number(sold.json['id']));
  }
  caseNo = String((await tenant.open('FLOUR-1'))['case_no']);
  await tenant.moveThrough(caseNo, 'notification');
  const listed = await tenant.get(`/v1/recall/cases/${caseNo}/notifications`);
  notificationOf = Object.fromEntries(
    readArray(listed.json['notifications']).map((one) => [
      String(one['recipient']),
      Number(one['id']),
    ]),
  );
});

after(async () => {
  await hub[Symbol.asyncDispose]();
});

const readDecisions = async (type: string): Promise<readonly Record<string, unknown>[]> => {
  const rows = await hub.database.rows(
    `select b.canonical from decisions d join blocks b on b.height = d.height
    where d.type = ? order by d.height`,
    type,
  );
  return rows.map(
    (row) =>
      (JSON.parse(String(row['canonical'])) as { payload: { decision: Record<string, unknown> } })
        .payload.decision,
  );
};

test('an erasure names the blocks whose values it has erased, and not whose', async () => {
  const sent = await answer(notificationOf['Anna']!, { status: 'sent' });
  const answered = await answer(notificationOf['Anna']!, {
    status: 'resolved',
    response: 'Anna has eaten it',
  });
  const ofBen = await answer(notificationOf['Ben']!, {
    status: 'resolved',
    response: 'thrown away',
  });

  const [{ opened }] = (await hub.database.rows(
    "select min(height) as opened from decisions where type = 'recall'",
  )) as [{ opened: number }];

  const erased = await hub.post('/v1/privacy/erase', { customer_ref: 'Anna' }, tenant.headers);

  assert.equal(erased.status, 200, erased.text);
  const erasures = await readDecisions('erasure');
  assert.deepEqual(
    erasures.flatMap((one) => one['heights']),
    [heights[0], opened, sent, answered],
  );
  for (const one of erasures) assert.deepEqual(Object.keys(one), ['at', 'heights']);
  const kept = await hub.database.rows(
    'select height, name from private_decisions where height in (?, ?, ?) order by height, name',
    ...[sent, answered, ofBen],
  );
  assert.deepEqual(
    kept.map(({ height, name }) => `${String(height)} ${String(name)}`),
    [
      ...[`${sent} audience`, `${sent} by`, `${answered} audience`, `${answered} by`],
      ...['audience', 'by', 'recipient', 'response'].map((name) => `${ofBen} ${name}`),
    ],
  );
  const entries = await hub.database.rows(
    `select block_height as height from audit_entries where action = 'erase_customer' order by id`,
  );
  const blocks = await hub.database.rows(
    `select height from decisions where type = 'erasure' order by height`,
  );
  assert.deepEqual(entries, blocks);
  assert.deepEqual(await verifiedCodes(hub.database), []);
});

test('an erasure of nobody is not sealed', async () => {
  const before = await readDecisions('erasure');

  await hub.post('/v1/privacy/erase', { customer_ref: 'Nobody' }, tenant.headers);

  assert.deepEqual(await readDecisions('erasure'), before);
});

const GONE: Readonly<Record<string, () => string>> = {
  'the customer of a line': () => `delete from private_lines where height = ${heights[1]}`,
  notes: () => `delete from private_notes where height = ${heights[2]}`,
  'a value of a decision': () =>
    `delete from private_decisions where name = 'by' and height = (
      select max(height) from decisions where type = 'response')`,
};

for (const [name, statement] of Object.entries(GONE)) {
  test(`${name} that no block says was erased is missed`, async () => {
    const codes = await codesAfter(hub, statement());

    assert.deepEqual(codes, ['private_row_missing']);
  });
}

test('a recipient of a recall that no block says was erased is missed', async () => {
  const other = String((await tenant.open('FLOUR-1'))['case_no']);
  const ofBen = `from recall_notifications n join recall_cases c on c.case_id = n.case_id
    where c.case_no = '${other}' and n.recipient = 'Ben'`;
  const gone = [
    `delete from private_recipients where notification_id = (select n.notification_id ${ofBen})`,
    `update recall_notifications set recipient = null
    where notification_id = (select n.notification_id ${ofBen})`,
  ];

  const codes = await codesAfter(hub, ...gone);
  const erased = await hub.post('/v1/privacy/erase', { customer_ref: 'Ben' }, tenant.headers);
  const left = await hub.database.rows(
    "select recipient from private_recipients where recipient in ('Anna', 'Ben')",
  );

  assert.deepEqual(codes, ['private_row_missing']);
  assert.equal(erased.status, 200, erased.text);
  assert.equal(erased.json['erased_notifications'], 2);
  assert.deepEqual(left, []);
  assert.deepEqual(await verifiedCodes(hub.database), []);
});

test('before the past is sealed nothing is missed', async () => {
  const codes = await codesAfter(
    hub,
    `delete from private_notes where height = ${heights[2]}`,
    'delete from decision_sealing',
  );

  assert.deepEqual(codes, ['decision_sealing_missing']);
});

test('a noted erasure that no block says is noticed', async () => {
  const codes = await codesAfter(
    hub,
    `insert into erased_heights (height, erasure_height)
    select ${heights[2]}, height from decisions where type = 'erasure'`,
    `delete from private_notes where height = ${heights[2]}`,
  );
  const beyond = await codesAfter(
    hub,
    `insert into erased_heights (height, erasure_height) values (${heights[2]}, 1000000)`,
  );
  const below = await codesAfter(
    hub,
    `insert into erased_heights (height, erasure_height) values (${heights[2]}, -1)`,
  );

  assert.deepEqual(
    [codes, beyond, below],
    [['erasure_row_extra'], ['erasure_row_extra'], ['erasure_row_extra']],
  );
});

test('a deleted and a changed note of an erasure are noticed', async () => {
  const deleted = await codesAfter(hub, `delete from erased_heights where height = ${heights[0]}`);
  const changed = await codesAfter(
    hub,
    `update erased_heights set height = ${heights[1]} where height = ${heights[0]}`,
  );

  assert.deepEqual(deleted.toSorted(), ['erasure_row_missing', 'private_row_missing']);
  assert.deepEqual(changed.toSorted(), [
    'erasure_row_extra',
    'erasure_row_missing',
    'private_row_missing',
  ]);
});

test('erasures of before are sealed at the first start, and noted anew from the blocks', async () => {
  await hub.service.close();
  // As an older version left it: values erased without a block, and no decision that is sealed.
  await using older = await boot();
  const shop = new RecallTenant(older);
  for (const customer_ref of ['Anna', 'Ben']) {
    const lines = [aLine({ direction: 'out', customer_ref })];
    await older.post('/v1/events', anEvent({ event_type: 'SELL', lines }), shop.headers);
  }
  await older.service.close();
  await older.database.change('delete from private_lines where height = 1');
  await older.database.change('delete from decision_sealing');

  const upgraded = await older.restart();

  const rows = await upgraded.database.rows(
    `select e.height, e.erasure_height, b.canonical
    from erased_heights e join blocks b on b.height = e.erasure_height`,
  );
  assert.deepEqual(
    rows.map((row) => [row['height'], row['erasure_height']]),
    [[1, 3]],
  );
  assert.match(String(rows[0]?.['canonical']), /"heights":\[1\],"migrated":true/);
  assert.deepEqual(await verifiedCodes(upgraded.database), []);
  await upgraded.service.close();
  await assertRebuilt(hub, 'select * from erased_heights order by height, erasure_height');
  hub = await hub.restart();
  assert.deepEqual(await verifiedCodes(hub.database), []);
});
