// The first account: by the link that a start prints, by settings, and never a second time.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { SettingsError } from '@lothub/kit/settings';
import { ensureFirstOwner } from '../../src/people/first-owner.ts';
import { makeSetupLink } from '@lothub/people/accounts/set-up';
import { readSettings } from '../../src/settings.ts';
import { API_KEY, FIRST_OWNER, GROUP_NAME, OWNER_EMAIL, OWNER_PASSWORD, boot } from '../boot.ts';
import type { Answer, Booted } from '../boot.ts';

const ADA = { name: 'Ada', email: 'Ada@Example.com', password: 'kumquat on a stick' };
const HOUR_MS = 60 * 60 * 1_000;

function readSecret(booted: Booted): string {
  const url = booted.service.setupLink?.url ?? '';
  const [, secret = ''] = /\/inbox\/setup\/([0-9A-Za-z]{43})$/.exec(url) ?? [];
  return secret;
}

async function setUp(booted: Booted, body: Readonly<Record<string, unknown>>): Promise<Answer> {
  return await booted.send({ method: 'POST', path: '/api/v1/setup', body });
}

async function count(booted: Booted, table: string): Promise<number> {
  const [row] = await booted.database.rows(`select count(*) as n from ${table}`);
  return Number(row?.['n']);
}

const clock = { nowMs: () => Date.now() };

/** Nobody has an account here before the last test that uses it. */
const untouched = await boot({ env: { LOG_LEVEL: 'trace' } });
after(() => untouched[Symbol.asyncDispose]());

/** The last part of another link. */
async function newSecret(booted: Booted, at = clock): Promise<string> {
  const { people } = booted.service;
  const link = await makeSetupLink({ ...people, clock: at, prefix: '/inbox' });
  return link.url.split('/').at(-1) ?? '';
}

test('without an account a start makes a link for 24 hours, of which only the hash is kept', async () => {
  const link = untouched.service.setupLink;

  assert.ok(link !== undefined);
  const secret = readSecret(untouched);
  assert.match(secret, /^[0-9A-Za-z]{43}$/);
  const [row] = await untouched.database.rows('select * from people.setup_links');
  assert.equal(row?.['token_hash'], sha256Hex(secret));
  assert.equal(Number(row['expires_at']) - Number(row['created_at']), 24 * HOUR_MS);
  assert.equal(row['expires_at'], link.expiresAt);
  const stored = JSON.stringify([row, await untouched.database.rows('select * from audit')]);
  assert.ok(!stored.includes(secret) && !untouched.log().includes(secret));
});

test('the link makes the first account with a group, logs it in, and is used up', async () => {
  await using booted = await boot({ env: { LOG_LEVEL: 'trace' } });
  const body = { token: readSecret(booted), ...ADA, group: 'Bakery' };

  const made = await setUp(booted, body);

  assert.equal(made.status, 201);
  const cookie = made.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const me = await booted.call('/api/v1/me', { headers: { Cookie: cookie } });
  assert.deepEqual(me.json, made.json['person']);
  assert.equal(me.json['email'], 'ada@example.com');
  const groups = await booted.call('/api/v1/groups', { headers: { Cookie: cookie } });
  const [group] = Object.values(groups.json['items'] ?? {});
  assert.deepEqual(
    [group?.['id'], group?.['name'], group?.['role']],
    [made.json['group_id'], 'Bakery', 'owner'],
  );
  const again = await setUp(booted, { ...body, email: 'eve@example.com' });
  assert.deepEqual([again.status, again.json['code']], [410, 'link_used_up']);
  assert.equal(await count(booted, 'people.accounts'), 1);
  const actions = [
    ...(await booted.database.rows('select action, actor from people.audit order by id')),
    ...(await booted.database.rows('select action, actor from audit order by id')),
  ];
  assert.deepEqual(
    actions.map(({ action, actor }) => [action, actor]),
    [
      ['setup_link_made', 'service'],
      ['account_created', 'Ada'],
      ['role_granted', 'service'],
      ['group_created', 'Ada'],
    ],
  );
  const grants = await booted.database.rows('select account_id, place, role from people.grants');
  assert.deepEqual(grants.map(Object.values), [[me.json['id'], 'hub', 'operator']]);
  const stored = JSON.stringify(await booted.database.rows('select * from people.accounts'));
  assert.ok(!stored.includes(ADA.password));
  assert.ok(!booted.log().includes(ADA.password) && !booted.log().includes(body.token));
});

