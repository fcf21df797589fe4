// Deliveries: lines of a SHIP that name a consignee. They are sealed as version 2, count among customers,
// notifications, effectiveness and stock, erased or not, and once where a sale says the same.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { aLine, anEvent, boot, valueAt, type Json } from '../boot.ts';
import { change, request, send } from '../corrections/correction-requests.ts';
import { storedBlock, storedHeight } from '../stored.ts';
import { caughtUp, readNotifications } from './following.ts';
import { RecallTenant, readArray } from './tenant.ts';

const hub = await openForFile(boot());

const cake = (changes: object): object =>
  aLine({ lot_code: 'CAKE-1', product_sku: 'CAKE', direction: 'out', unit: 'pcs', ...changes });

async function make(tenant: RecallTenant, quantity: number): Promise<void> {
  await tenant.post({ event_type: 'PRODUCE', reference: 'WO-1', lines: [cake({ quantity })] });
}

async function deliver(
  tenant: RecallTenant,
  quantity: number,
  changes: { readonly reference?: string; readonly to?: string | undefined } = {},
): Promise<number> {
  const { reference = 'SO-1', to = 'CUST-8675309' } = changes;
  const lines = [cake({ quantity, consignee_ref: to })];
  const { json } = await tenant.post({ event_type: 'SHIP', reference, lines });
  return Number(json['id']);
}

async function sell(
  tenant: RecallTenant,
  quantity: number,
  changes: { readonly reference?: string; readonly to?: string } = {},
): Promise<void> {
  const { reference = 'TILL-1', to } = changes;
  const lines = [cake({ quantity, customer_ref: to })];
  await tenant.post({ event_type: 'SELL', reference, lines });
}

async function balance(tenant: RecallTenant): Promise<Json> {
  return (await tenant.lot('CAKE-1'))['quantities']![0 as never]!;
}

async function readPayload(height: number): Promise<Json> {
  const { canonical } = await storedBlock(hub.database, height);
  return (JSON.parse(canonical) as Json)['payload']!;
}

