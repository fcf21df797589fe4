// Invitations: single-use links into a group, for new people and for those who are there.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { MEMBERS_PER_GROUP_MAX } from '../../src/groups/limits.ts';
import { viewInvitation } from '@lothub/people/invitations/accept';
import { COMMAND_LINE } from '@lothub/people/brands/roles-of-place';
import { INVITATIONS_MAX, makeInvitation } from '@lothub/people/invitations/invitations';
import { boot, type Answer, type Json } from '../boot.ts';
import { join, newGroup, newPerson, type TestPerson } from './person.ts';

const ACCEPT = '/api/v1/invitations/accept';
const DAY_MS = 24 * 60 * 60 * 1_000;
const PASSWORD = 'kumquat on a stick';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());

interface Invited {
  readonly owner: TestPerson;
  readonly groupId: string;
  readonly token: string;
  readonly made: Json;
}

async function invite(
  body: Readonly<Record<string, unknown>> = {},
  given?: { readonly owner: TestPerson; readonly groupId: string },
): Promise<Invited> {
  const owner = given?.owner ?? (await newPerson(booted, 'Olga'));
  const groupId = given?.groupId ?? (await newGroup(owner));
  const answer = await owner.send('POST', `/api/v1/groups/${groupId}/invitations`, body);
  assert.equal(answer.status, 201, answer.text);
  const token = String(answer.json['url']).split('/').at(-1) ?? '';
  return { owner, groupId, token, made: answer.json };
}

let peopleCount = 0;

/** Somebody who has no account yet. */
function somebody(): { readonly name: string; readonly email: string; readonly password: string } {
  peopleCount += 1;
  return { name: 'Nia', email: `nia-${peopleCount}@example.com`, password: PASSWORD };
}

async function accept(
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return await booted.send({ method: 'POST', path: ACCEPT, body, headers });
}

function formatCode({ status, json }: Answer): string {
  return `${status} ${String(json['code'] ?? '')}`.trim();
}

function listItems(answer: Answer): readonly Record<string, unknown>[] {
  return Object.values(answer.json['items'] ?? {});
}

async function readRoles(groupId: string): Promise<readonly string[]> {
  const rows = await booted.database.rows(
    'select role from members where group_id = ? order by joined_at, role desc',
    groupId,
  );
  return rows.map(({ role }) => String(role));
}

test('an owner makes a link for seven days, shown once and kept as its hash', async () => {
  const { owner, groupId, token, made } = await invite();

  assert.match(String(made['url']), /^http:\/\/[^/]+\/inbox\/invitation\/[0-9A-Za-z]{43}$/);
  const { url: _, ...listed } = made;
  assert.deepEqual(
    { ...listed, id: '', created_at: '', expires_at: '' },
    { id: '', role: 'member', email: null, invited_by: 'Olga', created_at: '', expires_at: '' },
  );
  const life = Date.parse(String(made['expires_at'])) - Date.parse(String(made['created_at']));
  assert.equal(life, 7 * DAY_MS);
  const list = await owner.get(`/api/v1/groups/${groupId}/invitations`);
  assert.deepEqual(list.json, { items: [listed], next: null });
  const stored = JSON.stringify([
    await booted.database.rows('select * from people.invitations'),
    await booted.database.rows('select * from audit'),
    booted.log(),
  ]);
  assert.ok(stored.includes(sha256Hex(token)) && !stored.includes(token));
});

test('a new person comes in with name, e-mail and password, and is logged in', async () => {
  const { groupId, token, made } = await invite({ role: 'owner' });
  const nia = somebody();

  const accepted = await accept({ token, person: nia });

  assert.equal(accepted.status, 201);
  assert.deepEqual(accepted.json, {
    group_id: groupId,
    role: 'owner',
    person: { id: accepted.json['person']?.['id'], name: 'Nia', email: nia.email },
  });
  const [cookie = ''] = accepted.headers.getSetCookie();
  const group = await booted.call(`/api/v1/groups/${groupId}`, {
    headers: { Cookie: cookie.split(';')[0] ?? '' },
  });
  assert.deepEqual([group.json['role'], group.json['unread']], ['owner', 0]);
  const entries = await booted.database.rows(
    'select action, subject, details from audit where account_id = ? order by id',
    String(accepted.json['person']?.['id']),
  );
  assert.deepEqual(
    entries.map(({ action, subject, details }) => [action, subject, details]),
    [
      ['invitation_accepted', made['id'], '{"role":"owner"}'],
      ['member_added', accepted.json['person']?.['id'], '{"name":"Nia","role":"owner"}'],
    ],
  );
  const signals = await booted.database.rows(
    "select detail from signals where kind = 'membership' and account_id = ?",
    String(accepted.json['person']?.['id']),
  );
  assert.deepEqual(
    signals.map(({ detail }) => detail),
    ['{"change":"joined"}'],
  );
});

