// POST /v1/corrections over HTTP: written from the interface document (sections 2, 4 and 7), section 6
// of the service page and docs/chain-format.md. Each rule by itself is tested beside the rule.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import jcs from 'canonicalize';
import { DatabaseError } from '@lothub/kit/database';
import { newSalt } from '@lothub/kit/secrets';
import { correctEvent } from '../src/corrections/correct.ts';
import { ADMIN_KEY, aLine, anEvent, boot, newTenant, valueAt } from './boot.ts';
import type { Answer, Booted, Json } from './boot.ts';
import { eventOf, lineOf, openTestLedger } from './ledger.ts';
import { findChainFault, storedBlock, storedHeight, storedRows } from './stored.ts';

let hub: Booted;
before(async () => {
  hub = await boot();
});
after(async () => {
  await hub[Symbol.asyncDispose]();
});

/** A tenant with one event, which the test corrects. */
interface Recorded {
  readonly tenant: string;
  readonly eventId: number;
}

async function record(event: object = {}, tenant = newTenant()): Promise<Recorded> {
  const answer = await hub.post('/v1/events', anEvent({ ...event }), { 'X-Tenant-Id': tenant });
  assert.equal(answer.status, 201, answer.text);
  return { tenant, eventId: Number(answer.json['id']) };
}

function request(eventId: number, changes: readonly object[]): Record<string, unknown> {
  return {
    corrects_event_id: eventId,
    reason: 'typing error at the dock',
    requested_by: 'Jane Miller',
    changes,
  };
}

function send(tenant: string, body: unknown): Promise<Answer> {
  return hub.post('/v1/corrections', body, { 'X-Tenant-Id': tenant });
}

function correct({ tenant, eventId }: Recorded, ...changes: readonly object[]): Promise<Answer> {
  return send(tenant, request(eventId, changes));
}

const change = (field: string, old_value: unknown, new_value: unknown) => ({
  field,
  old_value,
  new_value,
});

