// POST /v1/corrections over HTTP, what is refused, each with its status: written from
// docs/interface/traceability.md#corrections.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { anyCharacter } from '@lothub/chain/test/any-character';
import fc from 'fast-check';
import {
  CORRECTABLE_EVENT_FIELDS,
  CORRECTABLE_LINE_FIELDS,
} from '../../src/ledger/record/field-path.ts';
import { ADMIN_KEY, aLine, boot, newTenant, valueAt, type Answer, type Json } from '../boot.ts';
import { change, correct, corrected, record, request, send } from './correction-requests.ts';
import { findChainFault, storedHeight } from '../stored.ts';

const hub = await openForFile(boot());

// Refusals: 400 with one sentence, and nothing is stored.

async function assertRefused(sent: Promise<Answer>, detail: string): Promise<void> {
  const height = await storedHeight(hub.database);

  const answer = await sent;

  assert.equal(answer.status, 400, answer.text);
  assert.deepEqual(answer.json, { detail });
  assert.equal(await storedHeight(hub.database), height);
}

const NO_EVENT = 'corrects_event_id names no event of this tenant';
const MOVE = change('location', 'BAKERY-1', 'BAKERY-2');

test('an event that does not exist cannot be corrected', async () => {
  await assertRefused(send(hub, newTenant(), request(1_000_000, [MOVE])), NO_EVENT);
});

test("another tenant's event is answered as if it did not exist", async () => {
  const { eventId } = await record(hub);

  await assertRefused(send(hub, newTenant(), request(eventId, [MOVE])), NO_EVENT);
});

test("another tenant's correction is answered as if it did not exist", async () => {
  const { id } = await corrected(hub, await record(hub), MOVE);

  await assertRefused(send(hub, newTenant(), request(Number(id), [MOVE])), NO_EVENT);
});

test('an event of the type CORRECTION cannot be corrected', async () => {
  const recorded = await record(hub, { event_type: 'CORRECTION' });

  await assertRefused(
    correct(hub, recorded, MOVE),
    'corrects_event_id names a CORRECTION, which cannot be corrected',
  );
});

test('a correction cannot be corrected', async () => {
  const { tenant, eventId } = await record(hub);
  const { id } = await corrected(hub, { tenant, eventId }, MOVE);

  await assertRefused(
    send(hub, tenant, request(Number(id), [MOVE])),
    'corrects_event_id names a CORRECTION, which cannot be corrected',
  );
});

test('a voided event cannot be corrected further', async () => {
  const recorded = await record(hub);
  await corrected(hub, recorded, change('status', 'accepted', 'voided'));

  for (const one of [MOVE, change('status', 'voided', 'accepted')]) {
    await assertRefused(
      correct(hub, recorded, one),
      'The event is voided and cannot be corrected further',
    );
  }
});

test('an event that is shown as corrected is voided from either word', async () => {
  for (const word of ['corrected', 'accepted']) {
    const recorded = await record(hub);
    await corrected(hub, recorded, MOVE);

    const answer = await corrected(hub, recorded, change('status', word, 'voided'));

    assert.deepEqual(answer['changes'], [change('status', 'accepted', 'voided')]);
  }
});

const CHANGES_REFUSED: readonly (readonly [string, readonly object[], string])[] = [
  [
    'a wrong old value',
    [change('location', 'DOCK-9', 'BAKERY-2')],
    'changes[0].old_value is not the value that location has now',
  ],
  [
    'a missing old value',
    [{ field: 'location', new_value: 'BAKERY-2' }],
    'changes[0].old_value is not the value that location has now',
  ],
  [
    'a new value that is the old one',
    [change('lines[0].quantity', '250.50', 250.5)],
    'changes[0].new_value is the value that lines[0].quantity has already',
  ],
  [
    'an unknown field',
    [MOVE, change('colour', 'red', 'blue')],
    'changes[1].field names no field of an event that can be corrected',
  ],
  [
    'an unknown line',
    [change('lines[2].unit', 'kg', 'g')],
    'changes[0].field names a line that the event does not have',
  ],
  [
    'a field twice',
    [MOVE, change('/location', 'BAKERY-1', 'BAKERY-3')],
    'changes[1].field: location is changed twice',
  ],
  [
    'the type of the event',
    [change('event_type', 'RECEIVE', 'SHIP')],
    'changes[0].field: event_type cannot be corrected; void the event and post it anew',
  ],
  [
    'the external id',
    [change('external_id', null, 'wms-1')],
    'changes[0].field: external_id cannot be corrected; void the event and post it anew',
  ],
  [
    'a customer of what was no sale',
    [change('lines[0].customer_ref', null, 'CUST-1')],
    'changes[0].field: only SELL events have a customer_ref',
  ],
  [
    'a channel of what was no sale',
    [change('channel', null, 'webshop')],
    'changes[0].field: only SELL events have a channel',
  ],
  [
    'a bare field whose old value no line has',
    [change('unit', 'bag', 'sack')],
    'changes[0].old_value is the unit of no line',
  ],
  [
    'a bare field whose old value two lines have',
    [change('unit', 'kg', 'g')],
    'changes[0].old_value is the unit of 2 lines; name the one to correct, such as lines[0].unit',
  ],
];

