// `lothub notifications`: what the operator does beside a running service and without one.
import assert from 'node:assert/strict';
import { copyFile, mkdir, stat } from 'node:fs/promises';
import { join as joinPath } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { runProgram } from '@lothub/kit/cli/run-program';
import { systemClock } from '@lothub/kit/clock';
import { captureRun, testFolder, type CliRun } from '@lothub/kit/test/cli-run';
import { stretchForLoad } from '@lothub/kit/test/patience';
import { addNotificationCommands } from '../src/cli/commands.ts';
import { EXPECTED_ERRORS } from '../src/cli/expected-errors.ts';
import { openStore } from '../src/store/open-store.ts';
import { DATABASE_FILE_NAME, databaseFile } from '../src/store/sqlite/store.ts';
import { databaseFile as peopleFile } from '@lothub/people/store/sqlite/file';
import { API_KEY, FIRST_OWNER, GROUP_NAME, OWNER_EMAIL, boot } from './boot.ts';
import { newBarePostgres, testEngine } from './engine.ts';
import { newGroup, newPerson } from './people/person.ts';
import { postTo } from './stored-group.ts';

const booted = await boot({ env: FIRST_OWNER });
after(() => booted[Symbol.asyncDispose]());

/** docs/interface/notifications.md#keys */
const TAKEN_UP_WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 20;

const POSTS_OF_EACH = 200;

async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = booted.database.env,
): Promise<CliRun> {
  const outline = {
    name: 'lothub',
    description: 'Notifications alone.',
    version: '0',
    addCommands: addNotificationCommands,
    expected: EXPECTED_ERRORS,
  };
  return await captureRun(
    (terminal) => runProgram(outline, { args: ['notifications', ...args], terminal }),
    env,
  );
}

async function post(key: unknown): Promise<number> {
  const answer = await booted.send({
    method: 'POST',
    path: '/api/v1/ingest',
    body: { title: 'Oven too hot' },
    headers: { 'X-Api-Key': String(key) },
  });
  return answer.status;
}

/** What a key is answered with once that has changed; fails when that takes longer than it may. */
async function statusAfter(key: unknown, before: number): Promise<number> {
  const endsAt = Date.now() + stretchForLoad(TAKEN_UP_WITHIN_MS);
  for (;;) {
    const isLast = Date.now() >= endsAt;
    const status = await post(key);
    if (status !== before || isLast) return status;
    await wait(LOOK_EVERY_MS);
  }
}

function listItems(json: unknown): readonly Record<string, unknown>[] {
  return Object.values(json ?? {}) as Record<string, unknown>[];
}

test('a key that the command line issues posts into the running service, and is shown once', async () => {
  const groupId = await newGroup(await newPerson(booted));

  const issued = await run(['keys', 'issue', groupId, '--name', 'Oven 3', '--json']);
  const list = await run(['keys', 'list', groupId]);
  const json = await run(['keys', 'list', groupId, '--json']);

  assert.equal(issued.code, 0);
  const key = String(issued.json['key']?.['key']);
  assert.equal(await post(key), 201);
  for (const { stdout } of [list, json]) {
    assert.ok(!stdout.includes(key));
    assert.doesNotMatch(stdout, /[0-9a-f]{64}/);
  }
  assert.match(list.stdout, /^key id +name +state +created +last used\n\S+ +Oven 3 +active /);
  assert.deepEqual(
    listItems(json.json['keys']).map(({ name, created_by: by }) => [name, by]),
    [['Oven 3', null]],
  );
});

test('a key that the command line revokes is refused by the running service within a second', async () => {
  const groupId = await newGroup(await newPerson(booted));
  const issued = (await run(['keys', 'issue', groupId, '--name', 'a', '--json'])).json['key'];
  const before = await post(issued?.['key']);

  const revoked = await run(['keys', 'revoke', String(issued?.['id']), '--json']);

  assert.deepEqual([revoked.code, before], [0, 201]);
  assert.equal(await statusAfter(issued?.['key'], 201), 401);
  assert.equal(String(revoked.json['key']?.['state']), 'revoked');
});

test('a key that the command line rotates without overlap gives way to a new one', async () => {
  const groupId = await newGroup(await newPerson(booted));
  const old = (await run(['keys', 'issue', groupId, '--name', 'till', '--json'])).json['key'];
  const before = await post(old?.['key']);

  const args = ['keys', 'rotate', String(old?.['id']), '--overlap-hours', '0', '--json'];
  const rotated = (await run(args)).json;

  assert.equal(before, 201);
  assert.equal(await statusAfter(old?.['key'], 201), 401);
  assert.equal(await post(rotated['key']?.['key']), 201);
  assert.equal(String(rotated['key']?.['name']), 'till');
  assert.equal(String(rotated['replaces']?.['rotated_to']), String(rotated['key']?.['id']));
});

