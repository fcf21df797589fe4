// Every refusal of docs/interface/traceability.md#refusals: its status, its shape, and that nothing is
// stored. The order of the checks is in keys.test.ts, the rate limit in rate-limit.test.ts.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, valueAt, type Answer } from '../boot.ts';
import { rawRequest, requestText } from '@lothub/kit/test/raw-request';
import { storedHeight } from '../stored.ts';

const MEBIBYTE = 1_048_576;
const JSON_TYPE = { 'Content-Type': 'application/json' };

const hub = await openForFile(boot());
before(async () => {
  await hub.post('/v1/events', anEvent());
});

/** One sentence under `detail`, and nothing else. */
function assertSentence(answer: Answer, status: number): void {
  assert.equal(answer.status, status, answer.text);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  assert.deepEqual(Object.keys(answer.json), ['detail']);
  assert.match(String(valueAt(answer.json, 'detail')), /^[A-Z].*[^.]$/s);
}

interface Found {
  readonly loc: string;
  readonly type: string;
}

/** Field errors as `body.lines.0.unit`, once their shape has been checked. */
function listFields(answer: Answer): readonly Found[] {
  assert.equal(answer.status, 422, answer.text);
  assert.deepEqual(Object.keys(answer.json), ['detail']);
  const detail = answer.json['detail'];
  assert.ok(Array.isArray(detail) && detail.length > 0);
  return detail.map((error: unknown) => {
    assert.deepEqual(Object.keys(error as object).toSorted(), ['loc', 'msg', 'type']);
    const loc = valueAt(error, 'loc');
    assert.ok(Array.isArray(loc) && loc.every((part) => /^(string|number)$/.test(typeof part)));
    assert.ok(typeof valueAt(error, 'msg') === 'string');
    return { loc: loc.join('.'), type: String(valueAt(error, 'type')) };
  });
}

function sendBody(body: string | Uint8Array<ArrayBuffer>, headers = JSON_TYPE): Promise<Answer> {
  return hub.call('/v1/events', { method: 'POST', headers, body });
}

for (const field of ['event_type', 'occurred_at', 'location', 'reference', 'lines']) {
  test(`an event without ${field} is a 422 that names it`, async () => {
    const answer = await hub.post('/v1/events', anEvent({ [field]: undefined }));

    assert.deepEqual(listFields(answer), [{ loc: `body.${field}`, type: 'missing' }]);
  });
}

for (const field of ['lot_code', 'product_sku', 'direction', 'quantity', 'unit']) {
  test(`a line without ${field} is a 422 that names it`, async () => {
    const lines = [aLine(), aLine({ [field]: undefined })];

    const answer = await hub.post('/v1/events', anEvent({ lines }));

    assert.deepEqual(listFields(answer), [{ loc: `body.lines.1.${field}`, type: 'missing' }]);
  });
}

test('a 422 names its field: a negative quantity', async () => {
  const answer = await hub.post('/v1/events', anEvent({ lines: [aLine({ quantity: -1 })] }));

  assert.equal(answer.status, 422);
  assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), ['body', 'lines', 0, 'quantity']);
  assert.equal(valueAt(answer.json, 'detail', 0, 'type'), 'greater_than_equal');
});

test('all errors of a request are named at once', async () => {
  const answer = await hub.post('/v1/events', {
    event_type: 'EAT',
    location: '',
    reference: 5,
    colour: 'red',
    lines: [{ ...aLine({ quantity: -1, unit: undefined }), weight: 3 }, 'line'],
  });

  assert.deepEqual(
    listFields(answer)
      .map(({ loc, type }) => `${loc} ${type}`)
      .toSorted(),
    [
      'body.colour extra_forbidden',
      'body.event_type enum',
      'body.lines.0.quantity greater_than_equal',
      'body.lines.0.unit missing',
      'body.lines.0.weight extra_forbidden',
      'body.lines.1 dict_type',
      'body.location string_too_short',
      'body.occurred_at missing',
      'body.reference string_type',
    ],
  );
});