describe('sealing', () => {
  test('a delivery is version 2 with a commitment of its own, which its disclosure opens', async () => {
    const tenant = new RecallTenant(hub);
    const id = await deliver(tenant, 40);

    const { json } = await tenant.get(`/v1/events/${id}/disclosure`);

    const payload = await readPayload(id);
    assert.equal(payload['v'], 2);
    const line = payload['event']!['lines']![0 as never]!;
    assert.equal(line['consignee_ref'], undefined);
    assert.equal(line['private'], undefined);
    const opening = json['openings']![0 as never]!;
    assert.equal(opening['place'], 'event.lines[0].consignee');
    assert.deepEqual(opening['values'], { consignee_ref: 'CUST-8675309' });
    assert.equal(sha256Hex(String(opening['canonical'])), String(line['consignee']));
    assert.equal(valueAt(json, 'effective', 'lines', 0, 'consignee_ref'), 'CUST-8675309');
  });

  test('a shipment without a consignee is what it was in version 1', async () => {
    const tenant = new RecallTenant(hub);

    const { json } = await tenant.post({ event_type: 'SHIP', lines: [cake({ quantity: 1 })] });

    const payload = await readPayload(Number(json['id']));
    assert.equal(payload['v'], 1);
    assert.ok(!('consignee' in payload['event']!['lines']![0 as never]!));
  });

  test('customer and channel of a shipment are dropped, and the warning names consignee_ref', async () => {
    const tenant = new RecallTenant(hub);
    const lines = [cake({ customer_ref: 'CUST-1', channel: 'webshop' })];

    const { json } = await tenant.post({ event_type: 'SHIP', lines });

    const warning = json['warnings']![0 as never]!;
    assert.equal(warning['code'], 'private_field_dropped');
    assert.match(String(warning['message']), /customer_ref and channel .*dropped; consignee_ref/);
  });

  for (const [what, event_type, direction] of [
    ['a sale', 'SELL', 'out'],
    ['what comes back to a shipment', 'SHIP', 'in'],
  ]) {
    test(`a consignee of ${what} is dropped with a warning`, async () => {
      const tenant = new RecallTenant(hub);

      const lines = [cake({ direction, consignee_ref: 'CUST-1' })];
      const { json } = await tenant.post({ event_type, lines });

      assert.equal((await readPayload(Number(json['id'])))['v'], 1);
      const messages = readArray(json['warnings']).map((one) => String(one['message']));
      assert.ok(
        messages.some((one) => one.startsWith('consignee_ref is kept only for out lines of SHIP')),
      );
    });
  }

  test('the same delivery again is a replay; with another consignee it is a conflict', async () => {
    const tenant = new RecallTenant(hub);
    const event = (consignee_ref?: string): object =>
      anEvent({ event_type: 'SHIP', external_id: 'SO-9', lines: [cake({ consignee_ref })] });
    const first = await hub.post('/v1/events', event('CUST-1'), tenant.headers);
    assert.equal(first.status, 201, first.text);

    const again = await hub.post('/v1/events', event('CUST-1'), tenant.headers);
    const other = await hub.post('/v1/events', event('CUST-2'), tenant.headers);
    const none = await hub.post('/v1/events', event(), tenant.headers);

    assert.equal(again.headers.get('Idempotent-Replay'), 'true');
    assert.equal(again.json['id'], first.json['id'] as unknown);
    for (const refused of [other, none]) {
      assert.equal(refused.status, 400, refused.text);
      assert.match(String(refused.json['detail']), /lines\[0\]\.consignee_ref/);
    }
  });

  test('no public byte and no log names the consignee', async () => {
    const tenant = new RecallTenant(hub);
    const to = 'CUST-SECRET-4242';
    const id = await deliver(tenant, 40, { to });
    await send(
      hub,
      tenant.id,
      request(id, [change('lines[0].consignee_ref', to, 'CUST-SECRET-43')]),
    );

    const pages = await Promise.all(
      [
        `/public/explorer/block/${id}`,
        `/public/explorer/block/${id + 1}`,
        `/public/explorer/transactions?limit=20`,
        `/public/explorer/search?q=CUST-SECRET`,
        `/public/verify/CAKE-1?brand=${tenant.id}`,
        `/explorer/block/${id}`,
        `/explorer/block/${id + 1}`,
        `/lot/CAKE-1?brand=${tenant.id}`,
      ].map((path) => fetch(hub.base + path).then((answer) => answer.text())),
    );

    // A page repeats what its address asked; the hub's own words do not hold it.
    for (const text of pages) assert.ok(!text.includes('CUST-SECRET-4'));
    assert.ok(!hub.log().includes('CUST-SECRET-4'));
  });
});

