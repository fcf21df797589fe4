// In which order a post is checked (docs/interface/notifications.md#order-of-checks): route, method, key,
// rate, media type, size, parsing, shape. Each request here is wrong from some check on, in everything
// behind it as well.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rawRequest, requestText } from '@lothub/kit/test/raw-request';
import { boot } from '../boot.ts';
import { INGEST, formatCode, newPoster } from '../posting.ts';

/** Posts of a key until the rate refuses them; the others of this file use keys of their own. */
const BURST = 3;

const booted = await boot({
  env: {
    NOTIFICATIONS_RATE_KEY_BURST: String(BURST),
    NOTIFICATIONS_RATE_KEY_PER_SECOND: '1',
  },
});
after(() => booted[Symbol.asyncDispose]());

const TOO_LARGE = ' '.repeat(65_537);
const WRONG_TYPE = { 'Content-Type': 'text/plain' };

for (const [what, type, body] of [
  ['media type', 'text/plain', 'A'],
  ['size', 'application/json', TOO_LARGE],
  ['parsing', 'application/json', '{'],
] as const) {
  test(`route and method come before the ${what}`, async () => {
    const init = { headers: { 'Content-Type': type }, body };

    const answers = [
      await booted.call('/api/v1/ingests', { method: 'POST', ...init }),
      await booted.call(INGEST, { method: 'PUT', ...init }),
    ];

    assert.deepEqual(answers.map(formatCode), ['404 not_found', '405 method_not_allowed']);
  });
}

for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
  test(`${method} gets the answer that POST is allowed, without being asked for a key`, async () => {
    const body = ['GET', 'OPTIONS'].includes(method) ? {} : { body: TOO_LARGE };

    const answer = await booted.call(INGEST, { method, headers: WRONG_TYPE, ...body });

    assert.equal(formatCode(answer), '405 method_not_allowed');
    assert.equal(answer.headers.get('allow'), 'POST');
  });
}

test('then the key: a wrong one is a 401 whatever the body is', async () => {
  const { postText } = await newPoster(booted);

  const answers = [
    await postText(TOO_LARGE, { ...WRONG_TYPE, 'X-Api-Key': '' }),
    await postText(TOO_LARGE, { ...WRONG_TYPE, 'X-Api-Key': 'nk_wrong' }),
    await postText('{', { 'X-Api-Key': 'nk_wrong' }),
    await postText('{}', { 'X-Api-Key': 'nk_wrong', 'Idempotency-Key': 'two words' }),
  ];

  assert.deepEqual(answers.map(formatCode), [
    '401 api_key_missing',
    '401 api_key_invalid',
    '401 api_key_invalid',
    '401 api_key_invalid',
  ]);
});

test('then the rate: over it a post is a 429 whatever the body is', async () => {
  const { postText } = await newPoster(booted);
  for (let sent = 0; sent < BURST; sent += 1) await postText('{}');

  const answers = [
    await postText(TOO_LARGE, WRONG_TYPE),
    await postText('{'),
    await postText('{}', { 'Idempotency-Key': 'two words' }),
  ];

  assert.deepEqual(answers.map(formatCode), Array(3).fill('429 rate_limited'));
});

test('then the media type, before the size', async () => {
  const { postText } = await newPoster(booted);

  const answers = [
    await postText(TOO_LARGE, WRONG_TYPE),
    await postText(TOO_LARGE, { 'Content-Encoding': 'gzip' }),
  ];

  assert.deepEqual(answers.map(formatCode), Array(2).fill('415 media_type_unsupported'));
});

test('then the size, before the body is parsed', async () => {
  const { postText } = await newPoster(booted);

  const answer = await postText(TOO_LARGE, { 'Idempotency-Key': 'two words' });

  assert.equal(formatCode(answer), '413 body_too_large');
});

test('then the parsing, before the fields and the headers', async () => {
  const { postText } = await newPoster(booted);

  const answer = await postText('{"title":5', { 'Idempotency-Key': 'two words' });

  assert.equal(formatCode(answer), '400 json_invalid');
});

test('a refused post leaves its connection or ends it, and is never stored', async () => {
  const { key, stored } = await newPoster(booted);
  const line = `POST ${INGEST}`;

  const refused = await rawRequest(
    booted.base,
    requestText(line, [`X-Api-Key: ${key}`, 'Content-Type: text/plain'], '{"title":"A"}'),
  );

  assert.equal(formatCode(refused), '415 media_type_unsupported');
  assert.deepEqual(await stored(), []);
});
