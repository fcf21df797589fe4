// What is answered where there is nothing, or where an answer failed: a page for people, JSON for programs, by
// what the request accepts (RFC 9110, section 12.5.1).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { boot } from '../boot.ts';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const PROGRAM = { Accept: 'application/json' };

const hub = await openForFile(boot());

/** An address, what is there, and the status of its answer. */
const FAILURES: readonly (readonly [path: string, what: string, status: number])[] = [
  ['/lots/NONE', 'no page', 404],
  ['/docs/none', 'no page below the description', 404],
  ['/lot/NONE', 'no such lot', 404],
  ['/explorer/block/none', 'a height that is none', 422],
  ['/lot/50%', 'an address that cannot be decoded', 400],
];

for (const [path, what, status] of FAILURES) {
  test(`${what}: a browser gets a page with a way on`, async () => {
    const answer = await hub.call(path, { headers: BROWSER });

    assert.equal(answer.status, status);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(answer.headers.get('vary') ?? '', /\bAccept\b/);
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.match(answer.text, /<h1>[^<]{10,}<\/h1>/);
    assert.match(answer.text, /action="\/lot"/);
    assert.match(answer.text, /href="\/recalls"/);
  });

  test(`${what}: a program gets JSON`, async () => {
    const answer = await hub.call(path, { headers: PROGRAM });

    assert.equal(answer.status, status);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    assert.ok(answer.json['detail'] !== undefined, answer.text);
  });
}

test('the page of an address without one is in the language of its reader', async () => {
  const answer = await hub.call('/nichts', { headers: { ...BROWSER, 'Accept-Language': 'de' } });

  assert.match(answer.text, /<html lang="de"/);
  assert.match(answer.text, /Unter dieser Adresse gibt es keine Seite/);
});

test('nothing of the address is markup of the page that says there is nothing', async () => {
  const answer = await hub.call(
    '/%3Cscript%3Ealert(1)%3C/script%3E?q="><script>alert(2)</script>',
    {
      headers: BROWSER,
    },
  );

  assert.equal(answer.status, 404);
  assert.doesNotMatch(answer.text, /<script/);
});

for (const [path, status] of [
  ['/v1/none', 404],
  ['/v1/events', 401],
  ['/public/none', 404],
  ['/public/verify/NONE', 404],
  ['/log/none', 404],
] as const) {
  test(`${path} is answered as its document says, to a browser, too`, async () => {
    const headers = status === 401 ? { ...BROWSER, 'X-Api-Key': '' } : BROWSER;

    const answer = await hub.call(path, { headers });

    assert.equal(answer.status, status);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  });
}

test('whoever does not say what it accepts gets JSON where there is nothing, and a page where pages are', async () => {
  const unknown = await hub.call('/none', { headers: { Accept: '*/*' } });
  const lot = await hub.call('/lot/NONE', { headers: { Accept: '*/*' } });

  assert.match(unknown.headers.get('content-type') ?? '', /^application\/json/);
  assert.match(lot.headers.get('content-type') ?? '', /^text\/html/);
});

test('a method that a page does not have is said with those that it has', async () => {
  const answer = await hub.call('/recalls', { method: 'DELETE', headers: BROWSER });

  assert.equal(answer.status, 405);
  assert.match(answer.headers.get('allow') ?? '', /GET/);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
});