test('groups are listed with their members and what is in them', async () => {
  const { json, code } = await run(['groups', 'list', '--limit', '1', '--json']);
  const text = await run(['groups', 'list', '--limit', '1']);

  const [group] = listItems(json['groups']);
  assert.equal(code, 0);
  assert.deepEqual([group?.['name'], group?.['members']], [GROUP_NAME, 1]);
  assert.match(text.stdout, /^group id +name +state +members +notifications +created\ngrp_/);
});

test('a list that is longer than asked for says where it goes on', async () => {
  await newPerson(booted);
  await newPerson(booted);

  const first = await run(['accounts', 'list', '--limit', '2', '--json']);
  const next = String(first.json['next']);
  const second = await run(['accounts', 'list', '--limit', '1000', '--after', next, '--json']);
  const text = await run(['accounts', 'list', '--limit', '2']);

  const ids = [first, second].flatMap(({ json }) =>
    listItems(json['accounts']).map(({ id }) => id),
  );
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(ids.length, (await booted.database.rows('select id from people.accounts')).length);
  assert.equal(second.json['next'], null);
  assert.equal(text.stderr, `There are more: go on with --after ${next}\n`);
});

test('accounts are listed with neither passwords nor hashes', async () => {
  const { stdout } = await run(['accounts', 'list', '--json']);

  assert.ok(stdout.includes(OWNER_EMAIL));
  assert.doesNotMatch(stdout, /argon2|password|hash/);
});

test('a password that the command line sets logs in, and ends sessions and read tokens', async () => {
  const bob = await newPerson(booted, 'Bob');

  const reset = await run(['accounts', 'reset-password', bob.email.toUpperCase(), '--json']);

  assert.equal(reset.code, 0);
  const body = { email: bob.email, password: String(reset.json['password']) };
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const logIn = await booted.send({ method: 'POST', path: '/api/v1/session', body, headers });
  assert.ok(logIn.status < 300, logIn.text);
  assert.equal((await bob.get('/api/v1/groups')).status, 401);
  assert.ok(!booted.log().includes(body.password));
});

test('the audit says that it was the operator', async () => {
  const groupId = await newGroup(await newPerson(booted));
  await run(['keys', 'issue', groupId, '--name', 'Oven 3']);

  const { json } = await run(['audit', '--group', groupId, '--json']);
  const text = await run(['audit', '--group', groupId, '--limit', '1']);

  assert.deepEqual(
    listItems(json['entries']).map(({ actor, action }) => [actor, action]),
    [
      ['operator', 'key_issued'],
      ['Ada', 'group_created'],
    ],
  );
  assert.match(text.stdout, /operator +key_issued +grp_\w+ +\w+ +\{"name":"Oven 3"\}/);
});

test('the audit of everything has what belongs to no group as well', async () => {
  const bob = await newPerson(booted, 'Bob');
  await run(['accounts', 'reset-password', bob.email]);

  const { json } = await run(['audit', '--limit', '1', '--json']);

  const [entry] = listItems(json['entries']);
  assert.deepEqual(
    [entry?.['action'], entry?.['subject'], entry?.['group_id']],
    ['account_password_reset', bob.accountId, null],
  );
});

test('a set-up link is refused with words once somebody has an account', async () => {
  const refused = await run(['setup-link', '--json']);

  assert.equal(refused.code, 1);
  assert.equal(String(refused.json['error']?.['code']), 'conflict');
  assert.match(refused.stderr, /^lothub: Somebody has an account/);
});

test('a set-up link opens the set-up of a service without accounts', async () => {
  await using empty = await boot();

  const made = await run(['setup-link', '--json'], {
    ...empty.database.env,
    PUBLIC_URL: empty.base,
  });

  const url = new URL(String(made.json['url']));
  assert.equal(url.origin, empty.base);
  const secret = url.pathname.split('/').at(-1);
  const body = {
    token: secret,
    email: 'ada@example.com',
    name: 'Ada',
    password: 'a long sentence without sense',
  };
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const setUp = await empty.send({ method: 'POST', path: '/api/v1/setup', body, headers });
  assert.equal(setUp.status, 201, setUp.text);
});

