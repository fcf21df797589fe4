// Moving recall cases: which moves are allowed, what each does to lots, holds and notifications, and
// moves that race (docs/interface/traceability.md#states-of-a-case).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, boot, valueAt } from '../boot.ts';
import { RecallTenant, readArray } from './tenant.ts';

const hub = await openForFile(boot());

/** How a case gets to each state. */
const WAY_TO: Readonly<Record<string, readonly string[]>> = {
  investigation: [],
  notification: ['notification'],
  containment: ['notification', 'containment'],
  closed: ['notification', 'containment', 'closed'],
  cancelled: ['cancelled'],
};

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  investigation: ['notification', 'cancelled'],
  notification: ['containment', 'cancelled'],
  containment: ['closed', 'cancelled'],
  closed: [],
  cancelled: [],
};

/** A tenant with flour and the bread of it, and a case on the bread. */
async function withCase(changes: Readonly<Record<string, unknown>> = {}) {
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR');
  await tenant.produce(['FLOUR'], ['BREAD']);
  const opened = await tenant.open('BREAD', changes);
  return { tenant, caseNo: opened['case_no'] };
}

async function audit(tenant: RecallTenant): Promise<readonly unknown[]> {
  const rows = await hub.database.rows(
    "select details from audit_entries where action = 'move_case' and tenant_id = ? order by id",
    tenant.id,
  );
  return rows.map((row) => JSON.parse(String(row['details'])) as unknown);
}

for (const [from, way] of Object.entries(WAY_TO)) {
  test(`from ${from} a case moves only where the interface allows it`, async () => {
    const tenant = new RecallTenant(hub);
    await tenant.receive('FLOUR');
    for (const to of Object.keys(WAY_TO)) {
      const { case_no: caseNo } = await tenant.open('FLOUR');
      await tenant.moveThrough(caseNo, ...way);

      const answer = await tenant.move(caseNo, to);

      const isAllowed = to === from || ALLOWED[from]?.includes(to) === true;
      assert.equal(answer.status, isAllowed ? 200 : 400, `${from} to ${to}: ${answer.text}`);
      const { status, timeline, next_statuses: next } = await tenant.detail(caseNo);
      assert.equal(status, isAllowed ? to : from);
      assert.deepEqual(next, ALLOWED[String(status)]);
      const steps = 1 + way.length + (isAllowed && to !== from ? 1 : 0);
      assert.equal(readArray(timeline).length, steps, `${from} to ${to}`);
      if (isAllowed) continue;
      const detail = String(answer.json['detail']);
      for (const one of ALLOWED[from] ?? []) assert.ok(detail.includes(one), detail);
    }
  });
}

test('a move answers the case with who moved it, when and why', async () => {
  const { tenant, caseNo } = await withCase();
  const before = new Date().toISOString();

  const answer = await tenant.move(caseNo, 'notification', {
    note: 'retailers called',
    changed_by: 'Bob',
  });

  const { json } = answer;
  assert.deepEqual([json['case_no'], json['status']], [caseNo, 'notification']);
  const at = String(json['updated_at']);
  assert.ok(at >= before);
  assert.equal(json['notified_at'], at);
  assert.deepEqual(readArray(json['timeline'])[1], {
    from_status: 'investigation',
    status: 'notification',
    at,
    by: 'Bob',
    note: 'retailers called',
    block_height: valueAt(json, 'timeline', 1, 'block_height'),
    block_hash: valueAt(json, 'timeline', 1, 'block_hash'),
  });
});

test('only status is required of a move, null says nothing, and unknown keys are named', async () => {
  const { tenant, caseNo } = await withCase();

  const bare = await tenant.move(caseNo, 'notification');
  const full = await tenant.move(caseNo, 'containment', {
    note: null,
    changed_by: null,
    release_holds: null,
    severity: 'class_i',
    colour: 'red',
  });

  assert.deepEqual([bare.status, full.status], [200, 200], full.text);
  assert.equal(bare.json['warnings'], undefined);
  assert.deepEqual(full.json['warnings'], [
    {
      code: 'unknown_keys',
      message:
        'not understood and ignored: severity, colour; ' +
        'this request has the keys status, note, changed_by, release_holds',
    },
  ]);
  const last = readArray(full.json['timeline']).at(-1);
  assert.deepEqual([last?.['by'], last?.['note']], [null, null]);
});