test('no refusal echoes what was sent', async () => {
  const secret = 'Zw1ebel';
  const line = aLine({ direction: secret, quantity: secret, unit: secret.repeat(5) });
  const event = anEvent({ event_type: secret, occurred_at: secret, location: '', lines: [line] });
  const answers = [
    await hub.post('/v1/events', event),
    await hub.post('/v1/events/batch', { events: [event, secret] }),
    await hub.call(`/v1/events?limit=${secret}`),
    await sendBody(`{"${secret}`),
    await sendBody(secret, { 'Content-Type': 'text/plain' }),
    await hub.call(`/v1/${secret}`),
    await hub.call('/v1/events', { headers: { 'X-Api-Key': secret } }),
    await hub.call('/v1/events', { headers: { 'X-Tenant-Id': `${secret} ` + '/' } }),
    await hub.call(`/public/verify/${secret}`),
    await hub.call(`/%${secret}`),
  ];

  for (const answer of answers) {
    assert.ok(answer.status >= 400 && answer.status < 500, answer.text);
    assert.ok(!answer.text.includes(secret), answer.text);
  }
});

/** Longest texts that are taken. */
const LENGTHS: readonly (readonly [string, number])[] = [
  ['external_id', 200],
  ['location', 200],
  ['reference', 200],
  ['notes', 2_000],
  ['lines.0.lot_code', 100],
  ['lines.0.product_sku', 100],
  ['lines.0.unit', 20],
  ['lines.0.customer_ref', 200],
  ['lines.0.channel', 200],
  ['lines.0.supplier_name', 200],
  ['lines.0.origin_facility', 200],
  ['lines.0.supplier_lot_code', 200],
];

function eventWith(field: string, value: unknown): Record<string, unknown> {
  const inLine = field.split('.')[2];
  return inLine === undefined
    ? anEvent({ [field]: value })
    : anEvent({ event_type: 'SELL', lines: [aLine({ [inLine]: value })] });
}

for (const [field, most] of LENGTHS) {
  test(`${field} has 1 to ${most} characters`, async () => {
    const post = (value: string): Promise<Answer> =>
      hub.post('/v1/events', eventWith(field, value));

    const longest = await post('x'.repeat(most));
    const longestOfEmoji = await post('🍞'.repeat(most));
    const tooLong = await post('x'.repeat(most + 1));
    const empty = await post('');

    assert.equal(longest.status, 201, longest.text);
    assert.equal(longestOfEmoji.status, 201, longestOfEmoji.text);
    assert.deepEqual(listFields(tooLong), [{ loc: `body.${field}`, type: 'string_too_long' }]);
    assert.deepEqual(listFields(empty), [{ loc: `body.${field}`, type: 'string_too_short' }]);
  });
}

test('an event has 1 to 1,000 lines', async () => {
  const post = (count: number): Promise<Answer> =>
    hub.post('/v1/events', anEvent({ lines: Array.from({ length: count }, () => aLine()) }));

  const most = await post(1_000);
  const tooMany = await post(1_001);
  const none = await post(0);

  assert.equal(most.status, 201);
  assert.equal(valueAt(most.json, 'chain', 'tx_count'), 1_000);
  assert.deepEqual(listFields(tooMany), [{ loc: 'body.lines', type: 'too_long' }]);
  assert.deepEqual(listFields(none), [{ loc: 'body.lines', type: 'too_short' }]);
});

/** An event whose JSON text has exactly this many bytes. */
function eventOfBytes(bytes: number): string {
  const text = JSON.stringify(anEvent());
  return text.slice(0, -1) + ' '.repeat(bytes - text.length) + '}';
}

test('a body of 1 MiB is taken and one of a byte more is a 413', async () => {
  const largest = await sendBody(eventOfBytes(MEBIBYTE));
  const tooLarge = await sendBody(eventOfBytes(MEBIBYTE + 1));

  assert.equal(largest.status, 201);
  assertSentence(tooLarge, 413);
});