test('what is wrong with the first person is named, and nobody gets an account', async () => {
  const token = readSecret(untouched);

  const fields = await setUp(untouched, {
    token,
    name: ' ',
    email: 'ada',
    password: 'kumquat',
    x: 1,
  });
  const guessable = await setUp(untouched, { token, ...ADA, password: 'ADA@example.com' });
  const group = await setUp(untouched, { token, ...ADA, group: '\u200b' });

  const pointers = Object.values(fields.json['errors'] ?? {}).map((one) => one['pointer']);
  assert.deepEqual(new Set(pointers), new Set(['/name', '/email', '/password', '/x']));
  assert.equal(guessable.status, 422);
  assert.deepEqual(guessable.json['errors'], [
    { pointer: '/password', code: 'guessable', limit: null, actual: null },
  ]);
  assert.equal(group.json['errors']?.[0]?.['pointer'], '/group');
  assert.equal(await count(untouched, 'people.accounts'), 0);
});

test('a link that nobody made is not found, and one of yesterday is used up', async () => {
  const token = await newSecret(untouched);

  const unknown = await setUp(untouched, { token: token.replace(/^./, '_'), ...ADA });
  await untouched.database.change(
    'update people.setup_links set expires_at = ? where token_hash = ?',
    Date.now(),
    sha256Hex(token),
  );
  const late = await setUp(untouched, { token, ...ADA });

  assert.deepEqual([unknown.status, unknown.json['code']], [404, 'not_found']);
  assert.deepEqual([late.status, late.json['code']], [410, 'link_used_up']);
  assert.equal(await count(untouched, 'people.accounts'), 0);
});

test('twenty links are kept, the newest; one that works makes no group unless asked to', async () => {
  let nowMs = Date.now();
  const later = { nowMs: () => (nowMs += 1) };
  let newest = '';
  for (let i = 0; i < 21; i += 1) newest = await newSecret(untouched, later);

  const first = await setUp(untouched, { token: readSecret(untouched), ...ADA });
  const made = await setUp(untouched, { token: newest, ...ADA });

  assert.equal(first.status, 404);
  assert.deepEqual([made.status, made.json['group_id']], [201, null]);
  assert.equal(await count(untouched, 'people.setup_links'), 20);
  assert.equal(await count(untouched, 'groups'), 0);
});

test('settings make an owner, a group and a key that posts, once, and there is no link', async () => {
  const booted = await boot({ env: FIRST_OWNER });
  const changed = {
    ...FIRST_OWNER,
    NOTIFICATIONS_OWNER_EMAIL: 'eve@example.com',
    NOTIFICATIONS_API_KEY: 'x'.repeat(32),
  };
  await booted.service.close();

  await using restarted = await boot({ env: changed, database: booted.database });

  assert.equal(restarted.service.setupLink, undefined);
  await assert.rejects(newSecret(restarted), { code: 'conflict' });
  assert.equal(await count(restarted, 'people.setup_links'), 0);
  const accounts = await restarted.database.rows('select email, name from people.accounts');
  assert.deepEqual(
    accounts.map((row) => ({ ...row })),
    [{ email: OWNER_EMAIL, name: 'owner' }],
  );
  const groups = await restarted.database.rows('select name from groups');
  assert.deepEqual(
    groups.map((row) => ({ ...row })),
    [{ name: GROUP_NAME }],
  );
  const posts = await Promise.all(
    [API_KEY, 'x'.repeat(32)].map((key) =>
      restarted.send({
        method: 'POST',
        path: '/api/v1/ingest',
        body: { title: 'Oven 3 is hot' },
        headers: { 'X-Api-Key': key },
      }),
    ),
  );
  assert.deepEqual(
    posts.map(({ status }) => status),
    [201, 401],
  );
  const all = JSON.stringify([
    await restarted.database.rows('select * from group_keys'),
    await restarted.database.rows('select * from audit'),
    await restarted.database.rows('select * from people.accounts'),
    booted.log(),
    restarted.log(),
  ]);
  assert.ok(!all.includes(API_KEY) && !all.includes(OWNER_PASSWORD));
});

test('a password of the settings that is guessed first stops the start, and is not repeated', () => {
  const env = { ...FIRST_OWNER, NOTIFICATIONS_OWNER_PASSWORD: 'aaaaaaaaaaaaa' };

  assert.throws(
    () => readSettings(env),
    (error) => {
      assert.ok(error instanceof SettingsError);
      assert.match(error.message, /^NOTIFICATIONS_OWNER_PASSWORD is not usable: give 12 to 1000 /);
      assert.ok(!error.message.includes('aaa'));
      return true;
    },
  );
});

test('of several that make the first owner at once, one does', async () => {
  await using booted = await boot();
  const { people, store } = booted.service;
  const owner = {
    email: OWNER_EMAIL,
    password: OWNER_PASSWORD,
    group: GROUP_NAME,
    apiKey: API_KEY,
  };

  await Promise.all([1, 2, 3].map(() => ensureFirstOwner({ people, store }, owner)));

  assert.equal(await count(booted, 'people.accounts'), 1);
  assert.equal(await count(booted, 'groups'), 1);
  assert.equal(await count(booted, 'group_keys'), 1);
  assert.equal((await setUp(booted, { token: readSecret(booted), ...ADA })).status, 410);
});
