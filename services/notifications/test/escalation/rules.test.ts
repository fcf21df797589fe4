// The rule of a group over HTTP: who may set it, to whom, and what is refused.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { boot, type Answer } from '../boot.ts';
import { join, newGroup, newPerson, type TestPerson } from '../people/person.ts';
import { formatCode, listFields } from '../posting.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());

const ada = await newPerson(booted);
const grace = await newPerson(booted, 'Grace');

function buildPath(groupId: string): string {
  return `/api/v1/groups/${groupId}/escalation`;
}

function set(
  person: TestPerson,
  groupId: string,
  values: { readonly people?: readonly string[]; readonly to_group_id?: string | null },
): Promise<Answer> {
  return person.send('PUT', buildPath(groupId), { after_minutes: 15, ...values });
}

test('an owner sets a rule, which shows who cannot be reached, changes it and ends it', async () => {
  const [groupId, other] = [await newGroup(ada), await newGroup(ada, 'On-call')];
  const none = await ada.get(buildPath(groupId));

  const made = await set(ada, groupId, { people: [ada.accountId], to_group_id: other });
  const changed = await ada.send('PUT', buildPath(groupId), {
    after_minutes: 30,
    to_group_id: other,
  });
  const keys = await ada.get(`/api/v1/groups/${other}/keys`);
  const ended = await ada.send('DELETE', buildPath(groupId));
  const keysAfter = await ada.get(`/api/v1/groups/${other}/keys`);

  assert.equal(formatCode(none), '404 not_found');
  assert.equal(made.status, 200);
  assert.deepEqual(made.json['people'], [
    { account_id: ada.accountId, name: 'Ada', reachable: false },
  ]);
  assert.deepEqual(made.json['to_group'], { id: other, name: 'On-call', takes_posts: true });
  assert.deepEqual([changed.json['after_minutes'], changed.json['people']], [30, []]);
  const states = [keys, keysAfter].map(({ json }) =>
    Object.values(json['items'] ?? {}).map(({ name, state }) => [name, state]),
  );
  assert.deepEqual(states, [
    [['Escalated from Bakery', 'active']],
    [['Escalated from Bakery', 'revoked']],
  ]);
  assert.equal(ended.status, 204);
  assert.equal(formatCode(await ada.get(buildPath(groupId))), '404 not_found');
});

test('a rule is refused that goes to nobody, to strangers, or into a group that one does not own', async () => {
  const [groupId, foreign] = [await newGroup(ada), await newGroup(grace, 'Foreign')];
  await join(booted, { groupId: foreign, person: ada });

  const answers = [
    await set(ada, groupId, {}),
    await set(ada, groupId, { people: [grace.accountId] }),
    await set(ada, groupId, { to_group_id: foreign }),
    await set(ada, groupId, { to_group_id: 'grp_none' }),
    await ada.send('PUT', buildPath(groupId), { after_minutes: 0, people: [ada.accountId] }),
    await ada.send('PUT', buildPath(groupId), { after_minutes: 1_441, people: [ada.accountId] }),
  ];

  assert.deepEqual(
    answers.map((answer) => `${answer.status} ${listFields(answer).join()}`),
    [
      '422 /people wrong_form somebody',
      '422 /people wrong_form members of the group',
      '422 /to_group_id wrong_form a group of yours',
      '422 /to_group_id wrong_form a group of yours',
      '422 /after_minutes too_small 1',
      '422 /after_minutes too_large 1440',
    ],
  );
});

test('members may not see or set it, strangers do not learn that there is a group', async () => {
  const groupId = await newGroup(ada);
  await join(booted, { groupId, person: grace });
  const stranger = await newPerson(booted, 'Eve');

  const answers = [
    await grace.get(buildPath(groupId)),
    await set(grace, groupId, { people: [grace.accountId] }),
    await grace.send('DELETE', buildPath(groupId)),
    await stranger.get(buildPath(groupId)),
  ];

  assert.deepEqual(answers.map(formatCode), [
    '403 owner_only',
    '403 owner_only',
    '403 owner_only',
    '404 not_found',
  ]);
});

test('a way that leads back is refused, and so is one through more than three groups', async () => {
  const groups = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((name) => newGroup(ada, name)));
  const [a = '', b = '', c = '', d = '', e = ''] = groups;
  const first = [
    await set(ada, a, { to_group_id: b }),
    await set(ada, b, { to_group_id: c }),
    await set(ada, c, { to_group_id: d }),
  ];

  const refused = [
    await set(ada, a, { to_group_id: a }),
    await set(ada, b, { to_group_id: a }),
    await set(ada, c, { to_group_id: a }),
    await set(ada, d, { to_group_id: e }),
    await set(ada, e, { to_group_id: a }),
  ];

  assert.deepEqual(
    first.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.deepEqual(refused.map(formatCode), new Array(5).fill('409 conflict'));
});

test('of two rules that would make a circle together, set at the same moment, one is refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [a, b] = [await newGroup(ada), await newGroup(ada)];

    const answers = await Promise.all([
      set(ada, a, { to_group_id: b }),
      set(ada, b, { to_group_id: a }),
    ]);

    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  }
});

test('what is set and ended is in the audit', async () => {
  const groupId = await newGroup(ada);
  await set(ada, groupId, { people: [ada.accountId] });
  await ada.send('DELETE', buildPath(groupId));

  const audit = await ada.get(`/api/v1/groups/${groupId}/audit?limit=2`);

  assert.deepEqual(
    Object.values(audit.json['items'] ?? {}).map(({ action }) => action),
    ['escalation_removed', 'escalation_set'],
  );
});