for (const [what, changes, detail] of CHANGES_REFUSED) {
  test(`${what} is a 400, and no other change of the request is made`, async () => {
    const recorded = await record(hub, { lines: [aLine(), aLine({ quantity: 7 })] });

    await assertRefused(correct(hub, recorded, ...changes), detail);
  });
}

test('no refusal repeats a value', async () => {
  const recorded = await record(hub, {
    event_type: 'SELL',
    lines: [aLine({ direction: 'out', customer_ref: 'Qwzsecret', channel: 'Qwzsecret' })],
  });

  const answers = [
    await correct(hub, recorded, change('lines[0].customer_ref', 'Qwzguess', 'Qwzother')),
    await correct(hub, recorded, change('customer_ref', 'Qwzguess', 'Qwzother')),
    await correct(hub, recorded, change('Qwzfield', 'Qwzguess', 'Qwzother')),
    await correct(hub, recorded, change('lines[0].customer_ref', 'Qwzguess', ['Qwzother'])),
    await correct(hub, recorded, change('lines[0].channel', 'Qwzsecret', 'Qwzsecret')),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 400, 400, 422, 400],
  );
  for (const { text } of answers) assert.ok(!text.includes('Qwz'), text);
});

// Fields of the request: 422, all at once.

test('everything that is wrong with a request is named at once', async () => {
  const { tenant } = await record(hub);

  const answer = await send(hub, tenant, {
    corrects_event_id: 0,
    reason: 'x'.repeat(2_001),
    changes: [
      { field: 'lines[0].quantity', old_value: 1, new_value: -1 },
      { field: 'location', old_value: true, new_value: null, colour: 'red' },
    ],
    approved_by: 'nobody',
  });

  assert.equal(answer.status, 422);
  const errors = answer.json['detail'] as unknown as readonly Json[];
  assert.deepEqual(errors.map(({ loc, type }) => `${String(loc)}: ${String(type)}`).toSorted(), [
    'body,approved_by: extra_forbidden',
    'body,changes,0,new_value: greater_than_equal',
    'body,changes,1,colour: extra_forbidden',
    'body,changes,1,new_value: string_type',
    'body,changes,1,old_value: type_error',
    'body,corrects_event_id: greater_than_equal',
    'body,reason: string_too_long',
    'body,requested_by: missing',
  ]);
  const negative = errors.find(({ type }) => String(type) === 'greater_than_equal');
  assert.equal(typeof negative!['msg'], 'string');
  assert.deepEqual(Object.keys(negative!).toSorted(), ['loc', 'msg', 'type']);
});

test('a wrong value is a 422 before any rule is asked', async () => {
  const answer = await send(hub, newTenant(), request(1_000_000, [change('colour', [], 1)]));

  assert.equal(answer.status, 422);
});

for (const name of ['old_value', 'new_value']) {
  test(`a number that a double cannot hold is a 422 at ${name}`, async () => {
    const { tenant, eventId } = await record(hub);
    const values = { old_value: 250.5, new_value: 1, [name]: 'NUMBER' };
    const body = JSON.stringify(request(eventId, [{ field: 'lines[0].quantity', ...values }]));

    const answer = await hub.call('/v1/corrections', {
      method: 'POST',
      headers: { 'X-Tenant-Id': tenant, 'Content-Type': 'application/json' },
      body: body.replace('"NUMBER"', '0.12345678901234567'),
    });

    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(answer.json['detail'], [
      {
        loc: ['body', 'changes', 0, name],
        msg: 'Number should have at most 15 significant digits',
        type: 'decimal_max_digits',
      },
    ]);
  });
}

