// One's own account: name, password, sessions, read tokens; and the operator's way back into it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { testPasswords } from '@lothub/people/test/test-passwords';
import { revokeTokens } from '../../src/access/access-ends.ts';
import { OPERATOR } from '../../src/groups/ownership.ts';
import { resetPassword } from '@lothub/people/accounts/account';
import { TOKENS_MAX } from '../../src/people/tokens/tokens.ts';
import { boot, bootSecond, type Answer } from '../boot.ts';
import { testEngine } from '../engine.ts';
import { newPerson, type TestPerson } from './person.ts';

const ME = '/api/v1/me';
const OLD = 'kumquat on a stick';
const NEW = 'persimmon in a pan';
const oldHash = await testPasswords.hash(OLD);

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());

async function newAccount(): Promise<TestPerson> {
  const person = await newPerson(booted);
  await booted.database.change(
    'update people.accounts set password_hash = ? where id = ?',
    oldHash,
    person.accountId,
  );
  return person;
}

/** Another browser of a person. */
async function anotherSession({ email }: TestPerson, password = OLD): Promise<Answer> {
  const body = { email, password };
  return await booted.send({ method: 'POST', path: '/api/v1/session', body });
}

function readHeaders(answer: Answer): Record<string, string> {
  return { Cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

function listItems(answer: Answer): readonly Record<string, unknown>[] {
  return Object.values(answer.json['items'] ?? {});
}

function formatCode({ status, json }: Answer): string {
  return `${status} ${String(json['code'] ?? '')}`.trim();
}

async function audited(
  { accountId }: TestPerson,
  table = 'people.audit',
): Promise<readonly string[]> {
  const rows = await booted.database.rows(
    `select action, actor, details from ${table} where account_id = ? or subject = ? order by id`,
    accountId,
    accountId,
  );
  return rows.map((row) => [row['action'], row['actor'], row['details']].join(' '));
}

async function accessSignals({ accountId }: TestPerson): Promise<readonly unknown[]> {
  const rows = await booted.database.rows(
    "select detail from signals where kind = 'access' and account_id = ? order by position",
    accountId,
  );
  return rows.map(({ detail }): unknown => JSON.parse(String(detail)));
}

test('a person changes the name, and what is no name is refused', async () => {
  const ada = await newAccount();

  const changed = await ada.send('PATCH', ME, { name: 'Ada Lovelace' });
  const refused = await ada.send('PATCH', ME, { name: '\u200b' });

  assert.deepEqual(changed.json, { id: ada.accountId, email: ada.email, name: 'Ada Lovelace' });
  assert.deepEqual((await ada.get(ME)).json, changed.json);
  assert.equal(formatCode(refused), '422 fields_invalid');
  assert.deepEqual(await audited(ada), ['account_changed Ada {}']);
});

test('a new password ends all sessions but the one it was set in, and the old one is gone', async () => {
  const ada = await newAccount();
  const other = readHeaders(await anotherSession(ada));
  const token = await ada.send('POST', `${ME}/tokens`, { name: 'wall' });

  const changed = await ada.send('PUT', `${ME}/password`, { old_password: OLD, new_password: NEW });

  assert.equal(changed.status, 204);
  assert.equal((await ada.get(ME)).status, 200);
  assert.equal((await booted.call(ME, { headers: other })).status, 401);
  assert.equal((await anotherSession(ada)).status, 401);
  assert.equal((await anotherSession(ada, NEW)).status, 201);
  const bearer = { Authorization: `Bearer ${String(token.json['token'])}` };
  assert.equal((await booted.call(ME, { headers: bearer })).status, 200);
  assert.equal((await audited(ada)).at(-1), 'account_password_changed Ada {}');
  // The mark of the browser is of the new password.
  const [mark = ''] = changed.headers.getSetCookie();
  assert.match(mark, /^lothub_browser=/);
});

for (const [what, password, code] of [
  ['of 11 code points', 'kumquat tre', 'too_short'],
  ['that is the e-mail', 'EMAIL', 'guessable'],
] as const) {
  test(`a new password ${what} is refused as ${code}`, async () => {
    const ada = await newAccount();
    const newPassword = password === 'EMAIL' ? ada.email : password;

    const answer = await ada.send('PUT', `${ME}/password`, {
      old_password: OLD,
      new_password: newPassword,
    });

    assert.equal(formatCode(answer), '422 fields_invalid');
    const [problem] = Object.values(answer.json['errors'] ?? {});
    assert.deepEqual([problem?.['pointer'], problem?.['code']], ['/new_password', code]);
  });
}

test('sessions are listed by the newest, without what opens them, and end one by one', async () => {
  const ada = await newAccount();
  await booted.database.change(
    'update people.sessions set created_at = 1 where account_id = ?',
    ada.accountId,
  );
  const other = readHeaders(await anotherSession(ada));

  const listed = await ada.get(`${ME}/sessions`);

  const items = listItems(listed);
  assert.deepEqual(
    items.map((item) => item['is_current']),
    [false, true],
  );
  assert.equal(listed.json['next'], null);
  const id = String(items[0]?.['id']);
  assert.match(id, /^[0-9a-f]{16}$/);
  assert.deepEqual(Object.keys(items[0] ?? {}).sort(), [
    'agent',
    'created_at',
    'expires_at',
    'id',
    'is_current',
    'last_seen_at',
  ]);
  const bob = await newAccount();
  const ofOther = await bob.send('DELETE', `${ME}/sessions/${id}`);
  const ended = await ada.send('DELETE', `${ME}/sessions/${id}`);
  const again = await ada.send('DELETE', `${ME}/sessions/${id}`);
  assert.deepEqual([ofOther, ended, again].map(formatCode), [
    '404 not_found',
    '204',
    '404 not_found',
  ]);
  assert.equal((await booted.call(ME, { headers: other })).status, 401);
  assert.equal((await ada.get(ME)).status, 200);
});

test('all other sessions end at once', async () => {
  const ada = await newAccount();
  const others = [readHeaders(await anotherSession(ada)), readHeaders(await anotherSession(ada))];

  const ended = await ada.send('DELETE', `${ME}/sessions`);

  assert.equal(ended.status, 204);
  const answers = await Promise.all(others.map((headers) => booted.call(ME, { headers })));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 401],
  );
  assert.equal(listItems(await ada.get(`${ME}/sessions`)).length, 1);
});