async function corrected(recorded: Recorded, ...changes: readonly object[]): Promise<Json> {
  const answer = await correct(recorded, ...changes);
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

function payloadAt(height: unknown): unknown {
  return valueAt(JSON.parse(storedBlock(hub.dataDir, Number(height)).canonical), 'payload');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

// Acceptance.

test('a correction is answered with what it corrects and its own block', async () => {
  const recorded = await record();
  const { blockHash } = storedBlock(hub.dataDir, recorded.eventId);

  const answer = await corrected(recorded, change('lines[0].quantity', 250.5, 240));

  const id = Number(answer['id']);
  const block = storedBlock(hub.dataDir, id);
  assert.deepEqual(answer, {
    id,
    status: 'accepted',
    event_type: 'CORRECTION',
    corrects_event_id: recorded.eventId,
    corrects_block_height: recorded.eventId,
    corrects_block_hash: blockHash,
    changes: [{ field: 'lines[0].quantity', old_value: 250.5, new_value: 240 }],
    chain: {
      height: id,
      tip_hash: block.blockHash,
      chain_valid: true,
      block_height: id,
      block_hash: block.blockHash,
      tx_count: 1,
      summary: `CORRECTION of event ${recorded.eventId}: lines[0].quantity`,
    },
  });
});

test('the new block hashes to its hash, links to the one before and says what was wrong', async () => {
  const recorded = await record();
  const original = storedBlock(hub.dataDir, recorded.eventId);

  const { id } = await corrected(
    recorded,
    change('location', 'BAKERY-1', 'BAKERY-2'),
    change('lines[0].quantity', 250.5, 240),
  );

  const { json: block } = await hub.call(`/public/explorer/block/${String(id)}`);
  const canonical = String(block['canonical']);
  assert.equal(sha256(canonical), block['block_hash']);
  assert.equal(jcs(JSON.parse(canonical)), canonical);
  assert.equal(valueAt(JSON.parse(canonical), 'prev_hash'), original.blockHash);
  const payload = valueAt(JSON.parse(canonical), 'payload');
  const [row] = storedRows(
    hub.dataDir,
    'select requested_by, salt from private_requests where height = ?',
    Number(id),
  );
  assert.equal(row!['requested_by'], 'Jane Miller');
  assert.deepEqual(payload, {
    brand: recorded.tenant,
    correction: {
      changes: [
        { field: 'location', from: 'BAKERY-1', to: 'BAKERY-2' },
        { field: 'lines[0].quantity', from: '250.5', to: '240' },
      ],
      corrects_block_hash: original.blockHash,
      corrects_block_height: recorded.eventId,
      corrects_event_id: recorded.eventId,
      private: sha256(String(jcs({ requested_by: 'Jane Miller', salt: row!['salt'] }))),
      reason: 'typing error at the dock',
    },
    recorded_at: valueAt(payload, 'recorded_at'),
    type: 'correction',
    v: 1,
  });
});

test('the corrected event and its block stay as they were, to the byte', async () => {
  const recorded = await record({ notes: 'dry' });
  const original = storedBlock(hub.dataDir, recorded.eventId);
  const { json: shown } = await hub.call(`/public/explorer/block/${recorded.eventId}`);

  await corrected(
    recorded,
    change('notes', 'dry', null),
    change('lines[0].lot_code', 'FLOUR-1', 'FLOUR-2'),
    change('status', 'accepted', 'voided'),
  );

  assert.deepEqual(storedBlock(hub.dataDir, recorded.eventId), original);
  const { json: after } = await hub.call(`/public/explorer/block/${recorded.eventId}`);
  for (const field of ['height', 'block_hash', 'canonical', 'prev_hash', 'recorded_at']) {
    assert.deepEqual(after[field], shown[field], field);
  }
  assert.equal(findChainFault(hub.dataDir), undefined);
});

for (const field of ['lines[1].unit', 'lines.1.unit', '/lines/1/unit', 'unit']) {
  test(`the field may be written ${field}`, async () => {
    const recorded = await record({ lines: [aLine(), aLine({ unit: 'bag' })] });

    const answer = await corrected(recorded, change(field, 'bag', 'sack'));

    const expected = { field: 'lines[1].unit', old_value: 'bag', new_value: 'sack' };
    assert.deepEqual(answer['changes'], [expected]);
    assert.deepEqual(valueAt(payloadAt(answer['id']), 'correction', 'changes'), [
      { field: 'lines[1].unit', from: 'bag', to: 'sack' },
    ]);
  });
}

for (const field of ['reference', '/reference']) {
  test(`a field of the event may be written ${field}`, async () => {
    const answer = await corrected(await record(), change(field, 'PO-1', 'PO-2'));

    assert.equal(valueAt(answer['changes'], 0, 'field'), 'reference');
  });
}

test('every field that can be corrected is corrected in one request', async () => {
  const recorded = await record({
    event_type: 'SELL',
    notes: 'front',
    lines: [aLine({ direction: 'out', customer_ref: 'CUST-1', channel: 'store' })],
  });
  const changes = [
    change('occurred_at', '2026-03-02T06:15:00Z', '2026-03-03T06:15:00Z'),
    change('location', 'BAKERY-1', 'SHOP-1'),
    change('reference', 'PO-1', 'SO-1'),
    change('notes', 'front', 'back'),
    change('status', 'accepted', 'voided'),
    change('lines[0].lot_code', 'FLOUR-1', 'FLOUR-2'),
    change('lines[0].product_sku', 'FLOUR-T55', 'FLOUR-T65'),
    change('lines[0].direction', 'out', 'in'),
    change('lines[0].quantity', 250.5, 0),
    change('lines[0].unit', 'kg', 'g'),
    change('lines[0].customer_ref', 'CUST-1', 'CUST-2'),
    change('lines[0].channel', 'store', 'webshop'),
    change('lines[0].supplier_name', null, 'Mill'),
    change('lines[0].origin_facility', null, 'Silo'),
    change('lines[0].supplier_lot_code', null, 'M-1'),
  ];

  const answer = await corrected(recorded, ...changes);

  assert.deepEqual(answer['changes'], changes);
  assert.equal(valueAt(answer['chain'], 'tx_count'), changes.length);
});

test('a text of digits stays a text in the answer', async () => {
  const recorded = await record({ reference: '4711' });

  const answer = await corrected(recorded, change('reference', '4711', '0815'));

  assert.deepEqual(answer['changes'], [change('reference', '4711', '0815')]);
});

test('what was corrected is corrected again from the value that counts now', async () => {
  const recorded = await record();
  await corrected(recorded, change('lines[0].quantity', 250.5, 240));

  const refused = await correct(recorded, change('lines[0].quantity', 250.5, 230));
  const answer = await corrected(recorded, change('quantity', 240, 230));

  assert.equal(refused.status, 400);
  assert.deepEqual(answer['changes'], [change('lines[0].quantity', 240, 230)]);
  assert.equal(answer['corrects_event_id'], recorded.eventId);
});

test('private values count as they were corrected last', async () => {
  const recorded = await record({
    event_type: 'SELL',
    notes: 'first',
    lines: [aLine({ direction: 'out', customer_ref: 'CUST-1', channel: 'store' })],
  });
  const fields = ['lines[0].customer_ref', 'lines[0].channel', 'notes'];
  const [customer, channel, notes] = fields as [string, string, string];
  await corrected(
    recorded,
    change(customer, 'CUST-1', 'CUST-2'),
    change(channel, 'store', null),
    change(notes, 'first', 'second'),
  );

  const stale = await correct(recorded, change(customer, 'CUST-1', 'CUST-3'));
  const answer = await corrected(
    recorded,
    change(customer, 'CUST-2', null),
    change(channel, null, 'catering'),
    change(notes, 'second', 'third'),
  );

  assert.equal(stale.status, 400);
  const changes = valueAt(payloadAt(answer['id']), 'correction', 'changes');
  assert.deepEqual(
    fields.map((_field, index) => valueAt(changes, index, 'field')),
    fields,
  );
  assert.equal(valueAt(changes, 1, 'from'), undefined);
  assert.equal(valueAt(changes, 1, 'to'), 'food_service');
});

test('a new instant without an offset is accepted with the warning of posting', async () => {
  const occurredAt = '2026-03-03T08:00:00';
  const posted = await hub.post('/v1/events', anEvent({ occurred_at: occurredAt }));
  const recorded = await record();

  const answer = await corrected(
    recorded,
    change('occurred_at', '2026-03-02T07:15:00+01:00', occurredAt),
  );

  assert.equal(valueAt(answer['warnings'], 0, 'code'), 'no_offset');
  assert.deepEqual(answer['warnings'], posted.json['warnings']);
  assert.equal(valueAt(answer['changes'], 0, 'new_value'), '2026-03-03T08:00:00Z');
});

test('1,000 changes of 1,000 lines are one block of 1,000 transactions', async () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => aLine({ quantity: index + 1 }));
  const recorded = await record({ lines });
  const changes = lines.map((_line, index) => change('quantity', index + 1, index + 0.5));

  const answer = await corrected(recorded, ...changes);

  assert.equal(valueAt(answer['chain'], 'tx_count'), 1_000);
  assert.equal(valueAt(answer['changes'], 999, 'field'), 'lines[999].quantity');
});

