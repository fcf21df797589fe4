// What one tenant has is nothing to another: not to be seen, linked to, held, released or corrected,
// whatever the codes are, and not even to be distinguished from what never existed
// (docs/interface/traceability.md#tenants).
import assert from 'node:assert/strict';
import { untilChained } from '../audit/chained.ts';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, newTenant, valueAt, type Answer } from '../boot.ts';
import { storedHeight } from '../stored.ts';

const hub = await openForFile(boot());

interface Question {
  readonly path: string;
  /** Sent with POST; GET without it. */
  readonly body?: object;
}

function ask(tenantId: string, { path, body }: Question): Promise<Answer> {
  const headers = { 'X-Tenant-Id': tenantId };
  return body === undefined ? hub.call(path, { headers }) : hub.post(path, body, headers);
}

async function record(tenantId: string, ...events: readonly object[]): Promise<number[]> {
  const ids: number[] = [];
  for (const event of events) {
    const answer = await ask(tenantId, { path: '/v1/events', body: event });
    assert.equal(answer.status, 201, answer.text);
    ids.push(Number(answer.json['id']));
  }
  return ids;
}

/** Status, body and headers, but for the clock's. */
async function readBytes(tenantId: string, questions: readonly Question[]): Promise<string[]> {
  const answers: string[] = [];
  for (const question of questions) {
    const { status, headers, text } = await ask(tenantId, question);
    const named = [...headers].filter(([name]) => name !== 'date');
    answers.push(JSON.stringify([question, status, named, text]));
  }
  return answers;
}

const line = (lotCode: string, direction: 'in' | 'out', changes: object = {}) =>
  aLine({ lot_code: lotCode, product_sku: 'SKU', direction, quantity: 5, ...changes });

/** A lot out of another one, which came from a supplier; with `FLOUR` and `BREAD` as codes. */
const FLOUR = anEvent({
  reference: 'SHARED',
  lines: [line('FLOUR', 'in', { supplier_name: 'Mill', supplier_lot_code: 'MILL-9' })],
});
const BREAD = anEvent({
  event_type: 'PRODUCE',
  reference: 'SHARED',
  lines: [line('FLOUR', 'in'), line('BREAD', 'out')],
});

function questionsAbout(lotCode: string): readonly Question[] {
  return [
    { path: `/v1/lots/${lotCode}` },
    { path: `/v1/lots/${lotCode}/genealogy` },
    { path: `/v1/lots/${lotCode}/genealogy?depth=1` },
    { path: `/v1/lots/${lotCode}/chain` },
    { path: `/v1/lots?q=${lotCode}` },
    { path: `/v1/dashboard/audit?entity_id=${lotCode}` },
    { path: '/v1/recall/drills', body: { lot_code: lotCode } },
    { path: `/public/verify/${lotCode}?brand=` },
  ];
}

/** Everything that a tenant may try on what is not its own. `eventId` is that of no event of its own. */
function attempts(eventId: number): readonly Question[] {
  const change = (field: string, oldValue: unknown, newValue: unknown) => ({
    path: '/v1/corrections',
    body: {
      corrects_event_id: eventId,
      reason: 'mine',
      requested_by: 'Spy',
      changes: [{ field, old_value: oldValue, new_value: newValue }],
    },
  });
  return [
    ...['FLOUR', 'BREAD', 'MILL-9'].flatMap(questionsAbout),
    { path: '/v1/lots' },
    { path: '/v1/lots?status=active' },
    { path: '/v1/lots?hold_status=on_hold' },
    { path: '/v1/events?limit=200' },
    { path: '/v1/lots/BREAD/hold', body: { reason: 'mine', by: 'Spy' } },
    { path: '/v1/lots/BREAD/release', body: { by: 'Spy' } },
    { path: '/v1/lots/MILL-9/hold', body: { reason: 'mine', by: 'Spy' } },
    change('lines[0].quantity', 5, 6),
    change('quantity', 5, 6),
    change('lines[0].quantity', 4, 6),
    change('status', 'accepted', 'voided'),
    change('nonsense', 1, 2),
  ];
}

