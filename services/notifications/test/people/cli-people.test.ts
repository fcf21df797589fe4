// `lothub people`: what the operator does with accounts and roles beside a running service.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { runProgram, type ProgramOutline } from '@lothub/kit/cli/run-program';
import { captureRun, testFolder, type CliRun } from '@lothub/kit/test/cli-run';
import { addPeopleCommands } from '@lothub/people/cli/commands';
import { PeopleProblem } from '@lothub/people/errors';
import { readInboxPeople } from '../../src/cli/people.ts';
import { Problem } from '../../src/errors.ts';
import { FIRST_OWNER, OWNER_EMAIL, OWNER_PASSWORD, boot } from '../boot.ts';
import { join, newGroup, newPerson } from './person.ts';

const booted = await boot({ env: FIRST_OWNER });
after(() => booted[Symbol.asyncDispose]());

async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = booted.database.env,
): Promise<CliRun> {
  const outline: ProgramOutline = {
    name: 'lothub',
    description: 'People alone.',
    version: '0',
    addCommands: (program, invocation) => {
      addPeopleCommands(program, invocation, readInboxPeople);
    },
    expected: [PeopleProblem, Problem],
  };
  return await captureRun(
    (terminal) => runProgram(outline, { args: ['people', ...args], terminal }),
    env,
  );
}

function listItems(json: unknown): readonly Record<string, unknown>[] {
  return Object.values(json ?? {}) as Record<string, unknown>[];
}

async function listPeople(...where: readonly string[]): Promise<readonly string[]> {
  const { json } = await run(['list', ...where, '--json']);
  return listItems(json['people']).map(({ email, role }) => `${String(email)} ${String(role)}`);
}

test('an inbox from before gets its operator and a brand its manager by the command line', async () => {
  const ada = await newPerson(booted);

  const operator = await run(['grant', '--operator', ada.email.toUpperCase()]);
  const led = await run(['grant', ada.email, '--brand', 'bakery', '--role', 'manager', '--json']);

  assert.equal(operator.code, 0, operator.stderr);
  assert.match(operator.stdout, new RegExp(`^${ada.email} is operator of hub now\\.\n$`));
  assert.equal(led.json['place'], 'brand:bakery');
  assert.ok((await listPeople('--operator')).includes(`${ada.email} operator`));
  assert.deepEqual(await listPeople('--brand', 'bakery'), [`${ada.email} manager`]);
  const all = await run(['list']);
  assert.match(all.stdout, /^account id +e-mail +name +roles +created +last seen\n/);
  assert.match(all.stdout, /Ada +manager of brand:bakery, operator of hub /);
});

test('the last manager is not revoked, and a second one is', async () => {
  const [ada, bob] = [await newPerson(booted), await newPerson(booted, 'Bob')];
  const brand = ['--brand', 'dairy'];
  await run(['grant', ada.email, ...brand, '--role', 'manager']);

  const last = await run(['revoke', ada.email, ...brand, '--json']);
  await run(['grant', bob.email, ...brand, '--role', 'manager']);
  const second = await run(['revoke', ada.email, ...brand]);

  assert.deepEqual([last.code, last.json['error']?.['code']], [1, 'conflict']);
  assert.equal(second.code, 0);
  assert.deepEqual(await listPeople(...brand), [`${bob.email} manager`]);
});

test('an invitation is printed once with its link, listed without it, and withdrawn', async () => {
  const brand = ['--brand', 'mill'];

  const made = await run([
    'invite',
    ...brand,
    '--role',
    'quality',
    '--email',
    'n@x.example',
    '--json',
  ]);
  const link = String(made.json['url']);
  const list = await run(['invitations', 'list', ...brand]);
  const before = await booted.call(new URL(link).pathname);
  const withdrawn = await run(['invitations', 'withdraw', String(made.json['id']), ...brand]);
  const again = await run(['invitations', 'withdraw', String(made.json['id']), ...brand]);
  const after = await booted.call(new URL(link).pathname);

  assert.match(link, /\/inbox\/invitation\/[0-9A-Za-z]{43}$/);
  assert.match(
    list.stdout,
    /^invitation id +role +for +made by +ends\n\S+ +quality +n@x\.example +operator /,
  );
  assert.ok(!list.stdout.includes(link.split('/').at(-1) ?? ''));
  assert.deepEqual([before.status, after.status], [200, 410]);
  assert.deepEqual([withdrawn.code, again.code], [0, 1]);
});

test('a new password ends sessions and read tokens at once, and is printed once', async () => {
  const ada = await newPerson(booted);
  const issued = await ada.send('POST', '/api/v1/me/tokens', { name: 'wall' });
  const bearer = { headers: { Authorization: `Bearer ${String(issued.json['token'])}` } };
  const before = [await ada.get('/api/v1/me'), await booted.call('/api/v1/me', bearer)];

  const reset = await run(['reset-password', ada.email, '--json']);

  const after = [await ada.get('/api/v1/me'), await booted.call('/api/v1/me', bearer)];
  assert.deepEqual(
    [before, after].map((answers) => answers.map(({ status }) => status)),
    [
      [200, 200],
      [401, 401],
    ],
  );
  const login = await booted.send({
    method: 'POST',
    path: '/api/v1/session',
    body: { email: ada.email, password: reset.json['password'] },
  });
  assert.equal(login.status, 201);
});