test('the audit names the key, the person and the block', async () => {
  const recorded = await record();

  const { id } = await corrected(recorded, change('location', 'BAKERY-1', 'BAKERY-2'));

  const [entry] = storedRows(
    hub.dataDir,
    'select tenant_id, actor, request_id from audit_entries where block_height = ?',
    Number(id),
  );
  assert.equal(entry!['tenant_id'], recorded.tenant);
  assert.match(String(entry!['actor']), /^.+ \(Jane Miller\)$/);
  assert.notEqual(entry!['request_id'], null);
});

// Refusals: 400 with one sentence, and nothing is stored.

async function assertRefused(sent: Promise<Answer>, detail: string): Promise<void> {
  const height = storedHeight(hub.dataDir);

  const answer = await sent;

  assert.equal(answer.status, 400, answer.text);
  assert.deepEqual(answer.json, { detail });
  assert.equal(storedHeight(hub.dataDir), height);
}

const NO_EVENT = 'corrects_event_id names no event of this tenant';
const MOVE = change('location', 'BAKERY-1', 'BAKERY-2');

test('an event that does not exist cannot be corrected', async () => {
  await assertRefused(send(newTenant(), request(1_000_000, [MOVE])), NO_EVENT);
});

test("another tenant's event is answered as if it did not exist", async () => {
  const { eventId } = await record();

  await assertRefused(send(newTenant(), request(eventId, [MOVE])), NO_EVENT);
});

test("another tenant's correction is answered as if it did not exist", async () => {
  const { id } = await corrected(await record(), MOVE);

  await assertRefused(send(newTenant(), request(Number(id), [MOVE])), NO_EVENT);
});

test('an event of the type CORRECTION cannot be corrected', async () => {
  const recorded = await record({ event_type: 'CORRECTION' });

  await assertRefused(
    correct(recorded, MOVE),
    'corrects_event_id names a CORRECTION, which cannot be corrected',
  );
});