test('a body that grows over the limit without saying its length is a 413', async () => {
  const chunk = `100000\r\n${' '.repeat(MEBIBYTE)}\r\n`;

  const answer = await rawRequest(
    hub.base,
    requestText('POST /v1/events', [
      'Content-Type: application/json',
      'X-Api-Key: test-tenant-key-0123456789abcdef',
      'X-Tenant-Id: acme',
      'Transfer-Encoding: chunked',
    ]) + `${chunk}2\r\n{}\r\n0\r\n\r\n`,
  );

  assert.equal(answer.status, 413);
  assert.match(answer.body, /^\{"detail":"[^"]+"\}$/);
});

for (const [name, body] of [
  ['text that is no JSON', 'event'],
  ['broken JSON', '{"event_type": "RECEIVE"'],
  ['JSON with a trailing comma', '[1,]'],
  ['nothing', ''],
  ['two values', '{} {}'],
  ['bytes that are not UTF-8', new Uint8Array([0x22, 0xc3, 0x28, 0x22])],
  ['an overlong UTF-8 sequence', new Uint8Array([0x22, 0xc0, 0xaf, 0x22])],
  ['UTF-8 of a surrogate', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
] as const) {
  test(`a body of ${name} is a 422 json_invalid`, async () => {
    const answer = await sendBody(body);

    assert.deepEqual(listFields(answer), [{ loc: 'body', type: 'json_invalid' }]);
  });
}

for (const body of ['null', '5', '"event"', '[]', 'true']) {
  test(`a body of ${body} is a 422 of the whole body`, async () => {
    const answer = await sendBody(body);

    assert.deepEqual(listFields(answer), [{ loc: 'body', type: 'dict_type' }]);
  });
}

test('unknown fields are refused, whatever their name', async () => {
  const names = ['weight', 'Notes', 'lot_code', '__proto__', 'constructor', 'a/b~c', ''];

  for (const name of names) {
    const event = JSON.stringify(anEvent()).replace(/\}$/, `,${JSON.stringify(name)}:1}`);
    const answer = await sendBody(event);
    assert.deepEqual(listFields(answer), [{ loc: `body.${name}`, type: 'extra_forbidden' }]);
  }
});

for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'x']) {
  test(`a body of type ${type} is a 415`, async () => {
    const answer = await sendBody(JSON.stringify(anEvent()), { 'Content-Type': type });

    assertSentence(answer, 415);
  });
}

test('a charset after the media type is accepted', async () => {
  const type = { 'Content-Type': 'application/json; charset=utf-8' };

  const answer = await sendBody(JSON.stringify(anEvent()), type);

  assert.equal(answer.status, 201);
});

test('a path that does not exist is a 404', async () => {
  for (const path of ['/v1/nothing', '/public/nothing', '/nothing', '/v2/events']) {
    assertSentence(await hub.call(path), 404);
  }
});

test('an unknown lot or block is a 404', async () => {
  for (const path of [
    '/public/verify/NO-LOT',
    '/public/explorer/lot/NO-LOT',
    '/public/explorer/block/999999',
  ]) {
    assertSentence(await hub.call(path), 404);
  }
});

for (const [method, path, allowed] of [
  ['DELETE', '/v1/events', 'GET, HEAD, POST'],
  ['PUT', '/v1/events', 'GET, HEAD, POST'],
  ['GET', '/v1/events/batch', 'POST'],
  ['POST', '/v1/brand', 'GET, HEAD, PATCH'],
  ['POST', '/v1/products/RYE', 'DELETE, GET, HEAD, PUT'],
  ['POST', '/public/pictures/a', 'GET, HEAD'],
  ['POST', '/health', 'GET, HEAD'],
  ['POST', '/public/explorer', 'GET, HEAD'],
  ['PROPFIND', '/public/verify/FLOUR-1', 'GET, HEAD'],
] as const) {
  test(`${method} ${path} is a 405 that says what is allowed`, async () => {
    const answer = await hub.call(path, { method });

    assertSentence(answer, 405);
    const allow = answer.headers.get('allow') ?? '';
    assert.equal(allow.split(', ').toSorted().join(', '), allowed);
  });
}

