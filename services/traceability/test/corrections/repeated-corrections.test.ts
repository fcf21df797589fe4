// Corrections with an external id: sent again they answer the first block, whoever is faster, and their ids
// are one namespace with those of events.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { anEvent, boot, newTenant, type Answer, type Json } from '../boot.ts';
import { storedBlock, storedHeight } from '../stored.ts';
import { change, record, request, send, type Recorded } from './correction-requests.ts';

const hub = await openForFile(boot());

const MOVED = change('location', 'BAKERY-1', 'BAKERY-2');

/** A correction of an event under an external id. */
function named(recorded: Recorded, changes: readonly object[] = [MOVED], id = 'fix-1'): object {
  return { ...request(recorded.eventId, changes), external_id: id };
}

function assertReplayed(answer: Answer, first: Answer): void {
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get('Idempotent-Replay'), 'true');
  const { chain, ...rest } = answer.json;
  const { chain: firstChain, ...firstRest } = first.json;
  for (const name of ['id', 'external_id', 'changes', 'corrects_block_hash']) {
    assert.deepEqual(rest[name], firstRest[name], name);
  }
  assert.equal(chain!['block_hash'], firstChain!['block_hash'] as unknown);
}

function assertConflict(answer: Answer, ...fields: readonly string[]): void {
  assert.equal(answer.status, 400, answer.text);
  const detail = String(answer.json['detail']);
  assert.match(detail, /external_id is already used by (event|correction) \d+ with other content/);
  for (const field of fields) assert.ok(detail.includes(field), `${field} in: ${detail}`);
}

