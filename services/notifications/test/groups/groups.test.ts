// Groups over HTTP: making, listing, setting, leaving; who may do what, and callers that race.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import sql from 'sql-template-tag';
import { GROUPS_PER_PERSON_MAX } from '../../src/groups/limits.ts';
import { insertGroup } from '../../src/groups/new-group.ts';
import { newId } from '@lothub/kit/secrets/ids';
import { boot, type Answer } from '../boot.ts';
import type { StoredRow } from '../engine.ts';
import { join, newGroup, newPerson, type TestPerson } from '../people/person.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());

const GROUPS = '/api/v1/groups';

function listItems(answer: Answer): readonly Record<string, unknown>[] {
  return Object.values(answer.json['items'] ?? {});
}

function listCodes(answers: readonly Answer[]): readonly string[] {
  return answers.map(({ status, json }) => `${status} ${String(json['code'])}`).sort();
}

function parsed(json: unknown): unknown {
  return JSON.parse(String(json));
}

async function rows(query: string, ...values: readonly string[]): Promise<readonly StoredRow[]> {
  return (await booted.database.rows(query, ...values)).map((row) => ({ ...row }));
}

async function audited(groupId: string): Promise<readonly StoredRow[]> {
  return await rows(
    'select action, actor, subject, details from audit where group_id = ? order by id',
    groupId,
  );
}

async function readSignals(groupId: string): Promise<readonly StoredRow[]> {
  return await rows(
    'select kind, account_id, detail from signals where group_id = ? order by position',
    groupId,
  );
}

test('whoever makes a group owns it, and it keeps 90 days and 50,000 rows by default', async () => {
  const ada = await newPerson(booted);

  const made = await ada.send('POST', GROUPS, { name: 'Bäckerei 🥐' });

  assert.equal(made.status, 201);
  assert.equal(made.headers.get('location'), `${GROUPS}/${String(made.json['id'])}`);
  const { id, created_at: createdAt, ...rest } = made.json;
  assert.match(String(id), /^grp_[0-9A-Za-z]{12}$/);
  assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(rest, {
    name: 'Bäckerei 🥐',
    paused: false,
    role: 'owner',
    head_seq: 0,
    unread: 0,
    retention_days: 90,
    retention_rows: 50_000,
  });
  assert.deepEqual((await ada.get(`${GROUPS}/${String(id)}`)).json, made.json);
});

for (const [what, body, pointer] of [
  ['no name', {}, '/name'],
  ['an empty name', { name: '' }, '/name'],
  ['a name of blanks and invisible characters', { name: ' \u200b\u2060 ' }, '/name'],
  ['a name of two lines', { name: 'a\nb' }, '/name'],
  ['a name of 101 code points', { name: '🥐'.repeat(101) }, '/name'],
  ['a number for a name', { name: 5 }, '/name'],
  ['an unknown field', { name: 'a', colour: 'red' }, '/colour'],
  ['0 days', { name: 'a', retention_days: 0 }, '/retention_days'],
  ['3,651 days', { name: 'a', retention_days: 3_651 }, '/retention_days'],
  ['99 rows', { name: 'a', retention_rows: 99 }, '/retention_rows'],
  ['10,000,001 rows', { name: 'a', retention_rows: 10_000_001 }, '/retention_rows'],
] as const) {
  test(`a group with ${what} is refused, and the field named`, async () => {
    const ada = await newPerson(booted);

    const refused = await ada.send('POST', GROUPS, body);

    assert.equal(refused.status, 422);
    const errors = Object.values(refused.json['errors'] ?? {});
    assert.deepEqual(new Set(errors.map((error) => error['pointer'])), new Set([pointer]));
  });
}

for (const values of [
  { retention_days: 1, retention_rows: 100 },
  { retention_days: 3_650, retention_rows: 10_000_000 },
] as const) {
  test(`a group may keep ${values.retention_days} days and ${values.retention_rows} rows`, async () => {
    const ada = await newPerson(booted);

    const made = await ada.send('POST', GROUPS, { name: '🥐'.repeat(100), ...values });

    assert.equal(made.status, 201);
    assert.equal(made.json['retention_days'], values.retention_days);
    assert.equal(made.json['retention_rows'], values.retention_rows);
  });
}

test('groups are listed by name, in pages without gap or repetition, and only those one is in', async () => {
  const [ada, bob] = [await newPerson(booted), await newPerson(booted, 'Bob')];
  for (const name of ['Mill', 'Bakery', 'Dairy', 'Bakery', 'Ovens']) await newGroup(ada, name);
  await newGroup(bob, 'Another');

  const pages: Answer[] = [];
  for (let next: unknown = ''; next !== null; next = pages.at(-1)?.json['next']) {
    pages.push(await ada.get(`${GROUPS}?limit=2${next === '' ? '' : `&after=${String(next)}`}`));
  }

  const items = pages.flatMap(listItems);
  assert.deepEqual(
    items.map(({ name }) => name),
    ['Bakery', 'Bakery', 'Dairy', 'Mill', 'Ovens'],
  );
  assert.equal(new Set(items.map(({ id }) => id)).size, 5);
  assert.deepEqual(
    pages.map((page) => listItems(page).length),
    [2, 2, 1],
  );
});

