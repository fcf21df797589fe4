// Who is asking: sessions, read tokens, other sites, and groups that one is not in.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { issueToken } from '../../src/people/tokens/tokens.ts';
import { boot, type Answer, type Booted } from '../boot.ts';
import { join, newGroup, newPerson, type TestPerson } from './person.ts';

const PUBLIC_URL = 'https://inbox.example.com';
const DAY_MS = 24 * 60 * 60 * 1_000;
const ME = '/api/v1/me';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());

function readSecret(person: TestPerson): string {
  return person.headers['Cookie']?.split('=')[1] ?? '';
}

function formatCode({ status, json }: Answer): string {
  return `${status} ${String(json['code'] ?? '')}`.trim();
}

async function rename(person: TestPerson, headers: Record<string, string>): Promise<Answer> {
  const { Cookie: cookie = '' } = person.headers;
  return await booted.send({
    method: 'PATCH',
    path: ME,
    body: { name: 'Grace' },
    headers: { Cookie: cookie, ...headers },
  });
}

async function newToken(person: TestPerson, expiresAt: string | null = null): Promise<string> {
  const { accountId, email, name } = person;
  const clock = { nowMs: () => Date.now() };
  const via = { kind: 'session', tokenHash: '', validUntil: 0 } as const;
  const { store } = booted.service;
  const asking = { accountId, email, name, via };
  const made = await issueToken({ store, clock }, asking, { name: 'wall', expiresAt });
  return made.token;
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

async function sessionRow(person: TestPerson): Promise<Readonly<Record<string, number>>> {
  const [row] = await booted.database.rows(
    'select created_at, last_seen_at, expires_at from people.sessions where token_hash = ?',
    sha256Hex(readSecret(person)),
  );
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, at]) => [name, Number(at)]));
}