for (const [args, code, error] of [
  [['keys', 'revoke', 'nobody'], 1, 'not_found'],
  [['keys', 'rotate', 'nobody'], 1, 'not_found'],
  [['keys', 'list', 'grp_nobody'], 1, 'not_found'],
  [['keys', 'issue', 'grp_nobody', '--name', 'a'], 1, 'not_found'],
  [['accounts', 'reset-password', 'nobody@example.com'], 1, 'not_found'],
  [['keys', 'issue', 'grp_nobody'], 2, 'usage_wrong'],
  [['keys', 'issue', 'grp_nobody', '--name', 'a\u001b[2J'], 2, 'usage_wrong'],
  [['keys', 'issue', 'grp_nobody', '--name', 'a', '--expires-at', 'soon'], 2, 'usage_wrong'],
  [['keys', 'rotate', 'nobody', '--overlap-hours', '169'], 2, 'usage_wrong'],
  [['groups', 'list', '--limit', '0'], 2, 'usage_wrong'],
  [['groups', 'list', '--limit', '1001'], 2, 'usage_wrong'],
  [['audit', '--after', '-1'], 2, 'usage_wrong'],
  [['nothing'], 2, 'usage_wrong'],
] as const) {
  test(`${JSON.stringify(args.join(' '))} ends with ${code} and ${error}`, async () => {
    const refused = await run([...args, '--json']);

    assert.deepEqual(
      [refused.code, String(refused.json['error']?.['code'])],
      [code, error],
      refused.stderr,
    );
  });
}

test('every command shows an example with its help', async () => {
  for (const command of [
    ...['setup-link', 'accounts list', 'accounts reset-password', 'groups list', 'keys list'],
    ...['keys issue', 'keys rotate', 'keys revoke', 'audit', 'backup'],
  ]) {
    const { code, stdout } = await run([...command.split(' '), '--help']);

    assert.equal(code, 0);
    assert.ok(stdout.includes(`Example:\n  lothub notifications ${command}`), stdout);
    assert.ok(stdout.includes('--json'), stdout);
  }
});

test('the token of a sender is issued for its adapter', async () => {
  const groupId = await newGroup(await newPerson(booted));
  const args = ['keys', 'issue', groupId, '--name', 'Alarms', '--json', '--adapter'];

  const issued = await run([...args, 'slack']);
  const refused = await run([...args, 'pager']);

  const { key, adapter } = issued.json['key'] ?? {};
  assert.deepEqual([issued.code, String(adapter)], [0, 'slack']);
  assert.match(String(key), /^na_\w{59}$/);
  assert.equal(refused.code, 2);
});

test('without a service nothing is made, and the command says where it looked', async () => {
  await using folder = await testFolder();
  const dataDir = folder.file('none');

  const refused = await run(['groups', 'list', '--json'], { DATA_DIR: dataDir });

  assert.equal(refused.code, 2);
  assert.equal(String(refused.json['error']?.['code']), 'hub_missing');
  assert.ok(refused.stderr.includes(dataDir));
  await assert.rejects(stat(dataDir), { code: 'ENOENT' });
});

test('a database of a newer program is left alone', async () => {
  await using newer = await boot();
  await newer.service.close();
  await newer.database.change(
    "insert into schema_versions (service, version, name) values ('notifications', 99, 'later')",
  );

  const refused = await run(['groups', 'list', '--json'], newer.database.env);

  assert.equal(String(refused.json['error']?.['code']), 'hub_outdated', refused.stderr);
});

test('two processes that post into one group give gap-free seqs in the order of positions', async () => {
  const groupId = await newGroup(await newPerson(booted));
  const { dataDir, databaseUrl } = booted.database;
  const onFatal = (error: Error): void => {
    throw error;
  };
  await using beside = await openStore({ dataDir, databaseUrl, clock: systemClock, onFatal });
  const { store } = booted.service;

  // Each waits for its own post before the next, so that the two take turns.
  await Promise.all(
    [store, beside].map(async (one) => {
      for (let count = 0; count < POSTS_OF_EACH; count += 1) await one.post(postTo(groupId));
    }),
  );

  const rows = await booted.database.rows(
    'select seq from notifications where group_id = ? order by id',
    groupId,
  );
  assert.deepEqual(
    rows.map(({ seq }) => seq),
    Array.from({ length: 2 * POSTS_OF_EACH }, (_, index) => index + 1),
  );
  const [head] = await booted.database.rows('select position from feed_head');
  const [newest] = await booted.database.rows(
    'select (select max(id) from notifications) as post, (select max(position) from signals) as signal',
  );
  assert.equal(head?.['position'], Math.max(Number(newest?.['post']), Number(newest?.['signal'])));
});