test('a list and a group say what is unread: newer than the mark, with single ones read and unread', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  await booted.service.store.write([
    sql`update group_heads set head_seq = 50, pruned_seq = 10 where group_id = ${groupId}`,
    sql`update members set read_up_to = 30 where group_id = ${groupId}`,
    // Read above the mark; unread below it; and one of each that retention has taken.
    ...[
      [31, 1],
      [50, 1],
      [30, 0],
      [11, 0],
      [10, 0],
      [3, 1],
    ].map(
      ([seq = 0, isRead = 0]) => sql`
        insert into read_exceptions (account_id, group_id, seq, is_read)
        values (${ada.accountId}, ${groupId}, ${seq}, ${isRead})`,
    ),
  ]);

  const [list, one] = [await ada.get(GROUPS), await ada.get(`${GROUPS}/${groupId}`)];

  assert.equal(one.json['unread'], 50 - 30 - 2 + 2);
  assert.equal(one.json['head_seq'], 50);
  assert.equal(listItems(list)[0]?.['unread'], 20);
});

test('what retention took above the mark is not unread', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  await booted.service.store.write([
    sql`update group_heads set head_seq = 50, pruned_seq = 40 where group_id = ${groupId}`,
    sql`
      insert into read_exceptions (account_id, group_id, seq, is_read)
      values (${ada.accountId}, ${groupId}, 20, 1), (${ada.accountId}, ${groupId}, 45, 1)`,
  ]);

  const one = await ada.get(`${GROUPS}/${groupId}`);

  assert.equal(one.json['unread'], 9);
});

test('an owner renames, pauses and sets a group; what is not given stays', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada, 'Old');

  await ada.send('PATCH', `${GROUPS}/${groupId}`, { name: 'New', retention_rows: 100 });
  const set = await ada.send('PATCH', `${GROUPS}/${groupId}`, { paused: true, retention_days: 7 });

  assert.equal(set.status, 200);
  assert.deepEqual(
    ['name', 'paused', 'retention_days', 'retention_rows'].map((name) => set.json[name]),
    ['New', true, 7, 100],
  );
  assert.deepEqual(
    (await audited(groupId)).map(({ action, details }) => [action, parsed(details)]),
    [
      ['group_created', { name: 'Old' }],
      ['group_changed', { name: 'New', retention_rows: 100 }],
      ['group_changed', { paused: true, retention_days: 7 }],
    ],
  );
  assert.deepEqual(
    (await readSignals(groupId)).slice(1).map(({ kind, detail }) => [kind, parsed(detail)]),
    [
      ['group', { name: 'New', paused: false }],
      ['group', { name: 'New', paused: true }],
    ],
  );
});

test('setting a group as it is writes nothing', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada, 'Same');

  const same = await ada.send('PATCH', `${GROUPS}/${groupId}`, { name: 'Same', paused: false });

  assert.equal(same.status, 200);
  assert.equal((await audited(groupId)).length, 1);
});

test('owners who set different things at the same moment lose none of them', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  const changes = [
    { name: 'Raced' },
    { paused: true },
    { retention_days: 3 },
    { retention_rows: 300 },
  ];

  await Promise.all(changes.map((body) => ada.send('PATCH', `${GROUPS}/${groupId}`, body)));

  const {
    name,
    paused,
    retention_days: days,
    retention_rows: rows,
  } = (await ada.get(`${GROUPS}/${groupId}`)).json;
  assert.deepEqual([name, paused, days, rows], ['Raced', true, 3, 300]);
});

test('a group one is not in answers as one that is not there, to every request', async () => {
  const [ada, bob] = [await newPerson(booted), await newPerson(booted, 'Bob')];
  const groupId = await newGroup(ada);
  const requests = (id: string): readonly Promise<Answer>[] => [
    bob.get(`${GROUPS}/${id}`),
    bob.send('PATCH', `${GROUPS}/${id}`, { name: 'Mine' }),
    bob.send('POST', `${GROUPS}/${id}/test`, {}),
    bob.get(`${GROUPS}/${id}/members`),
    bob.send('PATCH', `${GROUPS}/${id}/members/${ada.accountId}`, { role: 'member' }),
    bob.send('DELETE', `${GROUPS}/${id}/members/${bob.accountId}`),
    bob.get(`${GROUPS}/${id}/keys`),
    bob.send('POST', `${GROUPS}/${id}/keys`, { name: 'a' }),
    bob.get(`${GROUPS}/${id}/audit`),
  ];

  const [strange, missing] = await Promise.all(
    [groupId, 'grp_000000000000'].map((id) => Promise.all(requests(id))),
  );

  assert.deepEqual(
    strange?.map(({ status, json }) => [status, json['detail']]),
    missing?.map(({ json }) => [404, json['detail']]),
  );
});