test('an unknown status, a missing one and wrong fields are reported as errors of the fields', async () => {
  const { tenant, caseNo } = await withCase();

  const unknown = await tenant.move(caseNo, 'reopened');
  const missing = await tenant.move(caseNo, undefined);
  const wrong = await tenant.move(caseNo, 'notification', {
    note: 'x'.repeat(4_001),
    changed_by: 7,
    release_holds: 'yes',
  });

  assert.deepEqual([unknown.status, missing.status, wrong.status], [422, 422, 422]);
  const errors = (json: unknown) =>
    readArray(valueAt(json, 'detail')).map((error) => [valueAt(error, 'loc', 1), error['type']]);
  assert.deepEqual(errors(unknown.json), [['status', 'enum']]);
  assert.deepEqual(errors(missing.json), [['status', 'missing']]);
  assert.deepEqual(
    errors(wrong.json)
      .map(([field]) => field)
      .toSorted(),
    ['changed_by', 'note', 'release_holds'],
  );
  assert.equal((await tenant.detail(caseNo))['status'], 'investigation');
});

test('lots are recalled from notification on, and stay so when the case is closed', async () => {
  const { tenant, caseNo } = await withCase();
  const standings = [await tenant.standing('FLOUR')];
  for (const status of WAY_TO['closed'] ?? []) {
    await tenant.moveThrough(caseNo, status);
    standings.push(await tenant.standing('FLOUR'));
  }

  assert.deepEqual(standings, [
    'active on_hold',
    'recalled on_hold',
    'recalled on_hold',
    'recalled on_hold',
  ]);
});

test('closing ends the holds of the case when that is asked for', async () => {
  const { tenant, caseNo } = await withCase();
  await tenant.moveThrough(caseNo, 'notification', 'containment');

  const closed = await tenant.move(caseNo, 'closed', { release_holds: true, changed_by: 'Bob' });

  assert.equal(closed.status, 200);
  assert.notEqual(closed.json['ended_at'], null);
  assert.equal(await tenant.standing('FLOUR'), 'recalled released');
  assert.deepEqual((await tenant.detail(caseNo))['holds'], { on_hold: 0, released: 2 });
  const [hold] = await hub.database.rows(
    'select released_by from lot_holds where source = ? limit 1',
    String(caseNo),
  );
  assert.equal(hold?.['released_by'], 'Bob');
});

test('release_holds does nothing on the way to a state that is open', async () => {
  const { tenant, caseNo } = await withCase();

  await tenant.move(caseNo, 'notification', { release_holds: true });

  assert.equal(await tenant.standing('FLOUR'), 'recalled on_hold');
});

for (const way of [[], ['notification'], ['notification', 'containment']]) {
  const from = way.at(-1) ?? 'investigation';
  test(`cancelling from ${from} ends the holds of the case, and no lot is recalled by it`, async () => {
    const { tenant, caseNo } = await withCase();
    await tenant.moveThrough(caseNo, ...way);

    const cancelled = await tenant.move(caseNo, 'cancelled');

    assert.notEqual(cancelled.json['ended_at'], null);
    assert.equal(await tenant.standing('BREAD'), 'active released');
    assert.equal(await tenant.standing('FLOUR'), 'active released');
  });
}

test('a lot that two cases hold stays held when one of them is cancelled', async () => {
  const { tenant, caseNo } = await withCase();
  const { case_no: other } = await tenant.open('FLOUR');

  await tenant.moveThrough(caseNo, 'cancelled');
  const held = (await tenant.lot('BREAD'))['holds'];
  await tenant.moveThrough(other, 'cancelled');

  assert.deepEqual(
    readArray(held).map((hold) => hold['case_no']),
    [other],
  );
  assert.equal(await tenant.standing('BREAD'), 'active released');
});

test('a lot that two cases recall stays recalled when one of them is cancelled', async () => {
  const { tenant, caseNo } = await withCase();
  const { case_no: other } = await tenant.open('FLOUR');
  await tenant.moveThrough(caseNo, 'notification');
  await tenant.moveThrough(other, 'notification', 'containment', 'closed');

  await tenant.moveThrough(caseNo, 'cancelled');

  assert.equal(await tenant.standing('BREAD'), 'recalled on_hold');
});

