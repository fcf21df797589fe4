// Input that nobody should send: every answer is a 4xx in the documented shape, nothing is stored,
// the process lives on and its memory stays bounded.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { afterEach, before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { chooseRounds } from '@lothub/kit/test/rounds';
import fc from 'fast-check';
import { ADMIN_KEY, TENANT_KEY, aLine, anEvent, boot, valueAt, type Answer } from '../boot.ts';
import { rawRequest, requestText } from '@lothub/kit/test/raw-request';

const MEBIBYTE = 1_048_576;
const RUNS = { numRuns: chooseRounds({ usual: 20, long: 150 }) } as const;
/** What hostile bodies may add to the memory of service and client together. */
const RSS_GROWTH_MAX_BYTES = 500 * MEBIBYTE;
/** Each body again, so often: what one of them leaks shows by its bytes. */
const HOSTILE_ROUNDS = chooseRounds({ usual: 1, long: 3 });
const JSON_TYPE = { 'Content-Type': 'application/json' };

let stored: string;
const hub = await openForFile(boot());
before(async () => {
  await hub.post('/v1/events', anEvent({ external_id: 'before' }));
  stored = await whatIsStored();
});

afterEach(async () => {
  assert.equal(await whatIsStored(), stored, 'something was stored');
  assert.equal((await hub.call('/health')).status, 200);
});

async function whatIsStored(): Promise<string> {
  const tables = ['blocks', 'events', 'lines', 'lots', 'tenants', 'private_lines', 'head'];
  const counts = await Promise.all(
    tables.map((table) => hub.database.rows(`select count(*) from ${table}`)),
  );
  return JSON.stringify([...counts, await hub.database.rows('select height, hash from head')]);
}