test('an export has account, groups, roles, sessions, tokens and audit, and no secret', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada, 'Oven');
  const token = await ada.send('POST', '/api/v1/me/tokens', { name: 'wall' });
  await run(['grant', ada.email, '--brand', 'mill', '--role', 'viewer']);

  const { code, json, stdout } = await run(['export', ada.email, '--json']);

  assert.equal(code, 0);
  assert.equal(json['account']?.['email'], ada.email);
  assert.deepEqual(
    listItems(json['places']).map(({ place, name, role }) => [place, name, role]),
    [
      ['brand:mill', 'mill', 'viewer'],
      [`group:${groupId}`, 'Oven', 'owner'],
    ],
  );
  assert.deepEqual(
    listItems(json['sessions']).map(({ agent }) => agent),
    ['test'],
  );
  assert.deepEqual(
    listItems(json['more']?.['read_tokens']).map(({ name }) => name),
    ['wall'],
  );
  assert.deepEqual(
    listItems(json['audit']).map(({ action }) => action),
    ['role_granted'],
  );
  assert.ok(!stdout.includes(String(token.json['token'])));
  assert.doesNotMatch(stdout, /[0-9a-f]{64}|nobody logs in with it/);
});

test('who is removed is out of groups and brands and logged out at once, and the name stays', async () => {
  const [ada, olga] = [await newPerson(booted), await newPerson(booted, 'Olga')];
  const groupId = await newGroup(olga);
  await join(booted, { groupId, person: ada });
  await run(['grant', olga.email, '--brand', 'inn', '--role', 'manager']);
  await run(['grant', ada.email, '--brand', 'inn', '--role', 'manager']);
  const issued = await ada.send('POST', '/api/v1/me/tokens', { name: 'wall' });
  const bearer = { headers: { Authorization: `Bearer ${String(issued.json['token'])}` } };
  const invited = await run([
    'invite',
    '--brand',
    'inn',
    '--role',
    'viewer',
    '--email',
    ada.email,
    '--json',
  ]);

  const removed = await run(['remove', ada.email]);

  assert.equal(removed.code, 0, removed.stderr);
  const answers = [await ada.get('/api/v1/me'), await booted.call('/api/v1/me', bearer)];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 401],
  );
  assert.deepEqual(await listPeople('--brand', 'inn'), [`${olga.email} manager`]);
  const members = await olga.get(`/api/v1/groups/${groupId}/members`);
  assert.deepEqual(
    listItems(members.json['items']).map(({ name }) => name),
    ['Olga'],
  );
  const rows = await booted.database.rows(
    'select name, email, password_hash from people.accounts where id = ?',
    ada.accountId,
  );
  assert.deepEqual({ ...rows[0] }, { name: 'Ada', email: null, password_hash: null });
  const stored = JSON.stringify(await booted.database.rows('select * from people.invitations'));
  assert.ok(!stored.includes(ada.email));
  const link = await booted.call(new URL(String(invited.json['url'])).pathname);
  assert.equal(link.status, 410);
  assert.equal((await run(['remove', ada.email])).code, 1);
});

test('the last owner of a group is not removed, and nothing of the person is changed', async () => {
  const ada = await newPerson(booted);
  const olga = await newPerson(booted, 'Olga');
  await newGroup(ada, 'Alone');
  const shared = await newGroup(olga, 'Shared');
  await join(booted, { groupId: shared, person: ada });
  await run(['grant', ada.email, '--brand', 'forge', '--role', 'viewer']);

  const refused = await run(['remove', ada.email, '--json']);

  assert.deepEqual([refused.code, refused.json['error']?.['code']], [1, 'conflict']);
  assert.match(refused.stderr, /The group Alone always has an owner/);
  assert.deepEqual(await listPeople('--brand', 'forge'), [`${ada.email} viewer`]);
  assert.equal((await ada.get(`/api/v1/groups/${shared}`)).status, 200);
});

test('there is no set-up link once somebody has an account', async () => {
  const refused = await run(['setup-link', '--json']);

  assert.deepEqual([refused.code, refused.json['error']?.['code']], [1, 'conflict']);
  assert.ok((await run(['list'])).stdout.includes(OWNER_EMAIL));
  assert.ok(!(await run(['list', '--json'])).stdout.includes(OWNER_PASSWORD));
});

for (const [what, args, said] of [
  ['a place', ['grant', 'a@x.example'], /give --brand with a tenant id, or --operator/],
  ['a role', ['invite', '--brand', 'mill'], /give --role, one of viewer, quality, manager/],
  ['a brand that can be', ['revoke', 'a@x.example', '--brand', '?'], /1 to 64 of A-Z a-z/],
  ['a role of brands', ['invite', '--brand', 'mill', '--role', 'operator'], /Allowed choices/],
  ['one place', ['invite', '--brand', 'mill', '--operator'], /cannot be used with/],
] as const) {
  test(`a command without ${what} is refused as wrong usage`, async () => {
    const { code, stderr } = await run(args);

    assert.equal(code, 2);
    assert.match(stderr, said);
  });
}

test('an e-mail that nobody has is said to be so', async () => {
  for (const command of ['export', 'remove', 'reset-password']) {
    const { code, stderr } = await run([command, 'nobody@x.example']);

    assert.equal(code, 1);
    assert.match(stderr, /Nobody has an account with the e-mail nobody@x\.example/);
  }
});

test('without people the commands say where they looked, and make none', async () => {
  await using folder = await testFolder();
  const { code, stderr } = await run(['list'], { DATA_DIR: folder.path });

  assert.equal(code, 2);
  assert.match(stderr, /opening the people in .*: there are none; set DATA_DIR/);
});

for (const command of ['list', 'invite', 'grant', 'revoke', 'remove', 'export', 'setup-link']) {
  test(`the help of people ${command} ends with an example`, async () => {
    const { code, stdout } = await run([command, '--help']);

    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`Example:\n  lothub people ${command}`));
    assert.match(stdout, /--json/);
  });
}