test('a body that is no JSON or no object is a 422', async () => {
  const { tenant } = await record(hub);

  for (const body of ['', '{', '[]', 'null', '"x"']) {
    const answer = await hub.call('/v1/corrections', {
      method: 'POST',
      headers: { 'X-Tenant-Id': tenant, 'Content-Type': 'application/json' },
      body,
    });
    assert.equal(answer.status, 422, `${body}: ${answer.text}`);
  }
});

test('a body over the limit is a 413', async () => {
  const changes = [change('notes', null, 'x'.repeat(1_048_576))];

  const answer = await send(hub, newTenant(), request(1, changes));

  assert.equal(answer.status, 413);
});

test('the tenant key and the tenant id are demanded', async () => {
  const { tenant, eventId } = await record(hub);
  const body = request(eventId, [MOVE]);
  const headers = { 'X-Tenant-Id': tenant };

  const withoutKey = await hub.post('/v1/corrections', body, { ...headers, 'X-Api-Key': '' });
  const asAdmin = await hub.post('/v1/corrections', body, { ...headers, 'X-Api-Key': ADMIN_KEY });
  const withoutTenant = await hub.post('/v1/corrections', body, { 'X-Tenant-Id': '' });

  for (const answer of [withoutKey, asAdmin]) {
    assert.equal(answer.status, 401);
    assert.deepEqual(answer.json, { detail: 'Invalid API key' });
  }
  assert.equal(withoutTenant.status, 422);
  assert.deepEqual(valueAt(withoutTenant.json, 'detail', 0, 'loc'), ['header', 'x-tenant-id']);
});

test('the endpoint is described with every status', async () => {
  const { json } = await hub.call('/openapi.json');

  const responses = valueAt(json, 'paths', '/v1/corrections', 'post', 'responses');
  assert.deepEqual(Object.keys(responses as object), [
    ...['200', '201', '400', '401', '403', '413', '415', '422', '429', '500', '503'],
  ]);
});

// Input that nobody should send.

const RUNS = { numRuns: 150 } as const;

test('any JSON value is no correction by chance', async () => {
  const { tenant } = await record(hub);
  const height = await storedHeight(hub.database);

  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 4, noUnicodeString: false }), async (body) => {
      const answer = await send(hub, tenant, body);
      assert.equal(answer.status, 422, answer.text);
    }),
    RUNS,
  );
  assert.equal(await storedHeight(hub.database), height);
});

test('any change of any field is accepted or refused in the documented way', async () => {
  const { tenant, eventId } = await record(hub, {
    event_type: 'SELL',
    notes: 'front',
    lines: [aLine({ direction: 'out', customer_ref: 'CUST-1', channel: 'store' })],
  });
  const fields = fc.oneof(
    fc.constantFrom(...CORRECTABLE_EVENT_FIELDS.filter((field) => field !== 'status')),
    fc.constantFrom(...CORRECTABLE_LINE_FIELDS).map((field) => `lines[0].${field}`),
    fc.constantFrom(...CORRECTABLE_LINE_FIELDS),
    fc.string({ unit: anyCharacter }),
  );
  const values = fc.oneof(
    fc.constantFrom('CUST-1', 'store', 'front', 'kg', 'out', 250.5, '250.50', null),
    fc.constantFrom('2026-03-02T06:15:00Z', 'BAKERY-1', 'PO-1', 'FLOUR-1', 'FLOUR-T55'),
    fc.string({ unit: anyCharacter }),
    fc.double(),
    fc.jsonValue({ maxDepth: 1 }),
  );

  await fc.assert(
    fc.asyncProperty(fields, values, values, async (field, from, to) => {
      const answer = await correct(hub, { tenant, eventId }, change(field, from, to));
      assert.ok([201, 400, 422].includes(answer.status), `${answer.status}: ${answer.text}`);
      if (answer.status === 201) assert.equal(valueAt(answer.json['chain'], 'chain_valid'), true);
      else assert.deepEqual(Object.keys(answer.json), ['detail']);
    }),
    RUNS,
  );
  assert.equal(await findChainFault(hub.database), undefined);
});
