// Logging in and out by the interface: cookies, bodies, hashes. Attacks on it are in people-entrance.test.ts.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { Passwords } from '@lothub/people/passwords/passwords';
import { TEST_COST, testPasswords } from '@lothub/people/test/test-passwords';
import { FIRST_OWNER, OWNER_EMAIL, OWNER_PASSWORD, boot, type Answer } from '../boot.ts';
import { newPerson, type TestPerson } from './person.ts';

const SESSION = '/api/v1/session';
const PASSWORD = 'kumquat on a stick';
const DAY_MS = 24 * 60 * 60 * 1_000;

const passwordHash = await testPasswords.hash(PASSWORD);

const booted = await boot({ env: FIRST_OWNER });
after(() => booted[Symbol.asyncDispose]());

async function newAccount(hash = passwordHash): Promise<TestPerson> {
  const person = await newPerson(booted);
  await booted.database.change(
    'update people.accounts set password_hash = ? where id = ?',
    hash,
    person.accountId,
  );
  return person;
}

async function logIn(
  who: { readonly email: string; readonly password?: string },
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const body = { email: who.email, password: who.password ?? PASSWORD };
  return await booted.send({ method: 'POST', path: SESSION, body, headers });
}

function readCookie(answer: Answer, name: string): string {
  const line = answer.headers.getSetCookie().find((one) => one.startsWith(`${name}=`));
  return line?.split(';')[0] ?? '';
}

