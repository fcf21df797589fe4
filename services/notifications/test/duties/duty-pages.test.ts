// What owners take away and send on, on pages without scripts.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { boot, type Answer } from '../boot.ts';
import { join, newGroup, newPerson, type TestPerson } from '../people/person.ts';
import { postTo } from '../stored-group.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());
const ada = await newPerson(booted);
const grace = await newPerson(booted, 'Grace');

function submit(
  person: TestPerson,
  path: string,
  values: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return booted.call(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...person.headers },
    body: new URLSearchParams(values).toString(),
  });
}

async function newGround(): Promise<{ readonly groupId: string; readonly path: string }> {
  const groupId = await newGroup(ada);
  await join(booted, { groupId, person: grace });
  await booted.service.store.post(postTo(groupId, { title: 'Patient Zero', severity: 'critical' }));
  return { groupId, path: `/inbox/groups/${groupId}` };
}

test('an owner removes a text by its button, which members do not have', async () => {
  const { path } = await newGround();
  const [asOwner, asMember] = [await ada.get(`${path}/n/1`), await grace.get(`${path}/n/1`)];

  const removed = await submit(ada, `${path}/n/1/redact`);

  const shown = await ada.get(`${path}/n/1`);
  assert.ok(asOwner.text.includes('/n/1/redact') && !asMember.text.includes('/n/1/redact'));
  assert.equal(removed.status, 303);
  assert.ok(!shown.text.includes('Patient Zero') && !shown.text.includes('/n/1/redact'));
});

test('the escalation is saved with who is checked, shown again when it is refused, and ended', async () => {
  const { groupId, path } = await newGround();
  const settings = `${path}/settings`;

  const refused = await submit(ada, `${settings}/escalation`, { after_minutes: '5' });
  const saved = await submit(ada, `${settings}/escalation`, {
    after_minutes: '5',
    [`person_${grace.accountId}`]: 'true',
    to_group_id: '',
  });
  const rule = await ada.get(`/api/v1/groups/${groupId}/escalation`);
  const page = await ada.get(settings);
  const ended = await submit(ada, `${settings}/escalation/remove`);

  assert.deepEqual([refused.status, saved.status, ended.status], [422, 303, 303]);
  assert.equal(rule.json['people']?.['0']?.['account_id'], grace.accountId);
  assert.match(page.text, /Grace<\/bdi> has no active device and no mail/);
  assert.equal((await ada.get(`/api/v1/groups/${groupId}/escalation`)).status, 404);
});

test('before somebody is removed a page says what ends and which keys and webhooks stay', async () => {
  const { groupId, path } = await newGround();
  await ada.send('PATCH', `/api/v1/groups/${groupId}/members/${grace.accountId}`, {
    role: 'owner',
  });
  await grace.send('POST', `/api/v1/groups/${groupId}/keys`, { name: 'Oven <control>' });
  await ada.send('POST', `/api/v1/groups/${groupId}/keys`, { name: 'Not hers' });
  const removal = `${path}/settings/members/${grace.accountId}/remove`;

  const asked = await ada.get(removal);
  const removed = await submit(ada, removal);

  assert.equal(asked.status, 200);
  assert.ok(asked.text.includes('Oven &lt;control&gt;') && !asked.text.includes('Not hers'));
  assert.equal(removed.status, 303);
  assert.equal((await grace.get(path)).status, 404);
});

test('a group is deleted by its name, and shown again with what is wrong', async () => {
  const { path } = await newGround();
  const remove = `${path}/settings/delete`;

  const answers = [
    await submit(ada, remove, { name: 'Other' }),
    await submit(ada, remove, { name: 'Bakery' }),
    await submit(grace, remove, { name: 'Bakery', without_export: 'true' }),
    await submit(ada, remove, { name: 'Bakery', without_export: 'true' }),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [422, 409, 403, 303],
  );
  assert.match(answers[1]?.text ?? '', /export the group first/);
  assert.equal((await ada.get(path)).status, 404);
});
