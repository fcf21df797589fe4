// What is answered where there is nothing: a page for people, a problem document for programs, by what the
// request accepts (RFC 9110, section 12.5.1).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { boot, type Booted } from '../boot.ts';
import { newPerson, type TestPerson } from '../people/person.ts';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const PROGRAM = { Accept: 'application/json' };

let inbox: Booted;
let ada: TestPerson;

before(async () => {
  inbox = await boot();
  ada = await newPerson(inbox);
});

after(async () => {
  await inbox[Symbol.asyncDispose]();
});

const FAILURES: readonly (readonly [path: string, status: number])[] = [
  ['/none', 404],
  ['/inbox/none', 404],
  ['/inbox/groups/grp_none', 404],
  ['/inbox/50%', 400],
];

for (const [path, status] of FAILURES) {
  test(`${path}: a browser gets a page with a way on`, async () => {
    const answer = await inbox.call(path, { headers: { ...ada.headers, ...BROWSER } });

    assert.equal(answer.status, status);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.match(answer.text, /<h1>[^<]{10,}<\/h1>/);
    assert.match(answer.text, /href="\/inbox"/);
  });

  test(`${path}: a program gets a problem document`, async () => {
    const answer = await inbox.call(path, { headers: { ...ada.headers, ...PROGRAM } });

    assert.equal(answer.status, status);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
    assert.equal(answer.json['status'], status);
  });
}

test('manifest, icon and robots.txt are there for everybody', async () => {
  const manifest = await inbox.call('/inbox/manifest.webmanifest');
  const icon = await inbox.call('/inbox/icon-192.png');
  const robots = await inbox.call('/robots.txt');

  assert.equal(manifest.json['start_url'], '/inbox');
  assert.equal(icon.headers.get('content-type'), 'image/png');
  assert.equal(robots.text, 'User-agent: *\nDisallow: /\n');
});

test('whoever is not logged in is led to the log-in, and a program gets an error', async () => {
  const page = await inbox.call('/inbox/me', { headers: BROWSER });
  const problem = await inbox.call('/inbox/me', { headers: PROGRAM });

  assert.equal(page.status, 303);
  assert.equal(problem.status, 401);
  assert.equal(problem.json['code'], 'login_required');
});

for (const path of ['/api/none', '/api/v1/none', '/api/v1/groups/grp_none']) {
  test(`${path} is a problem document for a browser, too`, async () => {
    const answer = await inbox.call(path, { headers: { ...ada.headers, ...BROWSER } });

    assert.equal(answer.status, 404);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
  });
}