test('who logs in gets a session that the interface takes', async () => {
  const answer = await logIn({ email: 'OWNER@example.com', password: OWNER_PASSWORD });

  assert.equal(answer.status, 201);
  assert.equal(answer.json['email'], OWNER_EMAIL);
  const [session = '', browser = ''] = answer.headers.getSetCookie();
  assert.match(
    session,
    /^lothub_session=[0-9A-Za-z]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  assert.match(
    browser,
    /^lothub_browser=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const cookie = readCookie(answer, 'lothub_session');
  const me = await booted.call('/api/v1/me', { headers: { Cookie: cookie } });
  assert.deepEqual(me.json, answer.json);
});

test('a session is for 30 days, with what the browser calls itself', async () => {
  const ada = await newAccount();

  await logIn(ada, { 'User-Agent': `Kiosk\u00e9 ${'x'.repeat(300)}` });

  const [row] = await booted.database.rows(
    'select agent, created_at, expires_at from people.sessions where account_id = ? and agent <> ?',
    ada.accountId,
    'test',
  );
  assert.equal(row?.['agent'], `Kiosk? ${'x'.repeat(193)}`);
  assert.equal(Number(row['expires_at']) - Number(row['created_at']), 30 * DAY_MS);
});

for (const [what, body] of [
  ['no password', { email: OWNER_EMAIL }],
  ['a number for a password', { email: OWNER_EMAIL, password: 5 }],
  ['an empty password', { email: OWNER_EMAIL, password: '' }],
  ['a password of 2,001 code points', { email: OWNER_EMAIL, password: 'a'.repeat(2_001) }],
  ['an unknown field', { email: OWNER_EMAIL, password: PASSWORD, remember: true }],
] as const) {
  test(`a log-in with ${what} is refused before anything is compared`, async () => {
    const answer = await booted.send({ method: 'POST', path: SESSION, body });

    assert.deepEqual([answer.status, answer.json['code']], [422, 'fields_invalid']);
  });
}

test('a password in other code points is the same password', async () => {
  const ada = await newAccount();
  const password = 'crème brûlée für alle';
  await booted.database.change(
    'update people.accounts set password_hash = ? where id = ?',
    await testPasswords.hash(password),
    ada.accountId,
  );

  const answer = await logIn({ email: ada.email, password: password.normalize('NFD') });

  assert.equal(answer.status, 201);
});

test('a hash of a former cost is made anew by the log-in, and the password stays good', async () => {
  const former = new Passwords({ cost: { ...TEST_COST, passes: TEST_COST.passes + 1 } });
  const formerHash = await former.hash(PASSWORD);
  const ada = await newAccount(formerHash);
  const readHash = async (): Promise<string> => {
    const [row] = await booted.database.rows(
      'select password_hash from people.accounts where id = ?',
      ada.accountId,
    );
    return String(row?.['password_hash']);
  };

  await logIn({ email: ada.email, password: 'kumquat on a stone' });
  const afterWrong = await readHash();
  const first = await logIn(ada);
  const afterRight = await readHash();
  const second = await logIn(ada);

  assert.equal(afterWrong, formerHash);
  assert.match(afterRight, /\$m=8,t=1,p=1\$/);
  assert.deepEqual([first.status, second.status, await readHash()], [201, 201, afterRight]);
});

test('the 51st session of a person ends the oldest', async () => {
  const ada = await newAccount();
  const oldest = sha256Hex(ada.headers['Cookie']?.split('=')[1] ?? '');
  await booted.database.change(
    'update people.sessions set created_at = 0 where token_hash = ?',
    oldest,
  );
  const insert =
    'insert into people.sessions (token_hash, account_id, agent, created_at, last_seen_at, expires_at) ' +
    'values (?, ?, ?, ?, ?, ?)';
  for (let i = 1; i < 50; i += 1) {
    const end = Date.now() + DAY_MS;
    await booted.database.change(insert, `${ada.accountId}${i}`, ada.accountId, 'test', i, i, end);
  }
  const before = await ada.get('/api/v1/me');

  await logIn(ada);

  const rows = await booted.database.rows(
    'select token_hash from people.sessions where account_id = ?',
    ada.accountId,
  );
  assert.equal(before.status, 200);
  assert.equal(rows.length, 50);
  assert.ok(rows.every((row) => row['token_hash'] !== oldest));
});

for (const type of [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain; application/json',
  'application/json, text/plain',
]) {
  test(`a log-in as ${type} is refused: a page of any site can make a browser send it`, async () => {
    const ada = await newAccount();

    const answer = await logIn(ada, { 'Content-Type': type });

    assert.deepEqual([answer.status, answer.json['code']], [415, 'media_type_unsupported']);
    assert.deepEqual(answer.headers.getSetCookie(), []);
  });
}

test('a log-in without a media type is refused', async () => {
  const ada = await newAccount();
  const body = new TextEncoder().encode(JSON.stringify({ email: ada.email, password: PASSWORD }));

  const answer = await booted.call(SESSION, { method: 'POST', body });

  assert.deepEqual([answer.status, answer.json['code']], [415, 'media_type_unsupported']);
  assert.deepEqual(answer.headers.getSetCookie(), []);
});

test('who logs out is out, on this browser alone, and may do so twice', async () => {
  const ada = await newAccount();
  const other = await logIn(ada);
  const { headers } = ada;

  const out = await booted.call(SESSION, { method: 'DELETE', headers });
  const again = await booted.call(SESSION, { method: 'DELETE', headers });
  const nobody = await booted.call(SESSION, { method: 'DELETE' });

  assert.deepEqual([out.status, again.status, nobody.status], [204, 204, 204]);
  assert.match(
    out.headers.getSetCookie()[0] ?? '',
    /^lothub_session=; Max-Age=0; Path=\/; Expires/,
  );
  assert.equal((await ada.get('/api/v1/me')).status, 401);
  const cookie = readCookie(other, 'lothub_session');
  assert.equal((await booted.call('/api/v1/me', { headers: { Cookie: cookie } })).status, 200);
});

test('another site cannot log somebody out', async () => {
  const ada = await newAccount();
  const headers = { ...ada.headers, 'Sec-Fetch-Site': 'cross-site' };

  const out = await booted.call(SESSION, { method: 'DELETE', headers });

  assert.deepEqual([out.status, out.json['code']], [403, 'cross_site_refused']);
  assert.equal((await ada.get('/api/v1/me')).status, 200);
});