test('a read token is shown once, kept as its hash, and listed without itself', async () => {
  const ada = await newAccount();
  const expiry = new Date(Date.now() + 3_600_000).toISOString();

  const made = await ada.send('POST', `${ME}/tokens`, { name: 'wall', expires_at: expiry });

  assert.equal(made.status, 201);
  assert.equal(made.headers.get('cache-control'), 'no-store');
  const token = String(made.json['token']);
  assert.match(token, /^nr_[0-9A-Za-z]{59}$/);
  const { token: _, ...listed } = made.json;
  const list = await ada.get(`${ME}/tokens`);
  assert.deepEqual(list.json, { items: [listed], next: null });
  assert.deepEqual(
    [listed['name'], listed['expires_at'], listed['last_used_at']],
    ['wall', expiry, null],
  );
  const stored = JSON.stringify([
    await booted.database.rows('select * from read_tokens'),
    await booted.database.rows('select * from audit'),
    await booted.database.rows('select * from signals'),
    booted.log(),
  ]);
  assert.ok(!stored.includes(token) && stored.includes(sha256Hex(token)));
});

for (const [what, body, pointer] of [
  ['no name', {}, '/name'],
  ['an end that has passed', { name: 'a', expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
  ['a day that no calendar has', { name: 'a', expires_at: '2027-02-30T00:00:00Z' }, '/expires_at'],
  ['an unknown field', { name: 'a', scope: 'write' }, '/scope'],
] as const) {
  test(`a read token with ${what} is refused`, async () => {
    const ada = await newAccount();

    const answer = await ada.send('POST', `${ME}/tokens`, body);

    assert.equal(formatCode(answer), '422 fields_invalid');
    assert.equal(answer.json['errors']?.[0]?.['pointer'], pointer);
  });
}

test('a person has twenty read tokens at most, also by twenty-five requests at once', async () => {
  const ada = await newAccount();

  const answers = await Promise.all(
    Array.from({ length: TOKENS_MAX + 5 }, () => ada.send('POST', `${ME}/tokens`, { name: 'a' })),
  );

  const codes = answers.map(formatCode).sort();
  assert.deepEqual(codes, [
    ...Array<string>(20).fill('201'),
    ...Array<string>(5).fill('422 limit_reached'),
  ]);
  const items = listItems(await ada.get(`${ME}/tokens`));
  assert.equal(items.length, 20);
  await ada.send('DELETE', `${ME}/tokens/${String(items[0]?.['id'])}`);
  assert.equal((await ada.send('POST', `${ME}/tokens`, { name: 'b' })).status, 201);
});

test('only its person revokes a read token, once, and streams and the audit report it', async () => {
  const [ada, bob] = [await newAccount(), await newAccount()];
  const made = await ada.send('POST', `${ME}/tokens`, { name: 'wall' });
  const id = String(made.json['id']);

  const answers = [
    await bob.send('DELETE', `${ME}/tokens/${id}`),
    await ada.send('DELETE', `${ME}/tokens/${id}`),
    await ada.send('DELETE', `${ME}/tokens/${id}`),
  ];

  assert.deepEqual(answers.map(formatCode), ['404 not_found', '204', '404 not_found']);
  assert.deepEqual(listItems(await ada.get(`${ME}/tokens`)), []);
  assert.deepEqual(await accessSignals(ada), [{ ended: 'token', id }]);
  assert.deepEqual(await audited(ada, 'audit'), [
    'token_issued Ada {"name":"wall"}',
    'token_revoked Ada {}',
  ]);
});

test('what has ended is refused by every process at once', async () => {
  const ada = await newAccount();
  const made = await ada.send('POST', `${ME}/tokens`, { name: 'wall' });
  const bearer = { Authorization: `Bearer ${String(made.json['token'])}` };
  // A SQLite database has one process.
  await using other = testEngine === 'postgres' ? await bootSecond(booted) : undefined;
  const ask = async (headers: Readonly<Record<string, string>>): Promise<number> =>
    (await (other ?? booted).call(ME, { headers })).status;
  const before = [await ask(bearer), await ask(ada.headers)];

  await ada.send('DELETE', `${ME}/tokens/${String(made.json['id'])}`);
  const token = await ask(bearer);
  await ada.send('DELETE', '/api/v1/session');
  const session = await ask(ada.headers);

  assert.deepEqual([...before, token, session], [200, 200, 401, 401]);
});

test('the operator sets a new password: all sessions and read tokens end', async () => {
  const ada = await newAccount();
  const token = await ada.send('POST', `${ME}/tokens`, { name: 'wall' });
  const { people, store } = booted.service;

  const id = await resetPassword(people, OPERATOR, {
    email: ada.email.toUpperCase(),
    password: NEW,
  });
  await store.write([...revokeTokens(id, Date.now())]);

  const bearer = { Authorization: `Bearer ${String(token.json['token'])}` };
  assert.equal((await ada.get(ME)).status, 401);
  assert.equal((await booted.call(ME, { headers: bearer })).status, 401);
  assert.equal((await anotherSession(ada, NEW)).status, 201);
  assert.deepEqual(await accessSignals(ada), [{ ended: 'tokens', id: null }]);
  assert.equal((await audited(ada)).at(-1), 'account_password_reset operator {}');
});

test('the operator cannot set a password of nobody, or one that is guessed first', async () => {
  const ada = await newAccount();
  const deps = booted.service.people;

  const nobody = resetPassword(deps, OPERATOR, { email: 'nobody@example.com', password: NEW });
  const guessable = resetPassword(deps, OPERATOR, { email: ada.email, password: 'a'.repeat(12) });

  await Promise.all([
    assert.rejects(nobody, { code: 'not_found' }),
    assert.rejects(guessable, { code: 'fields_invalid' }),
  ]);
});