test('who is logged in comes in with that account', async () => {
  const { groupId, token } = await invite();
  const ada = await newPerson(booted);

  const accepted = await accept({ token }, ada.headers);

  assert.deepEqual(
    [accepted.status, accepted.json['role'], accepted.json['person']?.['id']],
    [201, 'member', ada.accountId],
  );
  assert.deepEqual(accepted.headers.getSetCookie(), []);
  assert.equal((await ada.get(`/api/v1/groups/${groupId}`)).status, 200);
});

test('an invitation is good once', async () => {
  const { owner, groupId, token } = await invite();
  await accept({ token, person: somebody() });

  const again = await accept({ token, person: somebody() });
  const withSession = await accept({ token }, (await newPerson(booted)).headers);

  assert.deepEqual([again, withSession].map(formatCode), Array<string>(2).fill('410 link_used_up'));
  assert.deepEqual(listItems(await owner.get(`/api/v1/groups/${groupId}/invitations`)), []);
  assert.deepEqual(await readRoles(groupId), ['owner', 'member']);
});

test('an invitation ends after its seven days, and not a moment before', async () => {
  const { token, made } = await invite();
  const ada = await newPerson(booted);
  const { people } = booted.service;
  const end = Date.parse(String(made['expires_at']));
  const at = (nowMs: number) => viewInvitation({ ...people, clock: { nowMs: () => nowMs } }, token);

  await at(end - 1);
  await assert.rejects(at(end), { code: 'link_used_up' });
  await booted.database.change(
    'update people.invitations set expires_at = ? where id = ?',
    Date.now(),
    String(made['id']),
  );
  assert.equal(formatCode(await accept({ token }, ada.headers)), '410 link_used_up');
});

test('who has the link sees the group, the role and who invites', async () => {
  const { groupId, token } = await invite({ email: 'ada@example.com' });

  const view = await viewInvitation(booted.service.people, token);

  assert.deepEqual(view, {
    place: { kind: 'group', id: groupId },
    placeName: 'Bakery',
    role: 'member',
    invitedBy: 'Olga',
    email: 'ada@example.com',
  });
});

test('an owner withdraws an invitation, once, and the link is over', async () => {
  const { owner, groupId, token, made } = await invite();
  const path = `/api/v1/groups/${groupId}/invitations/${String(made['id'])}`;
  const other = await invite();

  const ofOther = await other.owner.send(
    'DELETE',
    `/api/v1/groups/${other.groupId}/invitations/${String(made['id'])}`,
  );
  const withdrawn = await owner.send('DELETE', path);
  const again = await owner.send('DELETE', path);

  assert.deepEqual([ofOther, withdrawn, again].map(formatCode), [
    '404 not_found',
    '204',
    '404 not_found',
  ]);
  assert.equal(formatCode(await accept({ token, person: somebody() })), '410 link_used_up');
});

test('the invitations of an owner who is one no more are over, and open to nobody', async () => {
  const owner = await newPerson(booted, 'Olga');
  const groupId = await newGroup(owner);
  const bob = await newPerson(booted, 'Bob');
  await join(booted, { groupId, person: bob, role: 'owner' });
  const { token } = await invite({}, { owner: bob, groupId });

  await owner.send('DELETE', `/api/v1/groups/${groupId}/members/${bob.accountId}`);

  assert.equal(formatCode(await accept({ token }, bob.headers)), '410 link_used_up');
  assert.deepEqual(listItems(await owner.get(`/api/v1/groups/${groupId}/invitations`)), []);
});

test('who is in the group already leaves the invitation open', async () => {
  const { owner, token } = await invite();

  const already = await accept({ token }, owner.headers);
  const accepted = await accept({ token }, (await newPerson(booted)).headers);

  assert.deepEqual([already, accepted].map(formatCode), ['409 conflict', '201']);
});

test('an e-mail that has an account logs in first, and the invitation stays open', async () => {
  const { token } = await invite();
  const ada = await newPerson(booted);
  const asNew = { name: 'Ada', email: ada.email.toUpperCase(), password: PASSWORD };

  const refused = await accept({ token, person: asNew });
  const accepted = await accept({ token }, ada.headers);

  assert.deepEqual([refused, accepted].map(formatCode), ['409 conflict', '201']);
});

test('without an account and without who is to have one, nobody comes in', async () => {
  const { token } = await invite();
  const ada = await newPerson(booted);
  const made = await ada.send('POST', '/api/v1/me/tokens', { name: 'wall' });
  const bearer = { Authorization: `Bearer ${String(made.json['token'])}` };

  const answers = [
    await accept({ token }),
    await accept({ token }, bearer),
    await accept({ token: 'x'.repeat(43), person: somebody() }),
    await accept({ token }, { Cookie: ada.headers['Cookie'] ?? '' }),
  ];

  assert.deepEqual(answers.map(formatCode), [
    '401 login_required',
    '403 wrong_scope',
    '404 not_found',
    '403 cross_site_refused',
  ]);
});