test('a member reads a group, and sets nothing of it', async () => {
  const [ada, bob] = [await newPerson(booted), await newPerson(booted, 'Bob')];
  const groupId = await newGroup(ada);
  await join(booted, { groupId, person: bob });

  const read = await bob.get(`${GROUPS}/${groupId}`);
  const refused = await Promise.all([
    bob.send('PATCH', `${GROUPS}/${groupId}`, { paused: true }),
    bob.send('POST', `${GROUPS}/${groupId}/test`, {}),
    bob.send('PATCH', `${GROUPS}/${groupId}/members/${bob.accountId}`, { role: 'owner' }),
    bob.send('DELETE', `${GROUPS}/${groupId}/members/${ada.accountId}`),
    bob.get(`${GROUPS}/${groupId}/keys`),
    bob.send('POST', `${GROUPS}/${groupId}/keys`, { name: 'a' }),
    bob.get(`${GROUPS}/${groupId}/audit`),
  ]);

  assert.equal(read.json['role'], 'member');
  assert.deepEqual(new Set(listCodes(refused)), new Set(['403 owner_only']));
});

test('a person is in 200 groups at most, also when two more are made at the same moment', async () => {
  const ada = await newPerson(booted);
  const { accountId: ownerId, name } = ada;
  const room = GROUPS_PER_PERSON_MAX - 1;
  await booted.service.store.write(
    Array.from({ length: room }, () => {
      const groupId = newId('grp');
      const actor = { accountId: ownerId, name };
      return insertGroup({ groupId, name: 'One of many', ownerId, actor, at: 1 });
    }).flat(),
  );

  const answers = await Promise.all([1, 2].map(() => ada.send('POST', GROUPS, { name: 'Last' })));

  assert.deepEqual(listCodes(answers), ['201 undefined', '422 limit_reached']);
  assert.equal(listItems(await ada.get(`${GROUPS}?limit=200`)).length, GROUPS_PER_PERSON_MAX);
});

test('members are listed by name in pages; e-mails are for owners and oneself', async () => {
  const [ada, bob, eve] = [
    await newPerson(booted, 'Ada'),
    await newPerson(booted, 'Bob'),
    await newPerson(booted, 'Eve'),
  ];
  const groupId = await newGroup(bob);
  for (const person of [eve, ada]) await join(booted, { groupId, person });

  const first = await bob.get(`${GROUPS}/${groupId}/members?limit=2`);
  const second = await bob.get(
    `${GROUPS}/${groupId}/members?limit=2&after=${String(first.json['next'])}`,
  );
  const asMember = listItems(await eve.get(`${GROUPS}/${groupId}/members`));

  const all = [first, second].flatMap(listItems);
  assert.deepEqual(
    all.map(({ name, role, email }) => [name, role, email]),
    [
      ['Ada', 'member', ada.email],
      ['Bob', 'owner', bob.email],
      ['Eve', 'member', eve.email],
    ],
  );
  assert.equal(second.json['next'], null);
  assert.deepEqual(
    asMember.map(({ email }) => email),
    [null, null, eve.email],
  );
});

test('an owner makes a member an owner, and readers and audit hear of it', async () => {
  const [ada, bob] = [await newPerson(booted), await newPerson(booted, 'Bob')];
  const groupId = await newGroup(ada);
  await join(booted, { groupId, person: bob });

  const changed = await ada.send('PATCH', `${GROUPS}/${groupId}/members/${bob.accountId}`, {
    role: 'owner',
  });

  assert.equal(changed.status, 200);
  assert.equal(changed.json['role'], 'owner');
  assert.equal((await bob.get(`${GROUPS}/${groupId}`)).json['role'], 'owner');
  assert.deepEqual((await audited(groupId)).at(-1), {
    action: 'member_role_changed',
    actor: 'Ada',
    subject: bob.accountId,
    details: '{"role":"owner"}',
  });
  assert.deepEqual((await readSignals(groupId)).at(-1), {
    kind: 'membership',
    account_id: bob.accountId,
    detail: '{"change":"role"}',
  });
});

