// /health, and the headers that distinguish public answers from authenticated ones: CORS and ETag.
// Written from docs/interface/traceability.md#public-answers.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { setTimeout as sleep } from 'node:timers/promises';
import { anEvent, boot, valueAt, type Answer } from '../boot.ts';

const LOOK_EVERY_MS = 20;
const ORIGIN = { Origin: 'https://shop.example' };

const PUBLIC_PATHS = [
  '/public/verify/FLOUR-1',
  '/public/explorer',
  '/public/explorer/blocks',
  '/public/explorer/transactions',
  '/public/explorer/block/1',
  '/public/explorer/search?q=FLOUR',
  '/public/explorer/lot/FLOUR-1',
];

const hub = await openForFile(boot());
before(async () => {
  await hub.post('/v1/events', anEvent());
});

/** Headers by which a browser would let a page of another origin read an answer. */
function corsHeaders(answer: Answer): readonly string[] {
  return [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
}

test('/health says that the service lives and names the tip of the chain', async () => {
  const answer = await hub.call('/health');

  assert.equal(answer.status, 200);
  assert.equal(answer.json['status'], 'ok');
  const chain = answer.json['chain'];
  assert.equal(valueAt(chain, 'height'), 1);
  assert.equal(valueAt(chain, 'chain_valid'), true);
  assert.equal(valueAt(chain, 'first_bad_height'), null);
});

for (const path of PUBLIC_PATHS) {
  test(`${path} may be read by pages of every origin`, async () => {
    const answer = await hub.call(path, { headers: ORIGIN });

    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.equal(answer.headers.get('access-control-allow-credentials'), null);
  });

  test(`${path} carries a weak ETag, which answers 304 until something changes`, async () => {
    const first = await hub.call(path);
    const etag = first.headers.get('etag') ?? '';
    const same = await hub.call(path, { headers: { 'If-None-Match': etag, ...ORIGIN } });
    const other = await hub.call(path, { headers: { 'If-None-Match': '"other"' } });

    assert.match(etag, /^W\/"[^"]+"$/);
    assert.equal(same.status, 304);
    assert.equal(same.text, '');
    assert.equal(same.headers.get('access-control-allow-origin'), '*');
    assert.equal(other.status, 200);
    for (const { headers } of [first, same, other]) {
      assert.equal(headers.get('cache-control'), 'public, max-age=15, must-revalidate');
    }
  });
}

test('the ETag of the explorer stays while only the verifier gets further', async () => {
  const verifiedAt = (answer: Answer): unknown => valueAt(answer.json, 'stats', 'verified_at');
  const first = await hub.call('/public/explorer');
  let later = first;
  while (verifiedAt(later) === verifiedAt(first)) {
    await sleep(LOOK_EVERY_MS);
    later = await hub.call('/public/explorer');
  }

  assert.equal(later.headers.get('etag'), first.headers.get('etag'));
});

test('refusals of /public are kept by nobody', async () => {
  for (const path of ['/public/verify/NO-LOT', '/public/explorer/blocks?limit=0']) {
    const answer = await hub.call(path);
    assert.equal(answer.headers.get('cache-control'), 'no-store', path);
  }
});

test('the ETag of the explorer changes with a new block', async () => {
  const before = await hub.call('/public/explorer');
  await hub.post('/v1/events', anEvent());

  const headers = { 'If-None-Match': before.headers.get('etag') ?? '' };
  const afterwards = await hub.call('/public/explorer', { headers });

  assert.equal(afterwards.status, 200);
});

test('refusals of /public may be read by pages of every origin, too', async () => {
  for (const path of ['/public/verify/NO-LOT', '/public/explorer/blocks?limit=0']) {
    const answer = await hub.call(path, { headers: ORIGIN });
    assert.ok([404, 422].includes(answer.status));
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  }
});

test('a preflight of /public is answered, so that pages may send If-None-Match', async () => {
  const answer = await hub.call('/public/explorer', {
    method: 'OPTIONS',
    headers: {
      ...ORIGIN,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'if-none-match',
    },
  });

  assert.equal(answer.status, 204);
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  assert.match(answer.headers.get('access-control-allow-headers') ?? '', /if-none-match/);
  assert.doesNotMatch(answer.headers.get('access-control-allow-methods') ?? '', /POST/);
});

test('/v1 carries no CORS header and no ETag, whatever it answers', async () => {
  const answers = [
    await hub.call('/v1/events', { headers: ORIGIN }),
    await hub.post('/v1/events', anEvent(), ORIGIN),
    await hub.post('/v1/events', {}, ORIGIN),
    await hub.post('/v1/events/batch', [], ORIGIN),
    await hub.call('/v1/brand', { headers: ORIGIN }),
    await hub.call('/v1/events', { headers: { ...ORIGIN, 'X-Api-Key': 'wrong' } }),
    await hub.call('/v1/nothing', { headers: ORIGIN }),
  ];

  for (const answer of answers) {
    assert.deepEqual(corsHeaders(answer), []);
    assert.equal(answer.headers.get('etag'), null);
  }
});

test('a preflight of /v1 is not answered: keys are for servers', async () => {
  for (const path of ['/v1/events', '/v1/events/batch', '/v1/brand', '/v1/nothing']) {
    const answer = await hub.call(path, {
      method: 'OPTIONS',
      headers: { ...ORIGIN, 'Access-Control-Request-Method': 'POST' },
    });
    assert.ok(answer.status >= 400 && answer.status < 500);
    assert.deepEqual(corsHeaders(answer), []);
  }
});

test('HEAD answers as GET does, without a body', async () => {
  for (const path of ['/health', '/public/explorer/block/1', '/v1/events']) {
    const answer = await hub.call(path, { method: 'HEAD' });
    assert.equal(answer.status, 200, path);
    assert.equal(answer.text, '');
  }
});