for (const { who, has } of [
  { who: 'a tenant with lots of its own', has: [anEvent({ lines: [line('OWN', 'in')] })] },
  { who: 'a tenant that has recorded nothing', has: [] },
]) {
  test(`to ${who} what another has is as what never existed, to the byte`, async () => {
    const [owner, spy] = [newTenant(), newTenant()];
    await record(spy, ...has);
    const height = await storedHeight(hub.database);
    const eventIds = [1, 2, 3, 4].map((ahead) => height + ahead);
    const questions = eventIds.flatMap(attempts).map(({ path, body }) => ({
      path: path.replace(/brand=$/, `brand=${spy}`),
      ...(body === undefined ? {} : { body }),
    }));
    const before = await readBytes(spy, questions);

    await record(owner, FLOUR, BREAD);
    await ask(owner, { path: '/v1/lots/BREAD/hold', body: { reason: 'mould', by: 'Ada' } });
    const corrected = await ask(owner, {
      path: '/v1/corrections',
      body: {
        corrects_event_id: eventIds[0],
        reason: 'typing error',
        requested_by: 'Ada',
        changes: [{ field: 'lines[0].quantity', old_value: 5, new_value: 7 }],
      },
    });
    const after = await readBytes(spy, questions);

    assert.equal(corrected.status, 201, corrected.text);
    assert.equal(await storedHeight(hub.database), eventIds[3]);
    assert.deepEqual(after, before);
    assert.ok(
      before.every((answers) => !/BREAD|FLOUR|MILL/.test(String(valueAt(JSON.parse(answers), 3)))),
    );
  });
}

test('what a tenant tries on the lots and events of another leaves them as they were', async () => {
  const [owner, spy] = [newTenant(), newTenant()];
  await record(spy, anEvent({ lines: [line('OWN', 'in')] }));
  const [flour = 0, bread = 0] = await record(owner, FLOUR, BREAD);
  await ask(owner, { path: '/v1/lots/FLOUR/hold', body: { reason: 'mould', by: 'Ada' } });
  const own = ['FLOUR', 'BREAD'].flatMap(questionsAbout).map(({ path }) => ({
    path: path.replace(/brand=$/, `brand=${owner}`),
  }));
  // An entry of the audit says its place once it has one.
  await untilChained(hub);
  const before = await readBytes(owner, own);
  const height = await storedHeight(hub.database);

  for (const question of [flour, bread].flatMap(attempts)) {
    if (question.body !== undefined) {
      const answer = await ask(spy, question);
      assert.ok([400, 404].includes(answer.status), `${question.path}: ${answer.text}`);
    }
  }
  const release = await ask(spy, { path: '/v1/lots/FLOUR/release', body: { by: 'Spy' } });

  assert.equal(release.status, 404, release.text);
  assert.equal(await storedHeight(hub.database), height);
  assert.deepEqual(await readBytes(owner, own), before);
});

