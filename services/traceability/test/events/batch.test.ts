// POST /v1/events/batch: all or nothing, or the good ones. Written from the decisions on events.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, newTenant, valueAt, type Answer } from '../boot.ts';
import { findChainFault, storedBlock, storedHeight } from '../stored.ts';

const MEBIBYTE = 1_048_576;

const hub = await openForFile(boot());

async function postBatch(body: unknown, tenant = newTenant(), query = ''): Promise<Answer> {
  return await hub.post(`/v1/events/batch${query}`, body, { 'X-Tenant-Id': tenant });
}

/** One value of each result, in order. */
function ofResults(answer: Answer, field: string): readonly unknown[] {
  const results = valueAt(answer.json, 'results');
  assert.ok(Array.isArray(results), answer.text);
  return results.map((result) => valueAt(result, field));
}

function counts(answer: Answer): readonly unknown[] {
  return ['status', 'total', 'accepted', 'duplicates', 'rejected'].map(
    (field) => answer.json[field],
  );
}

const named = (id: string, changes: Readonly<Record<string, unknown>> = {}) =>
  anEvent({ external_id: id, ...changes });

test('the answer has exactly the documented fields', async () => {
  const answer = await postBatch({
    events: [named('a'), anEvent({ occurred_at: '2026-03-02T07:15:00' })],
  });

  const height = await storedHeight(hub.database);
  const blocks = [
    await storedBlock(hub.database, height - 1),
    await storedBlock(hub.database, height),
  ];
  const fields = (index: number) => ({
    index,
    status: 'accepted',
    id: blocks[index]!.height,
    block_height: blocks[index]!.height,
    block_hash: blocks[index]!.blockHash,
    errors: [],
  });
  assert.equal(answer.status, 201);
  const { log, ...batch } = answer.json;
  assert.deepEqual(Object.keys(log!), ['origin', 'size', 'checkpoint']);
  assert.deepEqual(batch, {
    status: 'accepted',
    total: 2,
    accepted: 2,
    duplicates: 0,
    rejected: 0,
    results: [
      { ...fields(0), external_id: 'a', warnings: [] },
      {
        ...fields(1),
        external_id: null,
        warnings: [{ code: 'no_offset', message: 'occurred_at has no offset and was read as UTC' }],
      },
    ],
    chain: { height, tip_hash: blocks[1]!.blockHash, chain_valid: true },
  });
});

test('a bare array is a batch too', async () => {
  const answer = await postBatch([anEvent(), anEvent()]);

  assert.deepEqual(counts(answer), ['accepted', 2, 2, 0, 0]);
});

test('the events of a batch become blocks in their order', async () => {
  const answer = await postBatch(['a', 'b', 'c'].map((id) => named(id)));

  const heights = ofResults(answer, 'block_height').map(Number);
  assert.deepEqual(
    heights,
    heights.map((_, index) => heights[0]! + index),
  );
  const blocks = await Promise.all(heights.map((height) => storedBlock(hub.database, height)));
  const external = blocks.map(({ canonical }) =>
    valueAt(JSON.parse(canonical), 'payload', 'event', 'external_id'),
  );
  assert.deepEqual(external, ['a', 'b', 'c']);
});

test('a batch that is sent again is a success and appends nothing', async () => {
  const tenant = newTenant();
  const batch = [named('a'), named('b')];
  const first = await postBatch(batch, tenant);
  const height = await storedHeight(hub.database);

  const again = await postBatch(batch, tenant);

  assert.equal(again.status, 200);
  assert.deepEqual(counts(again), ['accepted', 2, 0, 2, 0]);
  assert.deepEqual(ofResults(again, 'status'), ['duplicate', 'duplicate']);
  assert.deepEqual(ofResults(again, 'block_hash'), ofResults(first, 'block_hash'));
  assert.equal(await storedHeight(hub.database), height);
});

test('an event that is twice in a batch is one block', async () => {
  const answer = await postBatch([named('a'), anEvent(), named('a')]);

  assert.deepEqual(counts(answer), ['accepted', 3, 2, 1, 0]);
  assert.deepEqual(ofResults(answer, 'status'), ['accepted', 'accepted', 'duplicate']);
  const [first, , third] = ofResults(answer, 'block_hash');
  assert.equal(first, third);
});

test('a duplicate of an event that was posted alone is found', async () => {
  const tenant = newTenant();
  const single = await hub.post('/v1/events', named('a'), { 'X-Tenant-Id': tenant });

  const answer = await postBatch([named('a'), named('b')], tenant);

  assert.equal(answer.status, 201);
  assert.deepEqual(ofResults(answer, 'status'), ['duplicate', 'accepted']);
  assert.equal(ofResults(answer, 'id')[0], single.json['id']);
});