test('what is wrong with a new person is named where it is, and the invitation stays open', async () => {
  const { token } = await invite();
  const nia = somebody();

  const fields = await accept({ token, person: { name: '', email: 'nia', password: 'short' } });
  const guessable = await accept({ token, person: { ...nia, password: nia.email } });

  const pointers = Object.values(fields.json['errors'] ?? {}).map((one) => one['pointer']);
  assert.deepEqual(
    new Set(pointers),
    new Set(['/person/name', '/person/email', '/person/password']),
  );
  assert.deepEqual(guessable.json['errors'], [
    { pointer: '/person/password', code: 'guessable', limit: null, actual: null },
  ]);
  assert.equal((await accept({ token, person: nia })).status, 201);
  assert.equal(
    formatCode(await accept({ token, person: { ...nia, name: '' } })),
    '422 fields_invalid',
  );
});

for (const [what, body, pointer] of [
  ['a role there is not', { role: 'admin' }, '/role'],
  ['an e-mail that is none', { email: 'nia' }, '/email'],
  ['an unknown field', { emial: 'nia@example.com' }, '/emial'],
] as const) {
  test(`an invitation with ${what} is refused`, async () => {
    const owner = await newPerson(booted);
    const groupId = await newGroup(owner);

    const answer = await owner.send('POST', `/api/v1/groups/${groupId}/invitations`, body);

    assert.equal(formatCode(answer), '422 fields_invalid');
    assert.equal(answer.json['errors']?.[0]?.['pointer'], pointer);
  });
}

test('an invitation into a brand is none for the interface, and its page lets people in', async () => {
  const { people } = booted.service;
  const made = await makeInvitation({ ...people, prefix: '/inbox' }, COMMAND_LINE, {
    place: { kind: 'brand', id: 'bakery' },
    role: 'viewer',
    email: null,
  });
  const token = made.url.split('/').at(-1) ?? '';
  const ada = await newPerson(booted);

  const byInterface = await accept({ token }, ada.headers);
  const page = await ada.get(`/inbox/invitation/${token}`);
  const joined = await booted.call(`/inbox/invitation/${token}`, {
    method: 'POST',
    headers: ada.headers,
  });

  assert.equal(formatCode(byInterface), '404 not_found');
  assert.deepEqual([page.status, joined.status], [200, 303]);
  assert.match(page.text, /bakery/);
  const rows = await booted.database.rows(
    'select role from people.grants where account_id = ?',
    ada.accountId,
  );
  assert.deepEqual(
    rows.map(({ role }) => role),
    ['viewer'],
  );
});

test('members neither make, see nor withdraw invitations', async () => {
  const { groupId, made } = await invite();
  const bob = await newPerson(booted, 'Bob');
  await join(booted, { groupId, person: bob });
  const path = `/api/v1/groups/${groupId}/invitations`;

  const answers = [
    await bob.get(path),
    await bob.send('POST', path, {}),
    await bob.send('DELETE', `${path}/${String(made['id'])}`),
  ];

  assert.deepEqual(answers.map(formatCode), Array<string>(3).fill('403 owner_only'));
});

test('a group has a hundred open invitations at most, listed in pages, the oldest first', async () => {
  const owner = await newPerson(booted);
  const groupId = await newGroup(owner);
  const path = `/api/v1/groups/${groupId}/invitations`;
  const answers: Answer[] = [];
  for (let i = 0; i < INVITATIONS_MAX - 5; i += 19) {
    answers.push(
      ...(await Promise.all(Array.from({ length: 19 }, () => owner.send('POST', path, {})))),
    );
  }
  const last = await Promise.all(Array.from({ length: 7 }, () => owner.send('POST', path, {})));

  assert.ok(answers.every(({ status }) => status === 201));
  assert.deepEqual(last.map(formatCode).sort(), [
    ...Array<string>(5).fill('201'),
    ...Array<string>(2).fill('422 limit_reached'),
  ]);
  const first = await owner.get(`${path}?limit=60`);
  const second = await owner.get(`${path}?limit=60&after=${String(first.json['next'])}`);
  const listed = [...listItems(first), ...listItems(second)];
  assert.deepEqual([listItems(first).length, listItems(second).length], [60, 40]);
  assert.equal(second.json['next'], null);
  assert.equal(new Set(listed.map(({ id }) => id)).size, 100);
  const times = listed.map((item) => String(item['created_at']));
  assert.deepEqual(times, times.toSorted());
});

test('a full group takes nobody in', async () => {
  const { groupId, token } = await invite();
  await booted.database.change(
    `insert into people.accounts (id, email, name, password_hash, created_at)
      with recursive n(i) as (select 2 union all select i + 1 from n where i < ${MEMBERS_PER_GROUP_MAX})
      select 'full_' || i, 'full_' || i, 'F', 'x', 1 from n`,
  );
  await booted.database.change(
    `insert into members (group_id, account_id, role, joined_at, read_up_to)
      select ?, id, 'member', 1, 0 from people.accounts where id like 'full#_%' escape '#'`,
    groupId,
  );

  const answer = await accept({ token }, (await newPerson(booted)).headers);
  const asNew = await accept({ token, person: somebody() });

  assert.deepEqual([answer, asNew].map(formatCode), Array<string>(2).fill('422 limit_reached'));
});