test('a correction cannot be corrected', async () => {
  const { tenant, eventId } = await record();
  const { id } = await corrected({ tenant, eventId }, MOVE);

  await assertRefused(
    send(tenant, request(Number(id), [MOVE])),
    'corrects_event_id names a CORRECTION, which cannot be corrected',
  );
});

test('a voided event cannot be corrected further', async () => {
  const recorded = await record();
  await corrected(recorded, change('status', 'accepted', 'voided'));

  for (const one of [MOVE, change('status', 'voided', 'accepted')]) {
    await assertRefused(
      correct(recorded, one),
      'The event is voided and cannot be corrected further',
    );
  }
});

test('an event that is shown as corrected is voided from either word', async () => {
  for (const word of ['corrected', 'accepted']) {
    const recorded = await record();
    await corrected(recorded, MOVE);

    const answer = await corrected(recorded, change('status', word, 'voided'));

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
    const recorded = await record({ lines: [aLine(), aLine({ quantity: 7 })] });

    await assertRefused(correct(recorded, ...changes), detail);
  });
}

test('no refusal repeats a value', async () => {
  const recorded = await record({
    event_type: 'SELL',
    lines: [aLine({ direction: 'out', customer_ref: 'Qwzsecret', channel: 'Qwzsecret' })],
  });

  const answers = [
    await correct(recorded, change('lines[0].customer_ref', 'Qwzguess', 'Qwzother')),
    await correct(recorded, change('customer_ref', 'Qwzguess', 'Qwzother')),
    await correct(recorded, change('Qwzfield', 'Qwzguess', 'Qwzother')),
    await correct(recorded, change('lines[0].customer_ref', 'Qwzguess', ['Qwzother'])),
    await correct(recorded, change('lines[0].channel', 'Qwzsecret', 'Qwzsecret')),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 400, 400, 422, 400],
  );
  for (const { text } of answers) assert.ok(!text.includes('Qwz'), text);
});

// Fields of the request: 422, all at once.

test('everything that is wrong with a request is named at once', async () => {
  const { tenant } = await record();

  const answer = await send(tenant, {
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
  const answer = await send(newTenant(), request(1_000_000, [change('colour', [], 1)]));

  assert.equal(answer.status, 422);
});

for (const name of ['old_value', 'new_value']) {
  test(`a number that a double cannot hold is a 422 at ${name}`, async () => {
    const { tenant, eventId } = await record();
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
  const { tenant } = await record();

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

  const answer = await send(newTenant(), request(1, changes));

  assert.equal(answer.status, 413);
});

test('the tenant key and the tenant id are demanded', async () => {
  const { tenant, eventId } = await record();
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
    ...['201', '400', '401', '413', '415', '422', '429', '503'],
  ]);
});

// Private values.

const SECRETS = ['Qwzbefore', 'Qwzafter', 'Qwzperson'] as const;
const [BEFORE, AFTER, PERSON] = SECRETS;

test('what is private in a correction stands in commitments and in no public answer', async () => {
  const { tenant, eventId } = await record({
    event_type: 'SELL',
    notes: `${BEFORE} notes`,
    lines: [
      aLine({
        lot_code: 'LOT-Q',
        direction: 'out',
        customer_ref: BEFORE,
        channel: `web ${BEFORE}`,
      }),
    ],
  });

  const { status, json } = await send(tenant, {
    ...request(eventId, [
      change('lines[0].customer_ref', BEFORE, AFTER),
      change('lines[0].channel', `web ${BEFORE}`, `store ${AFTER}`),
      change('notes', `${BEFORE} notes`, `${AFTER} notes`),
    ]),
    requested_by: PERSON,
  });

  assert.equal(status, 201);
  const correction = valueAt(payloadAt(json['id']), 'correction');
  const rows = storedRows(
    hub.dataDir,
    'select change_no, from_text, to_text, salt from private_changes ' +
      'where height = ? order by change_no',
    Number(json['id']),
  );
  const commitments = rows.map(({ from_text: from, to_text: to, salt }) =>
    sha256(String(jcs({ from, salt, to }))),
  );
  assert.deepEqual(valueAt(correction, 'changes'), [
    { field: 'lines[0].customer_ref', private: commitments[0] },
    { field: 'lines[0].channel', from: 'online', private: commitments[1], to: 'retail' },
    { field: 'notes', private: commitments[2] },
  ]);
  const addresses = [
    ...[json['id'], eventId].flatMap((id) => [`/public/explorer/block/${String(id)}`]),
    ...['/public/explorer', '/public/explorer/blocks', '/public/explorer/transactions'],
    ...['/public/explorer/lot/LOT-Q', '/public/verify/LOT-Q', `/lot/LOT-Q?brand=${tenant}`],
    ...SECRETS.map((secret) => `/public/explorer/search?q=${secret}`),
  ];
  for (const address of addresses) {
    const { text, status: found } = await hub.call(address);
    assert.equal(found, 200, address);
    for (const secret of SECRETS) assert.ok(!text.includes(secret), `${address} shows ${secret}`);
  }
});

test('the log at its most talkative holds no private value of a correction', async () => {
  await using talkative = await boot({ env: { LOG_LEVEL: 'trace' } });
  const event = anEvent({
    event_type: 'SELL',
    lines: [aLine({ direction: 'out', customer_ref: BEFORE })],
  });
  const { json } = await talkative.post('/v1/events', event);
  const body = {
    ...request(Number(json['id']), [change('lines[0].customer_ref', BEFORE, AFTER)]),
    requested_by: PERSON,
  };

  const answers = [
    await talkative.post('/v1/corrections', body),
    await talkative.post('/v1/corrections', body),
    await talkative.post('/v1/corrections', { ...body, reason: '' }),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 400, 422],
  );
  const log = talkative.log();
  for (const secret of SECRETS) assert.ok(!log.includes(secret), secret);
});

