// POST /v1/corrections over HTTP, what is accepted: written from docs/interface/traceability.md#corrections
// and docs/chain-format.md. Each rule by itself is tested beside the rule.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import jcs from 'canonicalize';
import { DatabaseError } from '@lothub/kit/database';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { correctEvent } from '../../src/corrections/correct.ts';
import { aLine, anEvent, boot, valueAt } from '../boot.ts';
import { change, correct, corrected, record, request, send } from './correction-requests.ts';
import { makeEvent, makeLine, openTestLedger } from '../ledger.ts';
import { findChainFault, storedBlock } from '../stored.ts';

const hub = await openForFile(boot());

async function payloadAt(height: unknown): Promise<unknown> {
  return valueAt(
    JSON.parse((await storedBlock(hub.database, Number(height))).canonical),
    'payload',
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

// Acceptance.

test('a correction is answered with what it corrects and its own block', async () => {
  const recorded = await record(hub);
  const { blockHash } = await storedBlock(hub.database, recorded.eventId);

  const answer = await corrected(hub, recorded, change('lines[0].quantity', 250.5, 240));

  const id = Number(answer['id']);
  const block = await storedBlock(hub.database, id);
  const { log, ...correction } = answer;
  assert.deepEqual(Object.keys(log!), ['origin', 'index', 'size', 'witnessed', 'proof']);
  assert.deepEqual(correction, {
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
  const recorded = await record(hub);
  const original = await storedBlock(hub.database, recorded.eventId);

  const { id } = await corrected(
    hub,
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
  const [row] = await hub.database.rows(
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
  const recorded = await record(hub, { notes: 'dry' });
  const original = await storedBlock(hub.database, recorded.eventId);
  const { json: shown } = await hub.call(`/public/explorer/block/${recorded.eventId}`);

  await corrected(
    hub,
    recorded,
    change('notes', 'dry', null),
    change('lines[0].lot_code', 'FLOUR-1', 'FLOUR-2'),
    change('status', 'accepted', 'voided'),
  );

  assert.deepEqual(await storedBlock(hub.database, recorded.eventId), original);
  const { json: after } = await hub.call(`/public/explorer/block/${recorded.eventId}`);
  for (const field of ['height', 'block_hash', 'canonical', 'prev_hash', 'recorded_at']) {
    assert.deepEqual(after[field], shown[field], field);
  }
  assert.equal(await findChainFault(hub.database), undefined);
});

for (const field of ['lines[1].unit', 'lines.1.unit', '/lines/1/unit', 'unit']) {
  test(`the field may be written ${field}`, async () => {
    const recorded = await record(hub, { lines: [aLine(), aLine({ unit: 'bag' })] });

    const answer = await corrected(hub, recorded, change(field, 'bag', 'sack'));

    const expected = { field: 'lines[1].unit', old_value: 'bag', new_value: 'sack' };
    assert.deepEqual(answer['changes'], [expected]);
    assert.deepEqual(valueAt(await payloadAt(answer['id']), 'correction', 'changes'), [
      { field: 'lines[1].unit', from: 'bag', to: 'sack' },
    ]);
  });
}

for (const field of ['reference', '/reference']) {
  test(`a field of the event may be written ${field}`, async () => {
    const answer = await corrected(hub, await record(hub), change(field, 'PO-1', 'PO-2'));

    assert.equal(valueAt(answer['changes'], 0, 'field'), 'reference');
  });
}

test('every field that can be corrected is corrected in one request', async () => {
  const recorded = await record(hub, {
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

  const answer = await corrected(hub, recorded, ...changes);

  assert.deepEqual(answer['changes'], changes);
  assert.equal(valueAt(answer['chain'], 'tx_count'), changes.length);
});

test('a text of digits stays a text in the answer', async () => {
  const recorded = await record(hub, { reference: '4711' });

  const answer = await corrected(hub, recorded, change('reference', '4711', '0815'));

  assert.deepEqual(answer['changes'], [change('reference', '4711', '0815')]);
});

test('what was corrected is corrected again from the value that counts now', async () => {
  const recorded = await record(hub);
  await corrected(hub, recorded, change('lines[0].quantity', 250.5, 240));

  const refused = await correct(hub, recorded, change('lines[0].quantity', 250.5, 230));
  const answer = await corrected(hub, recorded, change('quantity', 240, 230));

  assert.equal(refused.status, 400);
  assert.deepEqual(answer['changes'], [change('lines[0].quantity', 240, 230)]);
  assert.equal(answer['corrects_event_id'], recorded.eventId);
});

test('private values count as they were corrected last', async () => {
  const recorded = await record(hub, {
    event_type: 'SELL',
    notes: 'first',
    lines: [aLine({ direction: 'out', customer_ref: 'CUST-1', channel: 'store' })],
  });
  const fields = ['lines[0].customer_ref', 'lines[0].channel', 'notes'];
  const [customer, channel, notes] = fields as [string, string, string];
  await corrected(
    hub,
    recorded,
    change(customer, 'CUST-1', 'CUST-2'),
    change(channel, 'store', null),
    change(notes, 'first', 'second'),
  );

  const stale = await correct(hub, recorded, change(customer, 'CUST-1', 'CUST-3'));
  const answer = await corrected(
    hub,
    recorded,
    change(customer, 'CUST-2', null),
    change(channel, null, 'catering'),
    change(notes, 'second', 'third'),
  );

  assert.equal(stale.status, 400);
  const changes = valueAt(await payloadAt(answer['id']), 'correction', 'changes');
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
  const recorded = await record(hub);

  const answer = await corrected(
    hub,
    recorded,
    change('occurred_at', '2026-03-02T07:15:00+01:00', occurredAt),
  );

  assert.equal(valueAt(answer['warnings'], 0, 'code'), 'no_offset');
  assert.deepEqual(answer['warnings'], posted.json['warnings']);
  assert.equal(valueAt(answer['changes'], 0, 'new_value'), '2026-03-03T08:00:00Z');
});

test('1,000 changes of 1,000 lines are one block of 1,000 transactions', async () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => aLine({ quantity: index + 1 }));
  const recorded = await record(hub, { lines });
  const changes = lines.map((_line, index) => change('quantity', index + 1, index + 0.5));

  const answer = await corrected(hub, recorded, ...changes);

  assert.equal(valueAt(answer['chain'], 'tx_count'), 1_000);
  assert.equal(valueAt(answer['changes'], 999, 'field'), 'lines[999].quantity');
});

test('the audit names the key, the person and the block', async () => {
  const recorded = await record(hub);

  const { id } = await corrected(hub, recorded, change('location', 'BAKERY-1', 'BAKERY-2'));

  const [entry] = await hub.database.rows(
    'select tenant_id, actor, request_id from audit_entries where block_height = ?',
    Number(id),
  );
  assert.equal(entry!['tenant_id'], recorded.tenant);
  assert.match(String(entry!['actor']), /^.+ \(Jane Miller\)$/);
  assert.notEqual(entry!['request_id'], null);
});

// Private values.

const SECRETS = ['Qwzbefore', 'Qwzafter', 'Qwzperson'] as const;
const [BEFORE, AFTER, PERSON] = SECRETS;

test('what is private in a correction is in commitments and in no public answer', async () => {
  const { tenant, eventId } = await record(hub, {
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

  const { status, json } = await send(hub, tenant, {
    ...request(eventId, [
      change('lines[0].customer_ref', BEFORE, AFTER),
      change('lines[0].channel', `web ${BEFORE}`, `store ${AFTER}`),
      change('notes', `${BEFORE} notes`, `${AFTER} notes`),
    ]),
    requested_by: PERSON,
  });

  assert.equal(status, 201);
  const correction = valueAt(await payloadAt(json['id']), 'correction');
  const rows = await hub.database.rows(
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
  const recorded = await record(hub);
  const wanted = Array.from({ length: 10 }, (_, index) => index + 1);

  const answers = await Promise.all(
    wanted.map((quantity) => correct(hub, recorded, change('lines[0].quantity', 250.5, quantity))),
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
  await corrected(hub, recorded, change('lines[0].quantity', winner, 77));
  assert.equal(await findChainFault(hub.database), undefined);
});

test('racing corrections of different fields all win, each after the one before', async () => {
  const lines = Array.from({ length: 10 }, (_, index) => aLine({ quantity: index + 1 }));
  const recorded = await record(hub, { lines });

  const answers = await Promise.all(
    lines.map((line, index) =>
      correct(hub, recorded, change(`lines[${index}].quantity`, line['quantity'], 100 + index)),
    ),
  );

  assert.deepEqual(
    answers.map(({ status }) => status),
    lines.map(() => 201),
  );
  const heights = answers.map(({ json }) => Number(json['id']));
  assert.equal(new Set(heights).size, lines.length);
  assert.equal(await findChainFault(hub.database), undefined);
  await corrected(
    hub,
    recorded,
    ...lines.map((_line, index) => change(`lines[${index}].quantity`, 100 + index, 0)),
  );
});

test('a correction that always comes second is given up as busy, after a bound', async () => {
  await using ledger = await openTestLedger();
  const [eventId = 0] = await ledger.record([makeEvent('RECEIVE', [makeLine('in', 'FLOUR-1')])]);
  let attempts = 0;
  const alwaysStale = {
    correct: () => {
      attempts += 1;
      const outcomes = [{ kind: 'stale' as const }];
      return Promise.resolve({ outcomes, tip: { height: 0, hash: '' }, log: undefined });
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
