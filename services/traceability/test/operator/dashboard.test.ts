// GET /v1/dashboard/summary: what a tenant has and how well it could be traced
// (docs/interface/traceability.md#summary).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, newTenant, valueAt, type Answer, type Json } from '../boot.ts';

const hub = await openForFile(boot());

const HOUR_MS = 3_600_000;
const NOW = new Date().toISOString();

function textAgo(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

const line = (lotCode: string, direction: 'in' | 'out', changes: object = {}) =>
  aLine({ lot_code: lotCode, product_sku: 'SKU', direction, quantity: 10, ...changes });

const PROVENANCE = {
  supplier_name: 'Mill Brandt',
  origin_facility: 'MILL-1',
  supplier_lot_code: 'BR-118',
};

function event(eventType: string, lines: readonly object[], changes: object = {}): object {
  return anEvent({ event_type: eventType, occurred_at: NOW, lines, ...changes });
}

const received = (lotCode: string, changes: object = {}) =>
  event('RECEIVE', [line(lotCode, 'in', { ...PROVENANCE, ...changes })]);

/** A tenant of its own for one test. */
class Tenant {
  readonly id = newTenant();
  readonly headers = { 'X-Tenant-Id': this.id };

  async record(...events: readonly object[]): Promise<number[]> {
    const ids: number[] = [];
    for (const one of events) {
      const answer = await this.post('/v1/events', one);
      assert.equal(answer.status, 201, answer.text);
      ids.push(Number(answer.json['id']));
    }
    return ids;
  }

  async correct(eventId: number, field: string, from: unknown, to: unknown): Promise<void> {
    const answer = await this.post('/v1/corrections', {
      corrects_event_id: eventId,
      reason: 'typing error',
      requested_by: 'Ada',
      changes: [{ field, old_value: from, new_value: to }],
    });
    assert.equal(answer.status, 201, answer.text);
  }

  post(path: string, body: object): Promise<Answer> {
    return hub.post(path, body, this.headers);
  }

  async summary(): Promise<Json> {
    const answer = await hub.call('/v1/dashboard/summary', { headers: this.headers });
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  }

  /** What a check found: `[count, of, sample]`. */
  async check(code: string): Promise<readonly unknown[]> {
    const checks = valueAt(await this.summary(), 'compliance', 'checks');
    assert.ok(Array.isArray(checks));
    const found: unknown = checks.find((check) => valueAt(check, 'code') === code);
    const [count, total] = [valueAt(found, 'count'), valueAt(found, 'of')];
    assert.equal(valueAt(found, 'ok'), count === 0);
    return [count, total, valueAt(found, 'sample')];
  }
}

test('a tenant that has recorded nothing has a dashboard of zeros', async () => {
  const summary = await new Tenant().summary();

  const { chain, compliance, ...figures } = summary;
  assert.deepEqual(figures, {
    lots_total: 0,
    lots_on_hold: 0,
    lots_recalled: 0,
    open_recalls: 0,
    inbound_recalls: 0,
    open_recalls_by_severity: {
      class_i: 0,
      class_ii: 0,
      class_iii: 0,
      market_withdrawal: 0,
      unclassified: 0,
    },
    events_total: 0,
    events_24h: 0,
    last_event_at: null,
    hold_breaches: { count: 0, latest: [] },
  });
  assert.equal(valueAt(chain, 'chain_valid'), true);
  assert.equal(valueAt(compliance, 'score'), 100);
  assert.equal(valueAt(compliance, 'last_drill'), null);
  assert.deepEqual(valueAt(compliance, 'looked_at'), { events: 0, lots: 0, whole: true });
});

test('events, lots, holds and breaches of a hold are counted as soon as they are there', async () => {
  const tenant = new Tenant();
  await tenant.record(received('FLOUR'), received('YEAST'));
  await tenant.post('/v1/lots/FLOUR/hold', { reason: 'mould', by: 'Ada' });
  const [breach] = await tenant.record(event('DISPOSE', [line('FLOUR', 'out')]));

  const summary = await tenant.summary();

  const { recorded_at: recordedAt } = await newestEvent(tenant);
  assert.equal(summary['lots_total'], 2);
  assert.equal(summary['lots_on_hold'], 1);
  assert.equal(summary['lots_recalled'], 0);
  assert.equal(summary['events_total'], 3);
  assert.equal(summary['events_24h'], 3);
  assert.equal(summary['last_event_at'], recordedAt);
  assert.equal(valueAt(summary, 'chain', 'height'), breach);
  const latest = valueAt(summary, 'hold_breaches', 'latest');
  assert.ok(Array.isArray(latest));
  assert.equal(valueAt(summary, 'hold_breaches', 'count'), 1);
  assert.deepEqual(
    latest.map((one) => [valueAt(one, 'lot_code'), valueAt(one, 'event_id')]),
    [['FLOUR', breach]],
  );
});

async function newestEvent(tenant: Tenant): Promise<Readonly<Record<string, unknown>>> {
  const { json } = await hub.call('/v1/events?limit=1', { headers: tenant.headers });
  const newest = valueAt(json, 'events', 0);
  assert.ok(typeof newest === 'object' && newest !== null);
  return { ...newest };
}

test('the chain of the summary is that of the explorer', async () => {
  const { chain } = await new Tenant().summary();

  const { json } = await hub.call('/public/explorer');
  for (const field of ['chain_id', 'height', 'tip_hash', 'chain_valid']) {
    assert.equal(valueAt(chain, field), valueAt(json, 'stats', field), field);
  }
});

test('a received lot wants supplier, facility and the supplier’s lot code', async () => {
  const tenant = new Tenant();
  const [, bad = 0] = await tenant.record(
    received('GOOD'),
    received('BAD', { origin_facility: null }),
    event('RECEIVE', [line('GOOD', 'out')]),
  );

  const found = await tenant.check('provenance_complete');
  await tenant.correct(bad, 'lines[0].origin_facility', null, 'MILL-2');

  assert.deepEqual(found, [1, 2, [{ event_id: bad, lot_code: 'BAD' }]]);
  assert.deepEqual(await tenant.check('provenance_complete'), [0, 2, []]);
});

test('a lot that nothing was received, produced or packed of has no origin', async () => {
  const tenant = new Tenant();
  const [, sold = 0] = await tenant.record(
    received('FLOUR'),
    event('SELL', [line('FROM-NOWHERE', 'out')]),
  );

  const found = await tenant.check('lots_have_origin');
  await tenant.correct(sold, 'status', 'accepted', 'voided');

  assert.deepEqual(found, [1, 2, [{ event_id: null, lot_code: 'FROM-NOWHERE' }]]);
  assert.deepEqual(await tenant.check('lots_have_origin'), [0, 1, []]);
});

test('a CONSUME and a PRODUCE are linked when one event or one reference has both', async () => {
  const tenant = new Tenant();
  const [, , , lonely = 0] = await tenant.record(
    event('CONSUME', [line('FLOUR', 'in')], { reference: 'WO-1' }),
    event('PRODUCE', [line('BREAD', 'out')], { reference: 'WO-1' }),
    event('PRODUCE', [line('FLOUR', 'in'), line('ROLL', 'out')], { reference: 'WO-2' }),
    event('CONSUME', [line('FLOUR', 'in')], { reference: 'WO-3' }),
  );

  const found = await tenant.check('production_linked');
  await tenant.record(event('PACK', [line('BOX', 'out')], { reference: 'WO-3' }));

  assert.deepEqual(found, [1, 4, [{ event_id: lonely, lot_code: null }]]);
  assert.deepEqual(await tenant.check('production_linked'), [0, 4, []]);
});

test('a lot out of which more went than came in is over-issued', async () => {
  const tenant = new Tenant();
  await tenant.record(
    received('FLOUR'),
    received('YEAST'),
    event('DISPOSE', [line('FLOUR', 'out', { quantity: 11 })]),
  );

  const found = await tenant.check('lots_not_over_issued');

  assert.deepEqual(found, [1, 2, [{ event_id: null, lot_code: 'FLOUR' }]]);
});

for (const { out, isPlausible } of [
  { out: 94.9, isPlausible: false },
  { out: 95, isPlausible: true },
  { out: 105, isPlausible: true },
  { out: 105.1, isPlausible: false },
]) {
  test(`${out} out of 100 are ${isPlausible ? 'a plausible yield' : 'none'}`, async () => {
    const tenant = new Tenant();
    await tenant.record(
      event('PRODUCE', [
        line('FLOUR', 'in', { quantity: 60 }),
        line('YEAST', 'in', { quantity: 40 }),
        line('BREAD', 'out', { quantity: out }),
      ]),
    );

    const [count, total] = await tenant.check('yield_plausible');

    assert.deepEqual([count, total], [isPlausible ? 0 : 1, 1]);
  });
}

test('the yield of a reference is that of all its events together', async () => {
  const tenant = new Tenant();
  const consume = (quantity: number) =>
    event('CONSUME', [line('FLOUR', 'in', { quantity })], { reference: 'WO-1' });
  const [, second = 0] = await tenant.record(
    consume(60),
    consume(10),
    event('PRODUCE', [line('BREAD', 'out', { quantity: 100 })], { reference: 'WO-1' }),
  );

  const [wrong] = await tenant.check('yield_plausible');
  await tenant.correct(second, 'lines[0].quantity', 10, 40);

  assert.equal(wrong, 1);
  assert.deepEqual(await tenant.check('yield_plausible'), [0, 1, []]);
});

test('of different units no yield is judged', async () => {
  const tenant = new Tenant();
  await tenant.record(
    event('PRODUCE', [line('FLOUR', 'in'), line('BREAD', 'out', { unit: 'pcs' })]),
  );

  const found = await tenant.check('yield_plausible');

  assert.deepEqual(found, [0, 0, []]);
});

test('a lot whose SKU is counted in two units cannot be added up', async () => {
  const tenant = new Tenant();
  await tenant.record(
    received('FLOUR'),
    event('DISPOSE', [line('FLOUR', 'out', { unit: 'g' })]),
    received('YEAST'),
    event('DISPOSE', [line('YEAST', 'out', { product_sku: 'OTHER', unit: 'g' })]),
  );

  const found = await tenant.check('units_agree');

  assert.deepEqual(found, [1, 2, [{ event_id: null, lot_code: 'FLOUR' }]]);
});

test('an event is late that was recorded more than a day after it occurred', async () => {
  const tenant = new Tenant();
  const dayBefore = textAgo(25 * HOUR_MS);
  const occurred = (occurredAt: string) =>
    event('TRANSFER', [line('FLOUR', 'in')], { occurred_at: occurredAt });
  const [, late = 0] = await tenant.record(
    occurred(textAgo(23 * HOUR_MS)),
    occurred(dayBefore),
    occurred(textAgo(-25 * HOUR_MS)),
  );

  const found = await tenant.check('recorded_in_time');
  await tenant.correct(late, 'occurred_at', dayBefore, NOW);

  assert.deepEqual(found, [1, 3, [{ event_id: late, lot_code: null }]]);
  assert.deepEqual(await tenant.check('recorded_in_time'), [0, 3, []]);
});

test('of very many events each one that is late is found', async () => {
  const tenant = new Tenant();
  const isLate = (index: number): boolean => index % 7 === 3 || (index > 100 && index < 150);
  const events = Array.from({ length: 300 }, (_, index) =>
    event('TRANSFER', [line('FLOUR', 'in')], {
      occurred_at: textAgo(isLate(index) ? 48 * HOUR_MS : 0),
    }),
  );
  const answer = await tenant.post('/v1/events/batch', events);
  assert.equal(answer.status, 201, answer.text);

  const [count, total] = await tenant.check('recorded_in_time');

  assert.deepEqual([count, total], [events.filter((_, index) => isLate(index)).length, 300]);
});

test('a sale without a customer is found, and its customer shows nowhere', async () => {
  const tenant = new Tenant();
  const [, nobody = 0] = await tenant.record(
    event('SELL', [line('BREAD', 'out', { customer_ref: 'CUST-77', channel: 'shop' })]),
    event('SELL', [line('BREAD', 'out', { channel: 'shop' }), line('ROLL', 'out')]),
  );

  const found = await tenant.check('sales_name_customer');
  const { text } = await hub.call('/v1/dashboard/summary', { headers: tenant.headers });

  assert.deepEqual(found, [1, 2, [{ event_id: nobody, lot_code: null }]]);
  assert.doesNotMatch(text, /CUST-77|shop/);
});

test('a customer that a correction names, or takes back, counts', async () => {
  const tenant = new Tenant();
  const [named = 0, unnamed = 0] = await tenant.record(
    event('SELL', [line('BREAD', 'out', { customer_ref: 'CUST-77' })]),
    event('SELL', [line('BREAD', 'out')]),
  );

  await tenant.correct(unnamed, 'lines[0].customer_ref', null, 'CUST-78');
  const complete = await tenant.check('sales_name_customer');
  await tenant.correct(named, 'lines[0].customer_ref', 'CUST-77', null);

  assert.deepEqual(complete, [0, 2, []]);
  assert.deepEqual(await tenant.check('sales_name_customer'), [
    1,
    2,
    [{ event_id: named, lot_code: null }],
  ]);
});

test('a customer that was erased was named', async () => {
  const tenant = new Tenant();
  const sale = (customerRef: string | null) =>
    event('SELL', [line('BREAD', 'out', { customer_ref: customerRef })]);
  await tenant.record(sale('CUST-77'));
  const erased = await tenant.post('/v1/privacy/erase', { customer_ref: 'CUST-77' });
  const [unnamed] = await tenant.record(sale(null));

  const found = await tenant.check('sales_name_customer');

  assert.equal(erased.status, 200, erased.text);
  assert.deepEqual(found, [1, 2, [{ event_id: unnamed, lot_code: null }]]);
});

test('the score is the mean of the checks that looked at something, rounded down', async () => {
  const tenant = new Tenant();
  await tenant.record(received('GOOD'), received('BAD', { supplier_name: null }));

  const { compliance } = await tenant.summary();

  // Half of the provenance and the drill are missing; origin, issue, units and time are as they should be.
  assert.equal(valueAt(compliance, 'score'), Math.floor((100 * (0.5 + 4)) / 6));
});

test('of more events than are looked at the newest are, and the summary says so', async () => {
  const tenant = new Tenant();
  const lines = [line('FLOUR', 'in', PROVENANCE)];
  const wide = Array.from({ length: 1_000 }, () => line('FLOUR', 'in', PROVENANCE));
  await tenant.record(event('RECEIVE', [line('FLOUR', 'in')]));
  for (let count = 0; count < 20; count += 1) await tenant.record(event('RECEIVE', wide));
  await tenant.record(event('RECEIVE', lines));

  const { compliance } = await tenant.summary();

  assert.deepEqual(valueAt(compliance, 'looked_at'), { events: 20, lots: 1, whole: false });
  assert.deepEqual(await tenant.check('provenance_complete'), [0, 1, []]);
});

test('what one tenant has is not in the dashboard of another', async () => {
  const [owner, spy] = [new Tenant(), new Tenant()];
  await spy.record(received('OWN'));
  const before = await spy.summary();

  await owner.record(event('SELL', [line('OWN', 'out')]), event('CONSUME', [line('OWN', 'in')]));
  await owner.post('/v1/lots/OWN/hold', { reason: 'mould', by: 'Ada' });
  const after = await spy.summary();

  const { chain: _before, ...rest } = before;
  const { chain: _after, ...restAfter } = after;
  assert.deepEqual(restAfter, rest);
});