test('an address with a broken escape is a 400', async () => {
  for (const path of ['/public/verify/%zz', '/v1/%c3', '/%', '/public/verify/%E0%A4%A']) {
    assertSentence(await hub.call(path), 400);
  }
});

test('a path part of any length is refused in the documented shape', async () => {
  for (const length of [201, 3_000, 12_000]) {
    const answer = await hub.call(`/public/verify/${'x'.repeat(length)}`);
    assert.ok([400, 404, 422].includes(answer.status), `${length}: ${answer.status}`);
    assert.deepEqual(Object.keys(answer.json), ['detail']);
  }
});

for (const [name, bytes] of [
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['an unknown method', requestText('EAT /health')],
  ['a header without a colon', requestText('GET /health', ['nonsense'])],
  ['two lengths', requestText('POST /v1/events', ['Content-Length: 5', 'Content-Length: 6'])],
  ['a negative length', requestText('POST /v1/events', ['Content-Length: -1'])],
  ['headers without end', requestText('GET /health', [`X-Long: ${'x'.repeat(100_000)}`])],
] as const) {
  test(`${name} is answered in the documented shape`, async () => {
    const answer = await rawRequest(hub.base, bytes);

    assert.ok(answer.status >= 400 && answer.status < 500, answer.head);
    assert.match(answer.head, /content-type: application\/json/i);
    assert.match(answer.body, /^\{"detail":"[^"]+"\}$/);
  });
}

/** Events that may wait for the disk; one more is refused. */
const QUEUE_EVENTS_MAX = 20_000;

async function refusal(post: Promise<Answer>): Promise<Answer> {
  const answer = await post;
  if (answer.status < 500) throw new Error('this one was accepted');
  return answer;
}

test('a full write queue is a 503 that says when to come back, and stores nothing', async () => {
  await using busy = await boot();
  const batch = Array.from({ length: 1_000 }, (_, index) => anEvent({ external_id: `q-${index}` }));
  const body = JSON.stringify(batch);
  const postBatch = (): Promise<Answer> =>
    busy.call('/v1/events/batch', { method: 'POST', headers: JSON_TYPE, body });
  await postBatch();
  const height = await storedHeight(busy.database);

  // Another process holds the database, so nothing that is accepted leaves the queue.
  const held = await busy.database.holdWrites();
  const posts = Array.from({ length: QUEUE_EVENTS_MAX / 1_000 + 1 }, postBatch);
  const refused = await Promise.any(posts.map(refusal));
  await held[Symbol.asyncDispose]();

  assertSentence(refused, 503);
  assert.match(refused.text, /queue is full/);
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  const statuses = (await Promise.all(posts)).map(({ status }) => status);
  assert.deepEqual(new Set(statuses), new Set([200, 503]));
  assert.equal(await storedHeight(busy.database), height);
});

test('a database that another process holds too long is a 503, and the next try succeeds', async () => {
  await using busy = await boot();
  const event = anEvent({ external_id: 'held' });
  const held = await busy.database.holdWrites();

  const refused = await busy.post('/v1/events', event);
  await held[Symbol.asyncDispose]();
  const accepted = await busy.post('/v1/events', event);

  assertSentence(refused, 503);
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  assert.equal(accepted.status, 201);
  assert.equal(accepted.json['id'], 1);
});

test('none of these refusals has stored anything', async () => {
  const height = await storedHeight(hub.database);
  await hub.post('/v1/events', { ...anEvent(), colour: 'red' });
  await sendBody('{');
  await sendBody('{}', { 'Content-Type': 'text/plain' });
  await hub.post('/v1/events', anEvent({ lines: [] }));

  assert.equal(await storedHeight(hub.database), height);
});
