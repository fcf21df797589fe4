// Requests that are well-formed HTTP and mean two things, or nothing: each is refused as documented, and
// every client sees the refusal.
import assert from 'node:assert/strict';
import { afterEach, before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { rawRequest, requestText, writeThenRead } from '@lothub/kit/test/raw-request';
import { TENANT_KEY, anEvent, boot, valueAt, type Answer } from '../boot.ts';
import { storedHeight } from '../stored.ts';

const MEBIBYTE = 1_048_576;
const KEY_HEADERS = [`X-Api-Key: ${TENANT_KEY}`, 'X-Tenant-Id: acme'];
const JSON_HEADER = 'Content-Type: application/json';

const hub = await openForFile(boot());
before(async () => {
  await hub.post('/v1/events', anEvent());
});
afterEach(async () => {
  assert.equal(await storedHeight(hub.database), 1, 'something was stored');
});

function send(path: string, body: string, method = 'POST'): Promise<Answer> {
  return hub.call(path, { method, headers: { 'Content-Type': 'application/json' }, body });
}

function assertJsonInvalid(answer: Answer, loc: readonly (string | number)[]): void {
  assert.equal(answer.status, 422, answer.text);
  assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), loc);
  assert.equal(valueAt(answer.json, 'detail', 0, 'type'), 'json_invalid');
  assert.equal(valueAt(answer.json, 'detail', 1), undefined);
}

const EVENT = JSON.stringify(anEvent());
const TWICE = EVENT.replace('"quantity":250.5', '"quantity":1,"unit":"kg","quantity":999');

for (const [method, path, body, loc] of [
  ['POST', '/v1/events', TWICE, ['lines', 0, 'quantity']],
  ['POST', '/v1/events', `{"\\u006cocation":"A",${EVENT.slice(1)}`, ['location']],
  ['POST', '/v1/events/batch', `[${EVENT},${TWICE}]`, [1, 'lines', 0, 'quantity']],
  ['POST', '/v1/events/batch', `{"events":[],"events":[${EVENT}]}`, ['events']],
  ['POST', '/v1/corrections', '{"reason":"a","reason":"b"}', ['reason']],
  ['POST', '/v1/recall/simulate', '{"lot_code":"A","lot_code":"FLOUR-1"}', ['lot_code']],
  ['PATCH', '/v1/brand', '{"name":"A","name":"B"}', ['name']],
] as const) {
  test(`${method} ${path} with ${loc.join('.')} twice is a 422 that names it`, async () => {
    const answer = await send(path, body, method);

    assertJsonInvalid(answer, ['body', ...loc]);
  });
}

test('a member that is twice in the middle of a large batch is a 422 that names it', async () => {
  const events = Array.from({ length: 900 }, (_, n) => (n === 700 ? TWICE : EVENT));
  const filler = `"${'x'.repeat(300_000)}"`;

  const answer = await send('/v1/events/batch', `{"events":[${events.join(',')}],"f":${filler}}`);

  assertJsonInvalid(answer, ['body', 'events', 700, 'lines', 0, 'quantity']);
});

test('an object of more than 1,000 members is a 422 that names it, in a small and a large body', async () => {
  const members = Array.from({ length: 1_001 }, (_, n) => `"k${n}":0`).join(',');

  const small = await send('/v1/events', `{"lines":[0,{${members}}]}`);
  const large = await send('/v1/events', `{"a":"${'x'.repeat(600_000)}","lines":[{${members}}]}`);

  assertJsonInvalid(small, ['body', 'lines', 1]);
  assertJsonInvalid(large, ['body', 'lines', 0]);
});

test('a body of more than 64 levels is a 422', async () => {
  const answer = await send('/v1/events', `{"lines":${'['.repeat(64)}${']'.repeat(64)}}`);

  assertJsonInvalid(answer, ['body']);
});

test('of an unknown field no more than 200 characters of its name are answered', async () => {
  const name = 'secret'.repeat(1_000);

  for (const [path, body] of [
    ['/v1/events', JSON.stringify({ ...anEvent(), [name]: 1 })],
    ['/v1/events/batch', JSON.stringify({ events: [], [name]: 1 })],
    ['/v1/events', `{"${name}":1,"${name}":2}`],
  ] as const) {
    const { status, text } = await send(path, body);
    assert.equal(status, 422);
    assert.ok(text.length < 400, text);
  }
});

for (const path of ['/v1/events', '/v1/events/batch', '/v1/import/csv', '/v1/corrections']) {
  test(`a body of ${path} with a Content-Encoding is a 415 that says what is taken`, async () => {
    for (const encoding of ['gzip', 'br', 'identity, gzip', 'x']) {
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding };
      const answer = await hub.call(path, { method: 'POST', headers, body: EVENT });

      assert.equal(answer.status, 415, encoding);
      assert.equal(answer.headers.get('accept-encoding'), 'identity');
      assert.match(String(answer.json['detail']), /Content-Encoding/);
    }
  });
}