/** A 4xx with `detail`: one sentence, or at most 1,000 field errors. */
function assertRefused(answer: { readonly status: number; readonly text: string }): void {
  assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status}: ${answer.text}`);
  const json: unknown = JSON.parse(answer.text);
  assert.deepEqual(Object.keys(Object(json) as object), ['detail']);
  const detail = valueAt(json, 'detail');
  if (answer.status !== 422) {
    assert.ok(typeof detail === 'string' && detail !== '');
    return;
  }
  assert.ok(Array.isArray(detail) && detail.length > 0 && detail.length <= 1_000);
  for (const error of detail as readonly unknown[]) {
    const loc = valueAt(error, 'loc');
    assert.ok(Array.isArray(loc) && loc.length > 0);
    assert.ok(loc.every((part) => typeof part === 'string' || typeof part === 'number'));
    assert.ok(typeof valueAt(error, 'msg') === 'string');
    assert.ok(typeof valueAt(error, 'type') === 'string');
  }
}

function send(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return hub.call(path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body });
}

test('any JSON value is no event by chance', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json({ maxDepth: 5, noUnicodeString: false }), async (body) => {
      const answer = await send('/v1/events', body);
      assertRefused(answer);
      assert.equal(answer.status, 422);
    }),
    RUNS,
  );
});

test('any JSON values are no batch by chance', async () => {
  const junk = fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(junk, fc.boolean(), async (events, wrapped) => {
      const answer = await send(
        '/v1/events/batch',
        JSON.stringify(wrapped ? { events } : [...events, anEvent()].toReversed()),
      );
      assertRefused(answer);
      assert.equal(answer.status, 422);
    }),
    RUNS,
  );
});

test('any bytes are no event by chance', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      assertRefused(await send('/v1/events', new Uint8Array(bytes)));
    }),
    RUNS,
  );
});

test('a valid event with a byte of no UTF-8 sequence is refused', async () => {
  const text = new TextEncoder().encode(JSON.stringify(anEvent({ external_id: 'before' })));
  const place = fc.nat({ max: text.length - 1 });
  await fc.assert(
    fc.asyncProperty(place, fc.integer({ min: 0x80, max: 0xff }), async (at, byte) => {
      const answer = await send('/v1/events', text.with(at, byte));
      assertRefused(answer);
      assert.equal(valueAt(answer.json, 'detail', 0, 'type'), 'json_invalid');
    }),
    RUNS,
  );
});

/** A SELL with every field there is. */
const FULL = anEvent({
  external_id: 'full',
  event_type: 'SELL',
  notes: 'n',
  lines: [
    aLine({
      ...{ customer_ref: 'c', channel: 'c' },
      ...{ supplier_name: 's', origin_facility: 'o', supplier_lot_code: 'l' },
    }),
  ],
});

type Path = readonly (string | number)[];

const PATHS: readonly Path[] = [
  [],
  ...Object.keys(FULL).map((field) => [field]),
  ['lines', 0],
  ...Object.keys(aLine(valueAt(FULL, 'lines', 0) as object as Record<string, unknown>)).map(
    (field) => ['lines', 0, field],
  ),
];

/** A copy of a JSON value with the value at a path replaced. */
function replaced(value: unknown, path: Path, by: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      index === first ? replaced(item, rest, by) : (item as unknown),
    );
  }
  const object = Object(value) as Readonly<Record<string, unknown>>;
  return { ...object, [first]: replaced(object[first], rest, by) };
}

for (const path of PATHS) {
  test(`a value of the wrong type at /${path.join('/')} is a 422 that names the place`, async () => {
    const isList = path.at(-1) === 'lines';
    const isObject = path.length === 0 || path.at(-1) === 0;
    const wrong = [true, false, ...(isList ? [{}] : []), ...(isObject ? [[]] : [])];
    const others = isList || isObject ? ['text', 7, null] : [{}, [], ['text'], { text: 1 }];

    for (const value of [...wrong, ...others]) {
      const answer = await send('/v1/events', JSON.stringify(replaced(FULL, path, value)));
      assert.equal(answer.status, 422, answer.text);
      assertRefused(answer);
      assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), ['body', ...path]);
      assert.equal(valueAt(answer.json, 'detail', 1), undefined);
    }
  });
}

for (const field of PATHS.filter((path) => path.length > 0 && path.at(-1) !== 0)) {
  test(`NUL and lone surrogates at /${field.join('/')} are refused`, async () => {
    for (const text of ['\\u0000', 'a\\ud800', '\\udfffz', '\\ud800\\ud800']) {
      const event = JSON.stringify(replaced(FULL, field, 'MARK')).replace('MARK', text);
      const answer = await send('/v1/events', event);
      assertRefused(answer);
      assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), ['body', ...field]);
    }
  });
}

test('numbers of any size where text belongs, and text where numbers belong', async () => {
  const literals = ['1e400', '-1e400', '1e-400', '12345678901234567890', '0.1234567890123456789'];
  for (const literal of literals) {
    for (const path of [['location'], ['occurred_at'], ['lines', 0, 'quantity'], ['lines']]) {
      const event = JSON.stringify(replaced(FULL, path, 'MARK')).replace('"MARK"', literal);
      const answer = await send('/v1/events', event);
      assertRefused(answer);
      assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), ['body', ...path]);
    }
  }
});

test('unknown members are refused at every level and pollute nothing', async () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '$ref'];
  for (const name of names) {
    const member = `${JSON.stringify(name)}:{"polluted":1}`;
    const text = JSON.stringify(FULL);
    for (const body of [
      `{${member},${text.slice(1)}`,
      text.replace('{"lot_code"', `{${member},"lot_code"`),
    ]) {
      const answer = await send('/v1/events', body);
      assertRefused(answer);
      assert.equal(valueAt(answer.json, 'detail', 0, 'type'), 'extra_forbidden');
      assertRefused(await send('/v1/events/batch', `[${body}]`));
    }
    assertRefused(await send('/v1/events/batch', `{${member},"events":[${text}]}`));
  }
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});

/** Bodies that are large, deep or full of errors, by name. */
const EVENT_FRAME = JSON.stringify(anEvent({ lines: ['LINES'] })).split('["LINES"]');
const withLines = (lines: string): string => EVENT_FRAME.join(`[${lines}]`);
const repeatItem = (item: string, count: number): string =>
  `${`${item},`.repeat(count - 1)}${item}`;
const unknownMembers = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',');

const HOSTILE: readonly (readonly [string, string, () => string])[] = [
  ['half a million lines of 0', '/v1/events', () => withLines(repeatItem('0', 500_000))],
  ['300,000 empty lines', '/v1/events', () => withLines(repeatItem('{}', 300_000))],
  ['90,000 unknown members', '/v1/events', () => `{${unknownMembers(90_000)}}`],
  [
    'a line of 90,000 unknown members',
    '/v1/events',
    () => withLines(`{${unknownMembers(90_000)}}`),
  ],
  ['500,000 nested lists', '/v1/events', () => '['.repeat(500_000) + ']'.repeat(500_000)],
  ['lists that are never closed', '/v1/events', () => '['.repeat(1_000_000)],
  [
    '150,000 nested objects',
    '/v1/events',
    () => `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`,
  ],
  ['a small deep list', '/v1/events', () => '['.repeat(30_000) + ']'.repeat(30_000)],
  ['a long text', '/v1/events', () => JSON.stringify(anEvent({ notes: 'x'.repeat(1_000_000) }))],
  ['a million zeros in a number', '/v1/events', () => `{"quantity":1${'0'.repeat(1_000_000)}1}`],
  ['a million digits', '/v1/events', () => `{"quantity":${'9'.repeat(1_000_000)}}`],
  ['10 MB of nesting', '/v1/events/batch', () => '['.repeat(5_000_000) + ']'.repeat(5_000_000)],
  [
    '3 million empty lines',
    '/v1/events/batch',
    () => `[${withLines(repeatItem('{}', 3_000_000))}]`,
  ],
  ['5 million zeros', '/v1/events/batch', () => `[${repeatItem('0', 5_000_000)}]`],
  [
    '1,000 events of 1,000 wrong lines',
    '/v1/events/batch',
    () => `[${repeatItem(withLines(repeatItem('0', 1_000)), 1_000)}]`,
  ],
  [
    'a batch of 700,000 unknown members',
    '/v1/events/batch',
    () => `{"events":[{${unknownMembers(700_000)}}]}`,
  ],
];

for (const [name, path, body] of HOSTILE) {
  test(`${name} are refused in time`, async () => {
    const startedMs = performance.now();

    const answer = await send(path, body());

    const elapsedMs = performance.now() - startedMs;
    assertRefused(answer);
    assert.ok(elapsedMs < PATIENCE_MS, `it took ${elapsedMs} ms`);
    assert.ok(answer.text.length < MEBIBYTE, `${answer.text.length} characters`);
  });
}

test('with on_error=proceed the errors of a hostile batch stay few, and each event has one', async () => {
  const answer = await send(
    '/v1/events/batch?on_error=proceed',
    `[${repeatItem(withLines(repeatItem('0', 1_000)), 1_000)}]`,
  );

  assert.equal(answer.status, 200);
  assert.equal(answer.json['rejected'], 1_000);
  const results = valueAt(answer.json, 'results');
  assert.ok(Array.isArray(results));
  const errors = results.map((result) => (valueAt(result, 'errors') as readonly unknown[]).length);
  assert.ok(errors.every((count) => count >= 1));
  assert.ok(errors.reduce((sum, count) => sum + count, 0) <= 2_000);
});

test('memory stays bounded under hostile bodies', async (t) => {
  const bodies = HOSTILE.map(([, path, body]) => [path, body()] as const);
  const beforeBytes = process.memoryUsage.rss();

  for (let round = 0; round < HOSTILE_ROUNDS; round += 1) {
    for (const [path, body] of bodies) await send(path, body);
  }

  const growthBytes = process.memoryUsage.rss() - beforeBytes;
  t.diagnostic(`memory grew by ${Math.round(growthBytes / MEBIBYTE)} MiB`);
  assert.ok(growthBytes < RSS_GROWTH_MAX_BYTES, `${growthBytes} bytes`);
});

test('any tenant id is a tenant id or a 422', async () => {
  // Visible characters only: no HTTP client sends others.
  const codes = fc.oneof(
    fc.integer({ min: 0x21, max: 0x7e }),
    fc.integer({ min: 0xa1, max: 0xff }),
  );
  const characters = codes.map((code) => String.fromCharCode(code));
  const ids = fc.string({ unit: characters, minLength: 1, maxLength: 80 });
  await fc.assert(
    fc.asyncProperty(ids, async (id) => {
      const answer = await hub.call('/v1/events', { headers: { 'X-Tenant-Id': id } });
      if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id)) assert.equal(answer.status, 200);
      else {
        assertRefused(answer);
        assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), ['header', 'x-tenant-id']);
      }
    }),
    RUNS,
  );
});

test('repeated headers are refused', async () => {
  const body = JSON.stringify(anEvent());
  const tenant = 'X-Tenant-Id: acme';
  for (const headers of [
    [`X-Api-Key: ${TENANT_KEY}`, `X-Api-Key: ${ADMIN_KEY}`, tenant],
    [`X-Api-Key: ${TENANT_KEY}`, tenant, 'X-Tenant-Id: other'],
    [`X-Api-Key: ${TENANT_KEY}`, tenant, 'Content-Length: 3'],
    [`X-Api-Key: ${TENANT_KEY}`, tenant, 'Transfer-Encoding: chunked'],
  ]) {
    const { status, body: text } = await rawRequest(
      hub.base,
      requestText('POST /v1/events', ['Content-Type: application/json', ...headers], body),
    );
    assertRefused({ status, text });
  }
});

const PREFIXES = [
  ...['/', '/v1/', '/v1/events/', '/public/', '/public/verify/', '/public/explorer/block/'],
  ...['/public/explorer/lot/', '/public/explorer/search?q=', '/public/explorer/blocks?before='],
  ...['/v1/events?limit=', '/v1/events?before=', '/health/', '/docs/'],
  ...['/public/explorer/transactions?before=', '/public/explorer?brand=', '/lot/', '/explorer/'],
];
/** Parts of addresses that are broken or mean something to somebody. */
const PIECES = [
  ...['%', '%zz', '%c3', '%00', '%2F', '%2e%2e', '..', '//', '\\', '%ud800', '%ed%a0%80', '%25'],
  ...['a', '0', '-1', '1e999', '999999999999999999999', 'NaN', "'", '"', ';', '&', '=', '?', '+'],
  ...[
    '[',
    ']',
    '{',
    '}',
    '*',
    '$',
    '|',
    '<',
    '>',
    '~',
    '%F0%9F%8D%9E',
    'x'.repeat(250),
    '__proto__',
  ],
];

test('any address is answered without an error of ours', async () => {
  const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PREFIXES), pieces, async (prefix, parts) => {
      const headers = [`X-Api-Key: ${TENANT_KEY}`, 'X-Tenant-Id: acme'];
      const path = `${prefix}${parts.join('')}`;
      const answer = await rawRequest(hub.base, requestText(`GET ${path}`, headers));
      assert.ok(answer.status < 500, `${path}: ${answer.status} ${answer.body}`);
      if (answer.status >= 400 && /content-type: application\/json/i.test(answer.head)) {
        assertRefused({ status: answer.status, text: answer.body });
      }
    }),
    { numRuns: chooseRounds({ usual: 60, long: 400 }) },
  );
});

test('a client that leaves in the middle of its body stores nothing', async () => {
  const text = requestText('POST /v1/events', [
    'Content-Type: application/json',
    `X-Api-Key: ${TENANT_KEY}`,
    'X-Tenant-Id: acme',
    'Content-Length: 5000',
  ]);

  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const socket = connect(Number(new URL(hub.base).port), '127.0.0.1', () => {
        socket.write(text + JSON.stringify(anEvent()).slice(0, 50), () => socket.destroy());
      });
      socket.on('close', () => resolve());
      await promise;
    }),
  );
});