test('one event with a wrong field refuses the whole batch, naming all wrong fields', async () => {
  const height = await storedHeight(hub.database);

  const answer = await postBatch({
    events: [
      named('a'),
      anEvent({ lines: [aLine(), aLine({ quantity: -1 })] }),
      { ...anEvent({ location: undefined }), colour: 'red' },
      7,
    ],
  });

  assert.equal(answer.status, 422);
  assert.deepEqual(
    (answer.json['detail'] as unknown as readonly { loc: unknown[]; type: string }[])
      .map(({ loc, type }) => `${loc.join('.')} ${type}`)
      .toSorted(),
    [
      'body.events.1.lines.1.quantity greater_than_equal',
      'body.events.2.colour extra_forbidden',
      'body.events.2.location missing',
      'body.events.3 dict_type',
    ],
  );
  assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), [
    'body',
    'events',
    1,
    'lines',
    1,
    'quantity',
  ]);
  assert.equal(await storedHeight(hub.database), height);
});

test('a used external_id with other content refuses the whole batch, naming the index', async () => {
  const tenant = newTenant();
  await hub.post('/v1/events', named('a'), { 'X-Tenant-Id': tenant });
  const height = await storedHeight(hub.database);

  const answer = await postBatch([named('b'), named('a', { location: 'ELSEWHERE' })], tenant);

  assert.equal(answer.status, 400);
  assert.match(String(valueAt(answer.json, 'detail')), /\b1\b.*location/);
  assert.equal(await storedHeight(hub.database), height);
});

test('two events of a batch with one external_id and other content refuse it', async () => {
  const height = await storedHeight(hub.database);

  const answer = await postBatch([named('a'), named('a', { reference: 'PO-9' })]);

  assert.equal(answer.status, 400);
  assert.match(String(valueAt(answer.json, 'detail')), /\b1\b.*reference/);
  assert.equal(await storedHeight(hub.database), height);
});

/** Way and type of each error, in their order. */
function listErrors(list: unknown): readonly string[] {
  return (list as readonly { loc: unknown[]; type: string }[]).map(
    ({ loc, type }) => `${loc.join('.')} ${type}`,
  );
}

test('a batch of conflicts names every one of them, by index and field', async () => {
  const tenant = newTenant();
  await postBatch([named('a'), named('b')], tenant);
  const height = await storedHeight(hub.database);

  const answer = await postBatch(
    [
      named('new'),
      named('a', { location: 'ELSEWHERE' }),
      named('b'),
      named('b', { reference: 'PO-9', notes: 'late' }),
      named('new', { lines: [aLine({ unit: 'bag' })] }),
    ],
    tenant,
  );

  assert.equal(answer.status, 400);
  assert.deepEqual(listErrors(answer.json['errors']), [
    'body.events.1.external_id external_id_conflict',
    'body.events.3.external_id external_id_conflict',
    'body.events.4.external_id external_id_conflict',
  ]);
  const messages = [0, 1, 2].map((place) => valueAt(answer.json, 'errors', place, 'msg'));
  assert.match(String(messages[0]), /differ: location$/);
  assert.match(String(messages[1]), /differ: reference, notes$/);
  assert.match(String(messages[2]), /earlier event of this request.*differ: lines\[0\]\.unit$/);
  assert.match(String(answer.json['detail']), /^events\[1\]: .*\(and 2 more events like it\)$/);
  assert.equal(await storedHeight(hub.database), height);
});

test('wrong fields and conflicts of a batch are named in one round, in the order of its events', async () => {
  const tenant = newTenant();
  await postBatch([named('a')], tenant);
  const height = await storedHeight(hub.database);

  const answer = await postBatch(
    [
      named('a', { location: 'ELSEWHERE' }),
      named('b', { lines: [aLine({ quantity: -1 })] }),
      named('c'),
      named('c', { reference: 'PO-9' }),
      named('d', { occurred_at: 'yesterday', colour: 'red' }),
    ],
    tenant,
  );
  const repaired = await postBatch([named('a'), named('b'), named('c'), named('d')], tenant);

  assert.equal(answer.status, 422);
  assert.deepEqual(listErrors(answer.json['detail']), [
    'body.events.0.external_id external_id_conflict',
    'body.events.1.lines.0.quantity greater_than_equal',
    'body.events.3.external_id external_id_conflict',
    'body.events.4.colour extra_forbidden',
    'body.events.4.occurred_at datetime_parsing',
  ]);
  assert.deepEqual(counts(repaired), ['accepted', 4, 3, 1, 0]);
  assert.equal(await storedHeight(hub.database), height + 3);
});