// Corrections that meet.

test('of racing corrections of one field one wins, and the others are told', async () => {
  const recorded = await record();
  const wanted = Array.from({ length: 10 }, (_, index) => index + 1);

  const answers = await Promise.all(
    wanted.map((quantity) => correct(recorded, change('lines[0].quantity', 250.5, quantity))),
  );

  const accepted = answers.filter(({ status }) => status === 201);
  assert.equal(accepted.length, 1);
  for (const { status, json } of answers.filter((answer) => answer !== accepted[0])) {
    assert.equal(status, 400);
    assert.deepEqual(json, {
      detail: 'changes[0].old_value is not the value that lines[0].quantity has now',
    });
  }
  const winner = valueAt(accepted[0]!.json['changes'], 0, 'new_value');
  await corrected(recorded, change('lines[0].quantity', winner, 77));
  assert.equal(findChainFault(hub.dataDir), undefined);
});

test('racing corrections of different fields all win, each after the one before', async () => {
  const lines = Array.from({ length: 10 }, (_, index) => aLine({ quantity: index + 1 }));
  const recorded = await record({ lines });

  const answers = await Promise.all(
    lines.map((line, index) =>
      correct(recorded, change(`lines[${index}].quantity`, line['quantity'], 100 + index)),
    ),
  );

  assert.deepEqual(
    answers.map(({ status }) => status),
    lines.map(() => 201),
  );
  const heights = answers.map(({ json }) => Number(json['id']));
  assert.equal(new Set(heights).size, lines.length);
  assert.equal(findChainFault(hub.dataDir), undefined);
  await corrected(
    recorded,
    ...lines.map((_line, index) => change(`lines[${index}].quantity`, 100 + index, 0)),
  );
});

test('a correction that always comes second is given up as busy, after a bound', async () => {
  await using ledger = await openTestLedger();
  const [eventId = 0] = await ledger.record([eventOf('RECEIVE', [lineOf('in', 'FLOUR-1')])]);
  let attempts = 0;
  const alwaysStale = {
    correct: () => {
      attempts += 1;
      return Promise.resolve({ kind: 'stale' as const });
    },
  };

  const sent = correctEvent(
    {
      corrects_event_id: eventId,
      reason: 'typing error',
      requested_by: 'Jane Miller',
      changes: [{ field: 'unit', old_value: 'kg', new_value: 'g' }],
    },
    {
      tenantId: 'bakery',
      caller: { actor: 'erp', requestId: null },
      store: alwaysStale,
      reader: ledger.reader,
      newSalt,
    },
  );

  await assert.rejects(sent, (error) => {
    assert.ok(error instanceof DatabaseError);
    assert.equal(error.code, 'database_busy');
    return true;
  });
  assert.ok(attempts > 1 && attempts <= 100, `${attempts} attempts`);
});
