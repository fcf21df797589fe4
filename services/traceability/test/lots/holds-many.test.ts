// POST /v1/lots/holds: many lots held or released in one transaction, listed or as a simulation finds them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, newTenant, valueAt, type Answer } from '../boot.ts';

const hub = await openForFile(boot());

const WHY = { reason: 'metal found', by: 'Ada Miller' };

/** A tenant whose flour went into two breads. */
async function bakery(): Promise<{
  readonly id: string;
  readonly headers: Record<string, string>;
}> {
  const id = newTenant();
  const headers = { 'X-Tenant-Id': id };
  const received = anEvent({ lines: [aLine({ lot_code: 'FLOUR', quantity: 100 })] });
  const produced = anEvent({
    event_type: 'PRODUCE',
    lines: [
      aLine({ lot_code: 'FLOUR', direction: 'in', quantity: 50, supplier_name: undefined }),
      aLine({ lot_code: 'BREAD-1', direction: 'out', product_sku: 'BREAD', quantity: 20 }),
      aLine({ lot_code: 'BREAD-2', direction: 'out', product_sku: 'BREAD', quantity: 20 }),
    ],
  });
  for (const event of [received, produced]) {
    const posted = await hub.post('/v1/events', event, headers);
    assert.equal(posted.status, 201, posted.text);
  }
  return { id, headers };
}

async function change(headers: Record<string, string>, body: object): Promise<Answer> {
  return await hub.post('/v1/lots/holds', { ...WHY, ...body }, headers);
}

async function readStatus(headers: Record<string, string>, lotCode: string): Promise<unknown> {
  return (await hub.call(`/v1/lots/${lotCode}`, { headers })).json['hold_status'];
}

test('listed lots are held by one block, each once, and released by another', async () => {
  const { headers, id } = await bakery();

  const held = await change(headers, { state: 'held', lots: ['BREAD-1', 'FLOUR', 'BREAD-1'] });
  const again = await change(headers, { state: 'held', lots: ['FLOUR', 'BREAD-2'] });
  const released = await change(headers, {
    state: 'released',
    lots: ['BREAD-1', 'BREAD-2', 'FLOUR'],
  });

  assert.equal(held.status, 200, held.text);
  const counts = [held, again, released].map(({ json }) => [
    json['lots'],
    json['changed'],
    json['unchanged'],
    (json['blocks'] as unknown as readonly unknown[]).length,
  ]);
  assert.deepEqual(counts, [
    [2, 2, 0, 1],
    [2, 1, 1, 1],
    [3, 3, 0, 1],
  ]);
  const height = Number(valueAt(held.json, 'blocks', 0, 'block_height'));
  const [block] = await hub.database.rows(
    'select hash, canonical from blocks where height = ?',
    height,
  );
  assert.equal(valueAt(held.json, 'blocks', 0, 'block_hash'), block?.['hash']);
  const payload = (JSON.parse(String(block?.['canonical'])) as { readonly payload: object })
    .payload;
  const decision = valueAt(payload, 'decision');
  assert.deepEqual(
    [valueAt(payload, 'type'), valueAt(payload, 'v'), valueAt(payload, 'brand')],
    ['hold', 2, id],
  );
  assert.deepEqual(
    [valueAt(decision, 'lots'), valueAt(decision, 'state')],
    [['BREAD-1', 'FLOUR'], 'held'],
  );
  assert.equal(await readStatus(headers, 'FLOUR'), 'released');
});

test('neither who decided nor why is on the chain', async () => {
  const { headers } = await bakery();

  await change(headers, { state: 'held', lots: ['FLOUR'] });

  const texts = await hub.database.rows('select canonical from blocks');
  for (const { canonical } of texts) {
    for (const secret of [WHY.reason, WHY.by]) assert.ok(!String(canonical).includes(secret));
  }
});

test('a simulation says which lots', async () => {
  const { headers } = await bakery();

  const held = await change(headers, {
    state: 'held',
    simulation: { lot_code: 'FLOUR', direction: 'downstream' },
  });

  assert.equal(held.status, 200, held.text);
  assert.equal(held.json['changed'], 3);
  for (const code of ['FLOUR', 'BREAD-1', 'BREAD-2']) {
    assert.equal(await readStatus(headers, code), 'on_hold', code);
  }
});

test('more than a thousand lots are sealed in several blocks of one transaction', async () => {
  const { headers } = await bakery();
  const codes = Array.from({ length: 1_001 }, (_, index) => `L-${String(index).padStart(4, '0')}`);
  for (const from of [0, 501]) {
    const lines = codes.slice(from, from + 501).map((lot_code) => aLine({ lot_code }));
    assert.equal((await hub.post('/v1/events', anEvent({ lines }), headers)).status, 201);
  }

  const held = await change(headers, { state: 'held', lots: codes });

  assert.equal(held.status, 200, held.text);
  const heights = (held.json['blocks'] as unknown as readonly object[]).map((block) =>
    Number(valueAt(block, 'block_height')),
  );
  const [first = 0, second = 0] = heights;
  assert.deepEqual([heights.length, second - first, held.json['changed']], [2, 1, 1_001]);
});

test('an unknown lot refuses all, by its place', async () => {
  const { headers } = await bakery();

  const refused = await change(headers, { state: 'held', lots: ['FLOUR', 'NOWHERE'] });

  assert.equal(refused.status, 422, refused.text);
  assert.deepEqual(valueAt(refused.json, 'detail', 0, 'loc'), ['body', 'lots', 1]);
  assert.equal(await readStatus(headers, 'FLOUR'), 'released');
});

test("another tenant's lot is unknown", async () => {
  await bakery();
  const other = { 'X-Tenant-Id': newTenant() };

  const refused = await change(other, { state: 'held', lots: ['FLOUR'] });

  assert.equal(refused.status, 422, refused.text);
});

for (const [what, body] of [
  ['neither lots nor a simulation', {}],
  ['both', { lots: ['FLOUR'], simulation: { lot_code: 'FLOUR' } }],
  ['no lot', { lots: [] }],
  ['a state that there is not', { state: 'frozen', lots: ['FLOUR'] }],
  ['too many lots', { lots: Array.from({ length: 10_001 }, (_, index) => `L-${index}`) }],
  ['a member that there is not', { lots: ['FLOUR'], note: 'x' }],
] as const) {
  test(`${what} is refused`, async () => {
    const { headers } = await bakery();

    const refused = await change(headers, { state: 'held', ...body });

    assert.equal(refused.status, 422, refused.text);
  });
}

test('a simulation of an unknown lot is a 404', async () => {
  const { headers } = await bakery();

  const refused = await change(headers, { state: 'held', simulation: { lot_code: 'NOWHERE' } });

  assert.equal(refused.status, 404, refused.text);
});

test('of two who hold the same lots at once one seals them', async () => {
  const { headers } = await bakery();

  const answers = await Promise.all(
    [1, 2, 3].map(() => change(headers, { state: 'held', lots: ['BREAD-1', 'FLOUR'] })),
  );

  const changed = answers.map(({ json }) => Number(json['changed']));
  assert.deepEqual(changed.toSorted(), [0, 0, 2]);
});