describe('a correction with an external id', () => {
  test('is sealed as version 2 with it; without one it is what it was in version 1', async () => {
    const recorded = await record(hub);
    const first = await send(hub, recorded.tenant, named(recorded));
    assert.equal(first.status, 201, first.text);
    const plain = await send(
      hub,
      recorded.tenant,
      request(recorded.eventId, [change('location', 'BAKERY-2', 'BAKERY-3')]),
    );

    const payload = async ({ json }: Answer): Promise<Json> => {
      const { canonical } = await storedBlock(hub.database, Number(json['id']));
      return (JSON.parse(canonical) as Json)['payload']!;
    };
    const [sealed, unnamed] = [await payload(first), await payload(plain)];
    assert.deepEqual([sealed['v'], sealed['correction']!['external_id']], [2, 'fix-1']);
    assert.equal(unnamed['v'], 1);
    assert.equal(first.json['external_id'], 'fix-1' as never);
  });

  test('answers the first block when it is sent again, also after another correction', async () => {
    const recorded = await record(hub);
    const first = await send(hub, recorded.tenant, named(recorded));
    const height = await storedHeight(hub.database);

    const again = await send(hub, recorded.tenant, named(recorded));
    const seen = await storedHeight(hub.database);
    await send(
      hub,
      recorded.tenant,
      request(recorded.eventId, [change('status', 'corrected', 'voided')]),
    );
    const late = await send(hub, recorded.tenant, named(recorded));

    assertReplayed(again, first);
    assert.equal(seen, height);
    assertReplayed(late, first);
  });

  test('is the same in another spelling of its fields and values', async () => {
    const recorded = await record(hub);
    const changes = [
      change('lines[0].quantity', 250.5, 240),
      change('occurred_at', '2026-03-02T07:15:00+01:00', '2026-03-02T08:15:00+01:00'),
      change('status', 'accepted', 'voided'),
    ];
    const first = await send(hub, recorded.tenant, named(recorded, changes));
    assert.equal(first.status, 201, first.text);

    const again = await send(
      hub,
      recorded.tenant,
      named(recorded, [
        change('quantity', '250.50', 240),
        change('/occurred_at', '2026-03-02T06:15:00Z', '2026-03-02T07:15:00Z'),
        change('status', 'corrected', 'voided'),
      ]),
    );

    assertReplayed(again, first);
  });

  for (const { what, to, fields } of [
    {
      what: 'value',
      to: { changes: [change('location', 'BAKERY-1', 'BAKERY-9')] },
      fields: ['changes[0].new_value'],
    },
    {
      what: 'old value',
      to: { changes: [change('location', 'BAKERY-9', 'BAKERY-2')] },
      fields: ['changes[0].old_value'],
    },
    {
      what: 'field',
      to: { changes: [change('reference', 'PO-1', 'PO-2')] },
      fields: ['changes[0].field'],
    },
    {
      what: 'number of changes',
      to: { changes: [MOVED, change('reference', 'PO-1', 'PO-2')] },
      fields: ['changes'],
    },
    { what: 'reason', to: { reason: 'another one' }, fields: ['reason'] },
    { what: 'person', to: { requested_by: 'John Doe' }, fields: ['requested_by'] },
  ]) {
    test(`is a conflict with another ${what}`, async () => {
      const recorded = await record(hub);
      await send(hub, recorded.tenant, named(recorded));

      const answer = await send(hub, recorded.tenant, { ...named(recorded), ...to });

      assertConflict(answer, ...fields);
    });
  }

  test('compares private values, and no more once they are erased', async () => {
    const recorded = await record(hub, {
      event_type: 'SELL',
      lines: [
        {
          lot_code: 'L',
          product_sku: 'P',
          direction: 'out',
          quantity: 1,
          unit: 'pcs',
          customer_ref: 'CUST-A',
        },
      ],
    });
    const to = (ref: string): object =>
      named(recorded, [change('lines[0].customer_ref', 'CUST-A', ref)]);
    const first = await send(hub, recorded.tenant, to('CUST-B'));
    assert.equal(first.status, 201, first.text);

    const again = await send(hub, recorded.tenant, to('CUST-B'));
    const other = await send(hub, recorded.tenant, to('CUST-C'));
    await hub.post(
      '/v1/privacy/erase',
      { customer_ref: 'CUST-B' },
      { 'X-Tenant-Id': recorded.tenant },
    );
    const late = await send(hub, recorded.tenant, to('CUST-B'));

    assertReplayed(again, first);
    assertConflict(other, 'changes[0].new_value');
    assertReplayed(late, first);
  });

  test('shares its namespace with events, both ways, and with no other tenant', async () => {
    const recorded = await record(hub, { external_id: 'wms-1' });
    const taken = await send(hub, recorded.tenant, named(recorded, [MOVED], 'wms-1'));
    const first = await send(hub, recorded.tenant, named(recorded));
    const headers = { 'X-Tenant-Id': recorded.tenant };

    const event = await hub.post('/v1/events', anEvent({ external_id: 'fix-1' }), headers);
    const batch = await hub.post(
      '/v1/events/batch?on_error=proceed',
      [anEvent({ external_id: 'fix-1' })],
      headers,
    );
    const others = { 'X-Tenant-Id': newTenant() };
    const other = await hub.post('/v1/events', anEvent({ external_id: 'fix-1' }), others);

    assert.equal(first.status, 201, first.text);
    assertConflict(taken);
    assertConflict(event);
    assert.equal(batch.json['rejected'], 1 as never);
    assert.equal(other.status, 201);
  });

  test('is appended once however many send it at the same time', async () => {
    const recorded = await record(hub);
    const height = await storedHeight(hub.database);

    const answers = await Promise.all(
      Array.from({ length: 12 }, () => send(hub, recorded.tenant, named(recorded))),
    );

    assert.equal(await storedHeight(hub.database), height + 1);
    assert.deepEqual(new Set(answers.map(({ json }) => Number(json['id']))), new Set([height + 1]));
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    for (const answer of answers) assert.ok(answer.status < 300, answer.text);
  });

  test('races with other corrections of the event and is appended once', async () => {
    const recorded = await record(hub, {
      lines: Array.from({ length: 8 }, (_, index) => ({
        lot_code: `L-${index}`,
        product_sku: 'P',
        direction: 'in',
        quantity: 1,
        unit: 'kg',
      })),
    });
    const bodies = Array.from({ length: 8 }, (_, line) =>
      named(recorded, [change(`lines[${line}].quantity`, 1, 2)], `fix-${line}`),
    );

    const answers = await Promise.all(
      [...bodies, ...bodies].map((body) => send(hub, recorded.tenant, body)),
    );

    const ids = new Set(answers.map(({ json }) => Number(json['id'])));
    for (const answer of answers) assert.ok(answer.status < 300, answer.text);
    assert.equal(ids.size, 8);
  });

  test('races with events and corrections of other events for its id, and one of them has it', async () => {
    const recorded = await record(hub);
    const others = await Promise.all(
      ['PO-2', 'PO-3'].map((reference) => record(hub, { reference }, recorded.tenant)),
    );
    const headers = { 'X-Tenant-Id': recorded.tenant };
    for (const id of Array.from({ length: 8 }, (_, index) => `contested-${index}`)) {
      const moved = change('lines[0].unit', 'kg', 'g');

      const answers = await Promise.all([
        ...[recorded, ...others].map((one) => send(hub, one.tenant, named(one, [moved], id))),
        hub.post('/v1/events', anEvent({ external_id: id, reference: id }), headers),
      ]);

      const statuses = answers.map(({ status }) => status).toSorted();
      assert.deepEqual(statuses, [201, 400, 400, 400], answers.map(({ text }) => text).join());
      const winner = answers.findIndex(({ status }) => status === 201);
      const target = [recorded, ...others][winner];
      if (target === undefined) continue;
      const back = request(target.eventId, [change('lines[0].unit', 'g', 'kg')]);
      assert.equal((await send(hub, target.tenant, back)).status, 201);
    }
  });

  test('of an unfit id is refused at the place of the id', async () => {
    const recorded = await record(hub);

    const answer = await send(hub, recorded.tenant, named(recorded, [MOVED], ' fix'));

    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(answer.json['detail']![0 as never]!['loc'], ['body', 'external_id'] as never);
  });
});