test('a hold by hand outlives the case, and the hold of the case outlives a release by hand', async () => {
  const { tenant, caseNo } = await withCase();
  const path = '/v1/lots/BREAD';
  await hub.post(`${path}/hold`, { reason: 'wet', by: 'Cid' }, tenant.headers);

  const released = await hub.post(`${path}/release`, { by: 'Cid' }, tenant.headers);
  assert.equal(released.json['hold_status'], 'on_hold');
  await hub.post(`${path}/hold`, { reason: 'wet', by: 'Cid' }, tenant.headers);
  await tenant.moveThrough(caseNo, 'cancelled');

  assert.deepEqual(
    readArray((await tenant.lot('BREAD'))['holds']).map((hold) => hold['case_no']),
    ['manual'],
  );
});

test('a lot that was released from a case by hand is not held by its moves', async () => {
  const { tenant, caseNo } = await withCase();
  const body = { by: 'Cid', case_no: caseNo };
  await hub.post('/v1/lots/BREAD/release', body, tenant.headers);

  await tenant.moveThrough(caseNo, 'notification', 'containment');

  assert.equal(await tenant.standing('BREAD'), 'recalled released');
  assert.deepEqual((await tenant.detail(caseNo))['holds'], { on_hold: 1, released: 1 });
});

test('a disposed lot of a case is recalled before it is disposed', async () => {
  const { tenant, caseNo } = await withCase();
  const line = aLine({ lot_code: 'FLOUR', direction: 'out', product_sku: 'SKU' });
  await tenant.post({
    event_type: 'DISPOSE',
    lines: [line, { ...line, product_sku: 'FLOUR-T55' }],
  });
  assert.equal(await tenant.standing('FLOUR'), 'disposed on_hold');

  await tenant.moveThrough(caseNo, 'notification');
  assert.equal(await tenant.standing('FLOUR'), 'recalled on_hold');
  await tenant.moveThrough(caseNo, 'cancelled');

  assert.equal(await tenant.standing('FLOUR'), 'disposed released');
});

test('reaching notification makes the notifications of the case ready', async () => {
  const { tenant, caseNo } = await withCase();
  const statuses = async () => {
    const rows = await hub.database.rows(
      'select distinct n.status from recall_notifications n ' +
        'join recall_cases c on c.case_id = n.case_id where c.case_no = ?',
      String(caseNo),
    );
    return rows.map((row) => row['status']);
  };
  assert.deepEqual(await statuses(), ['pending']);

  await tenant.moveThrough(caseNo, 'notification');

  assert.deepEqual(await statuses(), ['ready']);
});

test('every move is in the audit, and a move to its current status is not', async () => {
  const { tenant, caseNo } = await withCase();

  await tenant.moveThrough(caseNo, 'notification', 'notification', 'cancelled', 'cancelled');

  assert.deepEqual(await audit(tenant), [
    { from: 'investigation', to: 'notification', release_holds: 0 },
    { from: 'notification', to: 'cancelled', release_holds: 1 },
  ]);
});

test('of moves to one state that race, one moves the case and the others find it there', async () => {
  const { tenant, caseNo } = await withCase();

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => tenant.move(caseNo, 'notification')),
  );

  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]));
  assert.equal(readArray((await tenant.detail(caseNo))['timeline']).length, 2);
  assert.equal((await audit(tenant)).length, 1);
});

test('of two moves that exclude each other one wins, and the other is judged by what it left', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { tenant, caseNo } = await withCase();
    await tenant.moveThrough(caseNo, 'notification', 'containment');

    const [closed, cancelled] = await Promise.all([
      tenant.move(caseNo, 'closed'),
      tenant.move(caseNo, 'cancelled'),
    ]);

    const status = String((await tenant.detail(caseNo))['status']);
    const winner = status === 'closed' ? closed : cancelled;
    const loser = status === 'closed' ? cancelled : closed;
    assert.deepEqual([winner.status, loser.status], [200, 400]);
    assert.match(loser.text, new RegExp(`is in ${status}`));
    assert.equal(readArray((await tenant.detail(caseNo))['timeline']).length, 4);
    const isHeld = (await tenant.standing('BREAD')).includes('on_hold');
    assert.equal(isHeld, status === 'closed');
  }
});

test('events that widen a case while it is moved do not lose the move', async () => {
  const { tenant, caseNo } = await withCase();

  await Promise.all([
    tenant.moveThrough(caseNo, 'notification', 'containment'),
    ...Array.from({ length: 10 }, (_, index) => tenant.produce(['BREAD'], [`CRUMBS-${index}`])),
  ]);

  const { status, timeline } = await tenant.detail(caseNo);
  assert.deepEqual([status, readArray(timeline).length], ['containment', 3]);
});