describe('stock', () => {
  test('100 made, 40 delivered and 60 sold in the own shop leave 0', async () => {
    const tenant = new RecallTenant(hub);
    await make(tenant, 100);
    await deliver(tenant, 40);
    await sell(tenant, 60);

    const { shipped, sold, delivered, delivered_and_sold, remaining } = await balance(tenant);

    assert.deepEqual([shipped, sold, delivered, delivered_and_sold, remaining], [40, 60, 40, 0, 0]);
    assert.equal((await tenant.lot('CAKE-1'))['status'], 'depleted');
  });

  for (const { delivered, sold, left } of [
    { delivered: 40, sold: 40, left: 60 },
    { delivered: 40, sold: 60, left: 40 },
    { delivered: 60, sold: 40, left: 40 },
  ]) {
    for (const order of ['delivered first', 'sold first']) {
      test(`of one reference ${delivered} delivered and ${sold} sold leave ${left} of 100, ${order}`, async () => {
        const tenant = new RecallTenant(hub);
        const steps = [
          () => deliver(tenant, delivered),
          () => sell(tenant, sold, { reference: 'SO-1' }),
        ];
        await make(tenant, 100);
        for (const step of order === 'sold first' ? steps.reverse() : steps) await step();

        const { remaining, delivered_and_sold: both } = await balance(tenant);

        assert.deepEqual([remaining, both], [left, Math.min(delivered, sold)]);
      });
    }
  }

  test('what was shipped and sold besides still counts as the larger', async () => {
    const tenant = new RecallTenant(hub);
    await make(tenant, 100);
    await tenant.post({ event_type: 'SHIP', reference: 'T-1', lines: [cake({ quantity: 50 })] });
    await deliver(tenant, 40);
    await sell(tenant, 30);

    const { remaining } = await balance(tenant);

    assert.equal(remaining, 10);
  });

  test('a consignee that a correction adds makes a delivery, and one that it takes away ends it', async () => {
    const tenant = new RecallTenant(hub);
    await make(tenant, 100);
    await sell(tenant, 60);
    const lines = [cake({ quantity: 40 })];
    const { json } = await tenant.post({ event_type: 'SHIP', reference: 'SO-1', lines });
    assert.equal((await balance(tenant))['remaining'], 40);

    const id = Number(json['id']);
    const added = await send(
      hub,
      tenant.id,
      request(id, [change('lines[0].consignee_ref', null, 'CUST-1')]),
    );
    const afterAdded = await balance(tenant);
    const ended = await send(
      hub,
      tenant.id,
      request(id, [change('lines[0].consignee_ref', 'CUST-1', null)]),
    );

    assert.equal(added.status, 201, added.text);
    assert.equal(ended.status, 201, ended.text);
    assert.deepEqual([afterAdded['remaining'], afterAdded['delivered']], [0, 40]);
    const left = await balance(tenant);
    assert.deepEqual([left['remaining'], left['delivered']], [40, 0]);
    const payload = await readPayload(Number(added.json['id']));
    assert.equal(payload['v'], 2);
    const sealed = payload['correction']!['changes']![0 as never]!;
    assert.deepEqual([sealed['from'], sealed['to']], [undefined, 'named']);
  });
});

describe('a recall', () => {
  async function simulated(tenant: RecallTenant, query: object = {}): Promise<Json> {
    const body = { lot_code: 'CAKE-1', direction: 'downstream', ...query };
    const answer = await hub.post('/v1/recall/simulate', body, tenant.headers);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  }

  const quantities = (answer: Json): readonly unknown[] =>
    readArray(answer['customers']).map(({ customer_ref, quantity }) => [customer_ref, quantity]);

  test('names the consignees among the customers, with the shipments as before', async () => {
    const tenant = new RecallTenant(hub);
    await make(tenant, 100);
    await deliver(tenant, 40, { to: 'CUST-1' });
    await sell(tenant, 10, { to: 'CUST-2' });

    const answer = await simulated(tenant);

    assert.deepEqual(quantities(answer), [
      ['CUST-1', 40],
      ['CUST-2', 10],
    ]);
    assert.equal(readArray(answer['shipments']).length, 1);
  });

  for (const order of ['delivered first', 'sold first']) {
    test(`counts a delivery and a sale of one reference once, ${order}`, async () => {
      const tenant = new RecallTenant(hub);
      await make(tenant, 200);
      const steps = [
        () => deliver(tenant, 40, { to: 'CUST-1' }),
        () => sell(tenant, 50, { reference: 'SO-1', to: 'CUST-1' }),
        () => deliver(tenant, 30, { reference: 'SO-2', to: 'CUST-2' }),
        () => sell(tenant, 35, { reference: 'SO-2' }),
      ];
      for (const step of order === 'sold first' ? steps.reverse() : steps) await step();

      const answer = await simulated(tenant);

      assert.deepEqual(quantities(answer), [
        ['CUST-1', 50],
        ['CUST-2', 30],
      ]);
      const unnamed = readArray(answer['unnamed_sales']).map(({ quantity }) => quantity);
      assert.deepEqual(unnamed, [5]);
    });
  }

  test('notifies consignees, and counts what was delivered to those who answer', async () => {
    const tenant = new RecallTenant(hub);
    await make(tenant, 100);
    await deliver(tenant, 40, { to: 'CUST-1' });
    await sell(tenant, 40, { reference: 'SO-1', to: 'CUST-1' });
    await sell(tenant, 60, { to: 'CUST-2' });
    const opened = await tenant.open('CAKE-1');
    const path = `/v1/recall/cases/${String(opened['case_no'])}`;
    await tenant.moveThrough(opened['case_no'], 'notification');
    const rows = readArray(
      (await tenant.get(`${path}/notifications?audience=customer`)).json['notifications'],
    );
    const row = rows.find((one) => String(one['recipient']) === 'CUST-1');
    assert.deepEqual(row?.['quantities'], [{ quantity: 40, unit: 'pcs' }]);

    await hub.call(`${path}/notifications/${String(row['id'])}`, {
      method: 'PATCH',
      headers: { ...tenant.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ status: 'acknowledged' }),
    });

    const share = valueAt(await tenant.detail(opened['case_no']), 'effectiveness', 'quantities', 0);
    assert.equal(valueAt(share, 'distributed'), 100);
    assert.equal(valueAt(share, 'accounted_for'), 40);
    const csv = (await tenant.get(`${path}/distribution.csv`)).text;
    assert.match(csv, /SHIP.*CUST-1/);
  });

  test('that is open notifies whom a later delivery names', async () => {
    const tenant = new RecallTenant(hub);
    await make(tenant, 100);
    const opened = await tenant.open('CAKE-1');
    await deliver(tenant, 40, { to: 'CUST-LATE' });

    await caughtUp(hub);
    const rows = await readNotifications(hub, String(opened['case_no']));
    assert.ok(rows.includes('customer CUST-LATE pending'));
  });

  test('of a past block counts a delivery as it was known then', async () => {
    const tenant = new RecallTenant(hub);
    await make(tenant, 100);
    const id = await deliver(tenant, 40, { to: 'CUST-1' });
    await sell(tenant, 60);
    const height = await storedHeight(hub.database);
    await send(hub, tenant.id, request(id, [change('lines[0].consignee_ref', 'CUST-1', null)]));

    const now = await simulated(tenant);
    const then = await simulated(tenant, { as_of_height: height });

    assert.deepEqual(quantities(now), []);
    assert.deepEqual(quantities(then), [['CUST-1', 40]]);
    assert.equal(valueAt(then, 'affected_lots', 0, 'quantities', 0, 'remaining'), 0);
  });
});