test('what another process writes reaches a reader of the running service', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  const { dataDir, databaseUrl } = booted.database;
  const onFatal = (error: Error): void => {
    throw error;
  };
  const closing = new AbortController();
  const stream = await fetch(`${booted.base}/api/v1/groups/${groupId}/stream`, {
    headers: ada.headers,
    signal: closing.signal,
  });
  await using beside = await openStore({ dataDir, databaseUrl, clock: systemClock, onFatal });

  await beside.post(postTo(groupId, { title: 'From beside' }));

  let output = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream.body!) {
    output += decoder.decode(chunk as Uint8Array, { stream: true });
    if (output.includes('From beside')) break;
  }
  closing.abort();
  assert.match(output, /event: notification\n/);
});

// PostgreSQL has tools of its own.
if (testEngine === 'sqlite') {
  test('a backup of a running service is two files from which it starts again', async () => {
    await using folder = await testFolder();
    const file = folder.file('copy.db');
    await post(API_KEY);

    const backedUp = await run(['backup', file, '--json']);
    await post(API_KEY);

    assert.equal(backedUp.code, 0, backedUp.stderr);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((await stat(file)).size, Number(backedUp.json['bytes']));
    const dataDir = folder.file('restored');
    await mkdir(dataDir);
    await copyFile(file, joinPath(dataDir, DATABASE_FILE_NAME));
    const alone = await run(['groups', 'list', '--json'], { DATA_DIR: dataDir });
    await copyFile(folder.file('copy.people.db'), peopleFile(dataDir));
    const restored = await run(['groups', 'list', '--limit', '1', '--json'], { DATA_DIR: dataDir });
    using live = new DatabaseSync(databaseFile(booted.database.dataDir), { readOnly: true });
    const now = Number(live.prepare('select count(*) as rows from notifications').get()?.['rows']);
    assert.equal(Number(backedUp.json['notifications']), now - 1);
    assert.equal(listItems(restored.json['groups'])[0]?.['name'], GROUP_NAME);
    assert.equal(alone.json['error']?.['code'], 'hub_missing');
    assert.match(alone.stderr, /^lothub: opening the people in /);
  });

  test('a backup replaces a file only when it is asked to, and never the database itself', async () => {
    await using folder = await testFolder();
    const file = folder.file('copy.db');
    await run(['backup', file]);

    const again = await run(['backup', file, '--json']);
    const forced = await run(['backup', file, '--force', '--json']);
    const itself = databaseFile(booted.database.dataDir);
    const onItself = await run(['backup', itself, '--force', '--json']);

    assert.deepEqual(
      [again, forced, onItself].map(({ code, json }) => [code, json['error']?.['code']]),
      [
        [2, 'file_exists'],
        [0, undefined],
        [2, 'usage_wrong'],
      ],
    );
  });
} else {
  test('a backup of PostgreSQL is left to its own tools', async () => {
    const refused = await run(['backup', 'anywhere.db', '--json']);

    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /pg_dump/);
  });

  test('an empty PostgreSQL database stays empty', async () => {
    await using bare = await newBarePostgres();

    const refused = await run(['groups', 'list', '--json'], bare.env);

    assert.equal(String(refused.json['error']?.['code']), 'hub_missing');
    const tables = await bare.rows(
      "select 1 as found from information_schema.schemata where schema_name = 'notifications'",
    );
    assert.equal(tables.length, 0);
  });
}

test('the audit of everything is read in pages without gap or repetition', async () => {
  const bob = await newPerson(booted, 'Bob');
  await run(['accounts', 'reset-password', bob.email]);
  const whole = await run(['audit', '--limit', '1000', '--json']);

  const paged: unknown[] = [];
  let next: string | null = null;
  do {
    const after: readonly string[] = next === null ? [] : ['--after', next];
    const { json } = await run(['audit', '--limit', '3', ...after, '--json']);
    paged.push(...listItems(json['entries']));
    next = (json['next'] as unknown as string | null) ?? null;
  } while (next !== null);

  assert.deepEqual(paged, listItems(whole.json['entries']));
  const times = listItems(whole.json['entries']).map(({ at }) => String(at));
  assert.deepEqual(times, times.toSorted().reverse());
});