test('with on_error=proceed the good events are kept and the others explained', async () => {
  const tenant = newTenant();
  await hub.post('/v1/events', named('old'), { 'X-Tenant-Id': tenant });

  const answer = await postBatch(
    {
      events: [
        named('a'),
        named('bad', { lines: [] }),
        named('old'),
        named('old', { notes: 'other content' }),
        named('b'),
      ],
    },
    tenant,
    '?on_error=proceed',
  );

  assert.equal(answer.status, 201);
  assert.deepEqual(counts(answer), ['partially_accepted', 5, 2, 1, 2]);
  assert.deepEqual(ofResults(answer, 'status'), [
    'accepted',
    'rejected',
    'duplicate',
    'rejected',
    'accepted',
  ]);
  assert.deepEqual(valueAt(answer.json, 'results', 1, 'errors', 0, 'loc'), [
    'body',
    'events',
    1,
    'lines',
  ]);
  assert.deepEqual(valueAt(answer.json, 'results', 3, 'errors', 0, 'loc'), [
    'body',
    'events',
    3,
    'external_id',
  ]);
  for (const index of [1, 3]) {
    const result = valueAt(answer.json, 'results', index);
    assert.equal(valueAt(result, 'id'), null);
    assert.equal(valueAt(result, 'block_height'), null);
    assert.equal(valueAt(result, 'block_hash'), null);
  }
});

test('with on_error=proceed and no good event nothing is stored', async () => {
  const height = await storedHeight(hub.database);

  const answer = await postBatch([{}, 1], newTenant(), '?on_error=proceed');

  assert.equal(answer.status, 200);
  assert.deepEqual(counts(answer), ['rejected', 2, 0, 0, 2]);
  assert.equal(valueAt(answer.json, 'chain', 'height'), height);
  assert.equal(await storedHeight(hub.database), height);
});

test('on_error=abort is the default, and any other word a 422', async () => {
  const answer = await postBatch([anEvent()], newTenant(), '?on_error=abort');
  const unknown = await postBatch([anEvent()], newTenant(), '?on_error=ignore');

  assert.equal(answer.status, 201);
  assert.equal(unknown.status, 422);
  assert.deepEqual(valueAt(unknown.json, 'detail', 0, 'loc'), ['query', 'on_error']);
  assert.equal(valueAt(unknown.json, 'detail', 0, 'type'), 'enum');
});

test('a batch has 1 to 1,000 events', async () => {
  const many = (count: number) => Array.from({ length: count }, () => anEvent());

  const most = await postBatch({ events: many(1_000) });
  const tooMany = await postBatch({ events: many(1_001) });
  const none = await postBatch({ events: [] });

  assert.equal(most.status, 201);
  assert.equal(most.json['accepted'], 1_000);
  for (const [answer, type] of [
    [tooMany, 'too_long'],
    [none, 'too_short'],
  ] as const) {
    assert.equal(answer.status, 422);
    assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), ['body', 'events']);
    assert.equal(valueAt(answer.json, 'detail', 0, 'type'), type);
  }
});

for (const [name, body, loc, type] of [
  ['an object without events', {}, ['body', 'events'], 'missing'],
  ['events that are no list', { events: {} }, ['body', 'events'], 'list_type'],
  ['events of null', { events: null }, ['body', 'events'], 'list_type'],
  ['an unknown field', { events: [anEvent()], mode: 'fast' }, ['body', 'mode'], 'extra_forbidden'],
  ['a number', 5, ['body'], 'dict_type'],
  ['null', null, ['body'], 'dict_type'],
] as const) {
  test(`a batch of ${name} is a 422`, async () => {
    const answer = await postBatch(body);

    assert.equal(answer.status, 422);
    assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), loc);
    assert.equal(valueAt(answer.json, 'detail', 0, 'type'), type);
  });
}

test('a batch of 10 MiB is taken and one of a byte more is a 413', async () => {
  const text = JSON.stringify([anEvent()]);
  const ofBytes = (bytes: number) => text.slice(0, -1) + ' '.repeat(bytes - text.length) + ']';
  const send = (body: string): Promise<Answer> =>
    hub.call('/v1/events/batch', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Tenant-Id': newTenant() },
      body,
    });

  const largest = await send(ofBytes(10 * MEBIBYTE));
  const tooLarge = await send(ofBytes(10 * MEBIBYTE + 1));

  assert.equal(largest.status, 201);
  assert.equal(tooLarge.status, 413);
  assert.deepEqual(Object.keys(tooLarge.json), ['detail']);
});

test('the chain that these batches made verifies', async () => {
  assert.equal(await findChainFault(hub.database), undefined);
});