test('the same codes, references and supplier lots of two tenants link nothing across', async () => {
  const [one, two] = [newTenant(), newTenant()];
  const consume = anEvent({
    event_type: 'CONSUME',
    reference: 'SHARED',
    lines: [line('YEAST', 'in')],
  });
  const produce = anEvent({
    event_type: 'PRODUCE',
    reference: 'SHARED',
    lines: [line('ROLL', 'out')],
  });
  const received = anEvent({ lines: [line('DOUGH', 'in', { supplier_lot_code: 'BREAD' })] });

  await record(one, FLOUR, BREAD, produce);
  await record(two, FLOUR, consume, received);

  const readNodes = async (tenantId: string, lotCode: string): Promise<readonly unknown[]> => {
    const path = `/v1/lots/${lotCode}/genealogy?depth=50`;
    const nodes = valueAt((await ask(tenantId, { path })).json, 'nodes');
    assert.ok(Array.isArray(nodes), `no nodes at ${path} of ${tenantId}`);
    return nodes.map((node) => valueAt(node, 'lot_code'));
  };
  assert.deepEqual(await readNodes(one, 'FLOUR'), ['FLOUR', 'BREAD', 'MILL-9']);
  assert.deepEqual(await readNodes(two, 'FLOUR'), ['FLOUR', 'MILL-9']);
  assert.deepEqual(await readNodes(one, 'ROLL'), ['ROLL']);
  assert.deepEqual(await readNodes(two, 'YEAST'), ['YEAST']);
  // Of the one it is an own lot, of the other a supplier's.
  assert.deepEqual(await readNodes(one, 'BREAD'), ['BREAD', 'FLOUR', 'MILL-9']);
  assert.deepEqual(await readNodes(two, 'BREAD'), ['BREAD', 'DOUGH']);
});

test('quantities and the void of one tenant do not move the lot of another', async () => {
  const [one, two] = [newTenant(), newTenant()];
  const [event = 0] = await record(one, FLOUR);
  await record(two, FLOUR, BREAD);

  const voided = await ask(one, {
    path: '/v1/corrections',
    body: {
      corrects_event_id: event,
      reason: 'never came',
      requested_by: 'Ada',
      changes: [{ field: 'status', old_value: 'accepted', new_value: 'voided' }],
    },
  });

  const readFlourStatus = async (tenantId: string): Promise<unknown> =>
    valueAt((await ask(tenantId, { path: '/v1/lots/FLOUR' })).json, 'quantities', 0);
  assert.equal(voided.status, 201, voided.text);
  assert.equal(await readFlourStatus(one), undefined);
  const flour = await readFlourStatus(two);
  assert.deepEqual(
    ['received', 'consumed', 'remaining'].map((part) => valueAt(flour, part)),
    [5, 5, 0],
  );
});

test('a hold is of one tenant: the lot of another with that code is free', async () => {
  const [one, two] = [newTenant(), newTenant()];
  await record(one, FLOUR);
  await record(two, FLOUR);

  await ask(one, { path: '/v1/lots/FLOUR/hold', body: { reason: 'mould', by: 'Ada' } });

  const readStatus = async (tenantId: string): Promise<unknown> =>
    (await ask(tenantId, { path: '/v1/lots/FLOUR' })).json['hold_status'];
  const moved = await ask(two, { path: '/v1/events', body: BREAD });
  const breach = await ask(one, { path: '/v1/events', body: BREAD });
  assert.equal(await readStatus(one), 'on_hold');
  assert.equal(await readStatus(two), 'released');
  assert.equal(moved.json['warnings'], undefined);
  assert.equal(valueAt(breach.json, 'warnings', 0, 'code'), 'lot_on_hold');
});

test('releasing a lot leaves the hold on that of another with the same code', async () => {
  const [one, two] = [newTenant(), newTenant()];
  const hold = { path: '/v1/lots/FLOUR/hold', body: { reason: 'mould', by: 'Ada' } };
  for (const tenantId of [one, two]) {
    await record(tenantId, FLOUR);
    await ask(tenantId, hold);
  }

  const released = await ask(two, { path: '/v1/lots/FLOUR/release', body: { by: 'Bo' } });

  const { json } = await ask(one, { path: '/v1/lots/FLOUR' });
  assert.equal(released.json['hold_status'], 'released');
  assert.equal(json['hold_status'], 'on_hold');
});

test('an external id of one tenant is free for another', async () => {
  const [one, two] = [newTenant(), newTenant()];
  const event = { ...FLOUR, external_id: 'wms-1' };

  const [first] = await record(one, event);
  const [second] = await record(two, { ...event, location: 'ELSEWHERE' });

  assert.notEqual(first, second);
});