test('a removed member is out, with what was read one by one, and readers hear of it', async () => {
  const [ada, bob] = [await newPerson(booted), await newPerson(booted, 'Bob')];
  const [groupId, otherId] = [await newGroup(ada), await newGroup(ada)];
  for (const id of [groupId, otherId]) {
    await join(booted, { groupId: id, person: bob });
    await booted.service.store.write([
      sql`
        insert into read_exceptions (account_id, group_id, seq, is_read)
        values (${bob.accountId}, ${id}, 1, 1)`,
    ]);
  }

  const removed = await ada.send('DELETE', `${GROUPS}/${groupId}/members/${bob.accountId}`);

  assert.equal(removed.status, 204);
  assert.equal((await bob.get(`${GROUPS}/${groupId}`)).status, 404);
  assert.deepEqual(
    await rows('select group_id from read_exceptions where account_id = ?', bob.accountId),
    [{ group_id: otherId }],
  );
  assert.equal((await readSignals(groupId)).at(-1)?.['detail'], '{"change":"removed"}');
  assert.equal(
    (await ada.send('DELETE', `${GROUPS}/${groupId}/members/${bob.accountId}`)).status,
    404,
  );
});

test('a member leaves without being an owner', async () => {
  const [ada, bob] = [await newPerson(booted), await newPerson(booted, 'Bob')];
  const groupId = await newGroup(ada);
  await join(booted, { groupId, person: bob });

  const left = await bob.send('DELETE', `${GROUPS}/${groupId}/members/${bob.accountId}`);

  assert.equal(left.status, 204);
  assert.deepEqual((await audited(groupId)).at(-1), {
    action: 'member_removed',
    actor: 'Bob',
    subject: bob.accountId,
    details: '{"name":"Bob","left":true}',
  });
});

test('the last owner neither leaves nor becomes a member', async () => {
  const [ada, bob] = [await newPerson(booted), await newPerson(booted, 'Bob')];
  const groupId = await newGroup(ada);
  await join(booted, { groupId, person: bob });
  const path = `${GROUPS}/${groupId}/members/${ada.accountId}`;

  const refused = [
    await ada.send('DELETE', path),
    await ada.send('PATCH', path, { role: 'member' }),
  ];

  assert.deepEqual(listCodes(refused), ['409 conflict', '409 conflict']);
  assert.equal((await ada.get(`${GROUPS}/${groupId}`)).json['role'], 'owner');
});

const WAYS_OUT: readonly ((one: TestPerson, other: TestPerson, path: string) => Promise<Answer>)[] =
  [
    (one, _other, path) => one.send('DELETE', `${path}/${one.accountId}`),
    (one, _other, path) => one.send('PATCH', `${path}/${one.accountId}`, { role: 'member' }),
    (one, other, path) => one.send('DELETE', `${path}/${other.accountId}`),
  ];

for (const [index, what] of ['leave', 'step back', 'remove each other'].entries()) {
  test(`two owners who ${what} at the same moment leave one owner`, async () => {
    for (let round = 0; round < 5; round += 1) {
      const [ada, bob] = [await newPerson(booted), await newPerson(booted, 'Bob')];
      const groupId = await newGroup(ada);
      await join(booted, { groupId, person: bob, role: 'owner' });
      const path = `${GROUPS}/${groupId}/members`;

      const answers = await Promise.all([
        WAYS_OUT[index]!(ada, bob, path),
        WAYS_OUT[index]!(bob, ada, path),
      ]);

      assert.equal(answers.filter(({ status }) => status < 300).length, 1);
      const owners = await rows(
        "select account_id from members where group_id = ? and role = 'owner'",
        groupId,
      );
      assert.equal(owners.length, 1);
    }
  });
}

test("an owner's test notification is in the group, from the person, with the severity asked for", async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);

  const bare = await ada.send('POST', `${GROUPS}/${groupId}/test`);
  const critical = await ada.send('POST', `${GROUPS}/${groupId}/test`, { severity: 'critical' });

  assert.equal(critical.status, 201);
  assert.deepEqual(Object.keys(critical.json).sort(), [
    ...['body', 'command', 'created_at', 'group_id', 'id', 'seq', 'severity', 'title'],
  ]);
  assert.deepEqual(
    [bare, critical].map(({ json }) => [json['seq'], json['severity'], json['command']]),
    [
      [1, 'info', 'notify'],
      [2, 'critical', 'notify'],
    ],
  );
  assert.equal(critical.headers.get('location'), `${GROUPS}/${groupId}/notifications/2`);
  assert.deepEqual(
    await rows(
      'select seq, severity, key_id, account_id from notifications where group_id = ? order by seq',
      groupId,
    ),
    ['info', 'critical'].map((severity, index) => ({
      seq: index + 1,
      severity,
      key_id: null,
      account_id: ada.accountId,
    })),
  );
});

test('a paused group takes no test either', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  await ada.send('PATCH', `${GROUPS}/${groupId}`, { paused: true });

  const refused = await ada.send('POST', `${GROUPS}/${groupId}/test`, {});

  assert.deepEqual(listCodes([refused]), ['403 group_paused']);
});