describe('erasing a consignee', () => {
  test('takes the value away; the delivery counts, and its block verifies', async () => {
    const tenant = new RecallTenant(hub);
    await make(tenant, 100);
    const id = await deliver(tenant, 40, { to: 'CUST-GONE' });
    await sell(tenant, 60);

    const answer = await hub.post(
      '/v1/privacy/erase',
      { customer_ref: 'CUST-GONE' },
      tenant.headers,
    );

    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json['erased_lines'], 1 as never);
    assert.equal((await balance(tenant))['remaining'], 0);
    const event = (await tenant.get(`/v1/events/${id}`)).json;
    assert.equal(valueAt(event, 'lines', 0, 'consignee_ref'), null);
    const body = { lot_code: 'CAKE-1', direction: 'downstream' };
    const { json } = await hub.post('/v1/recall/simulate', body, tenant.headers);
    const [erased] = readArray(json['customers']);
    assert.deepEqual([erased?.['customer_ref'], erased?.['erased'], erased?.['quantity']], [
      'erased',
      true,
      40,
    ] as never);
    const rows = await hub.database.rows('select salt from private_lines where height = ?', id);
    assert.deepEqual(rows, []);
  });

  test('of a delivery that was corrected to somebody else keeps that one', async () => {
    const tenant = new RecallTenant(hub);
    await make(tenant, 100);
    const id = await deliver(tenant, 40, { to: 'CUST-OLD' });
    const changes = [change('lines[0].consignee_ref', 'CUST-OLD', 'CUST-NEW')];
    await send(hub, tenant.id, request(id, changes));

    const answer = await hub.post(
      '/v1/privacy/erase',
      { customer_ref: 'CUST-OLD' },
      tenant.headers,
    );

    assert.equal(answer.status, 200, answer.text);
    const event = (await tenant.get(`/v1/events/${id}`)).json;
    assert.equal(valueAt(event, 'lines', 0, 'consignee_ref'), 'CUST-NEW');
    assert.equal((await balance(tenant))['delivered'], 40 as never);
  });
});