/** Waits for what is written beside an answer. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 5_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < end, 'it did not become so within 5 s');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('without a session or a token there is nothing to see, and the answer says how to come in', async () => {
  const answer = await booted.call(ME);

  assert.equal(formatCode(answer), '401 login_required');
  assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
});

test('a session says who is asking, and nobody may keep the answer', async () => {
  const ada = await newPerson(booted);

  const answer = await ada.get(ME);

  assert.deepEqual(answer.json, { id: ada.accountId, email: ada.email, name: 'Ada' });
  assert.equal(answer.headers.get('cache-control'), 'no-store');
});

test('using a session moves its end to 30 days from now, written at most once a minute', async () => {
  const ada = await newPerson(booted);
  const fresh = await sessionRow(ada);
  await ada.get(ME);
  const soon = await sessionRow(ada);
  const before = Date.now();
  await booted.database.change(
    'update people.sessions set last_seen_at = ?, expires_at = ? where account_id = ?',
    before - 60_000,
    before + DAY_MS,
    ada.accountId,
  );

  await ada.get(ME);

  await until(async () => ((await sessionRow(ada))['last_seen_at'] ?? 0) >= before);
  const moved = await sessionRow(ada);
  assert.deepEqual(soon, fresh);
  assert.equal((moved['expires_at'] ?? 0) - (moved['last_seen_at'] ?? 0), 30 * DAY_MS);
});

test('a session that is used all the time ends after 90 days', async () => {
  const ada = await newPerson(booted);
  const created = Date.now() - 80 * DAY_MS;
  await booted.database.change(
    'update people.sessions set created_at = ?, last_seen_at = ? where account_id = ?',
    created,
    Date.now() - 60_000,
    ada.accountId,
  );

  await ada.get(ME);

  await until(async () => (await sessionRow(ada))['expires_at'] === created + 90 * DAY_MS);
});

for (const [what, headers] of [
  ['Sec-Fetch-Site: cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['Sec-Fetch-Site: same-site', { 'Sec-Fetch-Site': 'same-site' }],
  ['a site that is not known', { 'Sec-Fetch-Site': 'near' }],
  ['another site, whatever its origin says', { 'Sec-Fetch-Site': 'cross-site', Origin: 'SELF' }],
  ['the origin of another host', { Origin: 'https://evil.example.com' }],
  ['the origin of another port', { Origin: 'http://127.0.0.1:1' }],
  ['an origin that is hidden', { Origin: 'null' }],
  ['no word about its origin', {}],
] as const) {
  test(`a change with a session and ${what} is refused`, async () => {
    const ada = await newPerson(booted);
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        value === 'SELF' ? booted.base : value,
      ]),
    );

    const answer = await rename(ada, sent);

    assert.equal(formatCode(answer), '403 cross_site_refused');
    assert.equal((await ada.get(ME)).json['name'], 'Ada');
  });
}

for (const [what, headers] of [
  ['Sec-Fetch-Site: same-origin', { 'Sec-Fetch-Site': 'same-origin' }],
  ['Sec-Fetch-Site: none', { 'Sec-Fetch-Site': 'none' }],
  ['the origin of this host', { Origin: 'SELF' }],
] as const) {
  test(`a change with a session and ${what} is made`, async () => {
    const ada = await newPerson(booted);
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        value === 'SELF' ? booted.base : value,
      ]),
    );

    const answer = await rename(ada, sent);

    assert.deepEqual([answer.status, answer.json['name']], [200, 'Grace']);
  });
}

test('another site may make a browser read with a session, which reveals nothing to that site', async () => {
  const ada = await newPerson(booted);
  const { Cookie: cookie = '' } = ada.headers;

  const answer = await booted.call(ME, {
    headers: { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example.com' },
  });

  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('access-control-allow-origin'), null);
});

for (const path of ['session', 'setup', 'invitations/accept']) {
  test(`another site cannot send ${path} from a browser, and a program without one can`, async () => {
    const request = { method: 'POST', path: `/api/v1/${path}`, body: {} } as const;

    const crossSite = await booted.send({
      ...request,
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    });
    const program = await booted.send(request);

    assert.equal(formatCode(crossSite), '403 cross_site_refused');
    assert.equal(formatCode(program), '422 fields_invalid');
  });
}

test('a read token reads in the name of its person', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  const token = await newToken(ada);

  const answers = await Promise.all(
    [ME, '/api/v1/groups', `/api/v1/groups/${groupId}`, '/api/v1/unread'].map((path) =>
      booted.call(path, { headers: bearer(token) }),
    ),
  );

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  assert.equal(answers[0]?.json['id'], ada.accountId);
});

test('a read token changes nothing and sees nothing of accounts, keys and settings', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  const headers = bearer(await newToken(ada));
  const group = `/api/v1/groups/${groupId}`;
  const writes = [
    ['PATCH', ME],
    ['PUT', `${ME}/password`],
    ['DELETE', `${ME}/sessions`],
    ['POST', `${ME}/tokens`],
    ['POST', '/api/v1/groups'],
    ['PATCH', group],
    ['POST', `${group}/invitations`],
    ['POST', `${group}/keys`],
    ['POST', `${group}/test`],
    ['PUT', `${group}/read-state`],
    ['PUT', `${group}/notifications/1/read`],
  ] as const;
  const reads = ['sessions', 'tokens'].map((part) => `${ME}/${part}`);
  reads.push(...['members', 'invitations', 'keys', 'audit'].map((part) => `${group}/${part}`));

  const written = await Promise.all(
    writes.map(([method, path]) => booted.send({ method, path, body: {}, headers })),
  );
  const read = await Promise.all(reads.map((path) => booted.call(path, { headers })));

  assert.deepEqual(new Set([...written, ...read].map(formatCode)), new Set(['403 wrong_scope']));
});

test('a token beside a session counts as a token', async () => {
  const ada = await newPerson(booted);

  const answer = await rename(ada, {
    ...bearer(await newToken(ada)),
    'Sec-Fetch-Site': 'same-origin',
  });

  assert.equal(formatCode(answer), '403 wrong_scope');
});

test('an authorization of another scheme, as proxies ask for, leaves the session as it is', async () => {
  const ada = await newPerson(booted);

  const answer = await booted.call(ME, {
    headers: { ...ada.headers, Authorization: 'Basic YTpi' },
  });

  assert.equal(answer.status, 200);
});

test('a token that is mistyped, of nobody, expired or revoked opens nothing', async () => {
  const ada = await newPerson(booted);
  const token = await newToken(ada);
  const id = token.slice(3, 13);
  const mistyped = token.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
  const read = (sent: string): Promise<Answer> => booted.call(ME, { headers: bearer(sent) });
  const setEnd = (at: number): Promise<number> =>
    booted.database.change('update read_tokens set expires_at = ? where id = ?', at, id);

  const answers = [await read(''), await read(mistyped), await read(sha256Hex(token))];
  await setEnd(Date.now() + 60_000);
  const before = await read(token);
  await setEnd(Date.now());
  answers.push(await read(token));
  await setEnd(Date.now() + 60_000);
  const revoked = await ada.send('DELETE', `${ME}/tokens/${id}`);
  answers.push(await read(token));

  assert.equal(before.status, 200);
  assert.equal(revoked.status, 204);
  assert.deepEqual(new Set(answers.map(formatCode)), new Set(['401 token_invalid']));
  assert.equal(answers[0]?.headers.get('www-authenticate'), 'Bearer error="invalid_token"');
});

test('when a token was last used is kept to the minute', async () => {
  const ada = await newPerson(booted);
  const token = await newToken(ada);
  const lastUsed = async (): Promise<number> => {
    const [row] = await booted.database.rows(
      'select last_used_at from read_tokens where account_id = ?',
      ada.accountId,
    );
    return Number(row?.['last_used_at'] ?? 0);
  };

  await booted.call(ME, { headers: bearer(token) });
  await until(async () => (await lastUsed()) > 0);
  const first = await lastUsed();
  await booted.call(ME, { headers: bearer(token) });
  await booted.call(ME, { headers: bearer(token) });

  assert.equal(await lastUsed(), first);
});

test('a group of others answers byte for byte as one that does not exist', async () => {
  const ada = await newPerson(booted);
  const bob = await newPerson(booted, 'Bob');
  const groupId = await newGroup(ada);
  const paths = ['', '/members', '/invitations', '/keys', '/audit', '/notifications'];
  const readErrors = async (id: string): Promise<readonly unknown[]> =>
    await Promise.all(
      paths.map(async (path) => {
        const { status, text, headers } = await bob.get(`/api/v1/groups/${id}${path}`);
        const body = text.replace(/"request_id":"[^"]*"/, '').replaceAll(id, '');
        return [status, body, [...headers.keys()].sort()];
      }),
    );

  const [theirs, none] = [await readErrors(groupId), await readErrors('grp_000000000000')];

  assert.deepEqual(theirs, none);
  assert.deepEqual(
    new Set(theirs.map((one) => JSON.stringify(one).slice(0, 4))),
    new Set(['[404']),
  );
});

test('somebody who was taken out of a group sees it no more', async () => {
  const ada = await newPerson(booted);
  const bob = await newPerson(booted, 'Bob');
  const groupId = await newGroup(ada);
  await join(booted, { groupId, person: bob });
  const before = await bob.get(`/api/v1/groups/${groupId}`);

  await ada.send('DELETE', `/api/v1/groups/${groupId}/members/${bob.accountId}`);

  assert.equal(before.status, 200);
  assert.equal(formatCode(await bob.get(`/api/v1/groups/${groupId}`)), '404 not_found');
});

async function withLimits(): Promise<Booted> {
  return await boot({
    env: {
      PUBLIC_URL,
      NOTIFICATIONS_RATE_PERSON_BURST: '3',
      NOTIFICATIONS_RATE_PERSON_PER_SECOND: '1',
    },
  });
}

test('behind https cookies are bound to the host, and requests of a person are counted', async () => {
  await using limited = await withLimits();
  const [ada, bob] = [await newPerson(limited), await newPerson(limited, 'Bob')];
  const asHost = ({ headers }: TestPerson) => ({
    headers: { Cookie: `__Host-${headers['Cookie'] ?? ''}` },
  });

  const plain = await limited.call(ME, { headers: ada.headers });
  const answers = await Promise.all([1, 2, 3, 4].map(() => limited.call(ME, asHost(ada))));
  const other = await limited.call(ME, asHost(bob));
  const changed = await limited.send({
    method: 'PATCH',
    path: ME,
    body: { name: 'Grace' },
    headers: { ...asHost(bob).headers, Origin: PUBLIC_URL },
  });

  assert.equal(formatCode(plain), '401 login_required');
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 429]);
  const refused = answers.find(({ status }) => status === 429);
  assert.equal(refused?.json['code'], 'rate_limited');
  assert.equal(refused.headers.get('retry-after'), '1');
  assert.equal(refused.headers.get('ratelimit-limit'), '3');
  assert.equal(refused.headers.get('ratelimit-remaining'), '0');
  assert.deepEqual([other.status, changed.status], [200, 200]);
});