test('Content-Encoding: identity is none', async () => {
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'Identity' };

  const answer = await hub.call('/v1/events', { method: 'POST', headers, body: '{}' });

  assert.equal(answer.status, 422);
});

test('the key comes before the encoding', async () => {
  const headers = { 'X-Api-Key': 'made-up', 'Content-Encoding': 'gzip' };

  const answer = await hub.call('/v1/events', { method: 'POST', headers, body: '{}' });

  assert.equal(answer.status, 401);
});

for (const method of ['QUERY', 'PROPFIND', 'PUT', 'DELETE']) {
  test(`${method} is a 405 with Allow, whatever its body is like`, async () => {
    const bodies = [[], [JSON_HEADER], ['Content-Type: text/plain'], ['Content-Type: ?']];
    for (const headers of bodies) {
      for (const [path, allowed] of [
        ['/v1/events', 'POST, GET, HEAD'],
        ['/public/explorer', 'GET, HEAD'],
        ['/health', 'GET, HEAD'],
      ] as const) {
        const text = requestText(`${method} ${path}`, [...KEY_HEADERS, ...headers], '{');
        const answer = await rawRequest(hub.base, text);

        assert.equal(answer.status, 405, `${path} ${headers.join()}: ${answer.body}`);
        assert.equal(/^allow: (.*)$/im.exec(answer.head)?.[1], allowed);
      }
    }
  });
}

test('a path that does not exist is a 404, whatever the body is like', async () => {
  const answer = await send('/nothing', '{"a":1,"a":2}');

  assert.equal(answer.status, 404);
});

for (const text of ['0x1', '1e0', '1E0', '0b1', '0o1', '%201', '+1', '1_0', '1e400']) {
  test(`${text} is no height`, async () => {
    for (const [path, loc] of [
      [`/public/explorer/block/${text}`, ['path', 'height']],
      [`/public/explorer/blocks?before=${text}`, ['query', 'before']],
      [`/public/explorer/lot/FLOUR-1?before=${text}`, ['query', 'before']],
      [`/public/explorer/transactions?before=${text}`, ['query', 'before']],
      [`/v1/events?before=${text}`, ['query', 'before']],
      [`/v1/events/${text}/disclosure`, ['path', 'id']],
    ] as const) {
      const answer = await hub.call(path);
      assert.equal(answer.status, 422, `${path}: ${answer.text}`);
      assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), loc, path);
    }
    assert.equal((await hub.call(`/explorer/block/${text}`)).status, 422);
    const found = await hub.call(`/public/explorer/search?q=${text}`);
    assert.deepEqual(valueAt(found.json, 'blocks'), []);
  });
}

for (const text of ['"0x1"', '"1e0"', '"1"']) {
  test(`${text} is no as_of_height`, async () => {
    const body = `{"lot_code":"FLOUR-1","as_of_height":${text}}`;

    const answer = await send('/v1/recall/simulate', body);

    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), ['body', 'as_of_height']);
  });
}

test('decimal heights are heights, with zeros before them as well', async () => {
  for (const text of ['1', '01']) {
    const answer = await hub.call(`/public/explorer/block/${text}`);
    assert.equal(answer.json['height'], 1);
  }
});

/** Larger than any route takes, and than the buffers of a connection. */
const LARGE = Buffer.alloc(24 * MEBIBYTE, ' ');

for (const [path, headers, status] of [
  ['/v1/events', KEY_HEADERS, 413],
  ['/v1/events/batch', KEY_HEADERS, 413],
  ['/v1/events', ['X-Api-Key: made-up', 'X-Tenant-Id: acme'], 401],
  ['/v1/events', [...KEY_HEADERS, 'Content-Encoding: gzip'], 415],
  ['/v1/lots/%zz', KEY_HEADERS, 400],
  ['/health', [], 405],
  ['/nothing', [], 404],
] as const) {
  test(`a client that writes all before it reads gets the ${status} of ${path}`, async () => {
    const head = [JSON_HEADER, ...headers, `Content-Length: ${LARGE.length}`];
    const request = Buffer.from(requestText(`POST ${path}`, head));

    const answer = await writeThenRead(hub.base, Buffer.concat([request, LARGE]));

    assert.equal(answer.status, status);
    assert.deepEqual(Object.keys(Object(JSON.parse(answer.body)) as object), ['detail']);
  });
}

test('fetch gets the 413 of a body that is too large', async () => {
  const answer = await send('/v1/events', LARGE.toString());

  assert.equal(answer.status, 413);
  assert.equal(typeof answer.json['detail'], 'string');
});
