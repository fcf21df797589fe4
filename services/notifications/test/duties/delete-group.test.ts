// Exporting a group and deleting it: what the export holds, when deletion is refused, and what is left.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ALONE_TURN } from '@lothub/kit/turn';
import { retainOnce } from '../../src/retention/retention.ts';
import type { NotificationStore } from '../../src/store/store.ts';
import { boot, type Answer, type Json } from '../boot.ts';
import { until } from '../delivery/outbox.ts';
import { join, newGroup, newPerson, type TestPerson } from '../people/person.ts';
import { formatCode, insertNewKey } from '../posting.ts';
import { postTo } from '../stored-group.ts';
import { EventStream } from '../stream/event-stream.ts';
import { storeWith } from '../store-with.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());
const { store, people } = booted.service;
const clock = { nowMs: () => Date.now() };

const ada = await newPerson(booted);
const grace = await newPerson(booted, 'Grace');

interface Ground {
  readonly groupId: string;
  readonly path: string;
  readonly key: string;
}

/** A group with two people, a key, a webhook, a rule, an invitation, and some of everything that is kept. */
async function newGround(count = 3): Promise<Ground> {
  const groupId = await newGroup(ada);
  const other = await newGroup(ada, 'On-call');
  const path = `/api/v1/groups/${groupId}`;
  await join(booted, { groupId, person: grace });
  const { key } = await insertNewKey(booted, groupId);
  const webhook = { name: 'Chat', url: 'https://hooks.example.com/T1/secret-path' };
  await ada.send('POST', `${path}/webhooks`, webhook);
  await ada.send('POST', `${path}/invitations`, { role: 'member', email: 'eve@example.com' });
  await ada.send('PUT', `${path}/escalation`, { after_minutes: 5, to_group_id: other });
  // In the order in which they are given.
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      store.post(
        postTo(groupId, {
          title: `Number ${n}`,
          severity: n % 2 === 0 ? 'critical' : 'info',
          dedupKey: `key ${n}`,
          idempotency: { key: `once ${n}`, contentHash: 'hash' },
        }),
      ),
    ),
  );
  await ada.send('PUT', `${path}/notifications/1/ack`);
  await grace.send('PUT', `${path}/notifications/2/read`);
  return { groupId, path, key };
}

async function exported(person: TestPerson, path: string): Promise<readonly Json[]> {
  const { text } = await person.get(`${path}/export`);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
}

function remove(path: string, values: Readonly<Record<string, unknown>>): Promise<Answer> {
  return ada.send('POST', `${path}/delete`, { name: 'Bakery', ...values });
}

async function retain(one: NotificationStore = store): Promise<void> {
  const { signal } = new AbortController();
  const pass = { turn: ALONE_TURN, sweeps: [], signal, pauseMs: 0 };
  await retainOnce({ ...pass, store: one, clock, people: people.store });
}

const TABLES = [
  'members',
  'former_members',
  'group_keys',
  'notifications',
  'acknowledgements',
  'unacknowledged',
  'occurrences',
  'escalations',
  'escalation_people',
  'escalated',
  'idempotency_keys',
  'group_heads',
];

/** Tables that still hold something of a group. */
async function listLeftTables(groupId: string): Promise<readonly string[]> {
  const counts = await Promise.all(
    TABLES.map(async (table) => {
      const [row] = await booted.database.rows(
        `select count(*) as rows from ${table} where group_id = ?`,
        groupId,
      );
      return row?.['rows'] === 0 ? [] : [table];
    }),
  );
  return counts.flat();
}

test('an export has a line for everything, no secret, and ends with a line that says so', async () => {
  const { path, key } = await newGround();

  const lines = await exported(ada, path);

  const types = lines.map(({ type }) => String(type));
  assert.deepEqual(
    [...new Set(types)],
    ['group', 'member', 'key', 'webhook', 'escalation', 'notification', 'audit', 'end'],
  );
  const notifications = lines.filter(({ type }) => String(type) === 'notification');
  assert.deepEqual(
    notifications.map(({ title }) => title),
    ['Number 0', 'Number 1', 'Number 2'],
  );
  assert.equal(lines.at(-1)?.['head_seq'], 3);
  const text = JSON.stringify(lines);
  for (const secret of [key.slice(-20), 'secret-path', 'whsec_', 'secret_hash', '"read"']) {
    assert.ok(!text.includes(secret), secret);
  }
});

test('an export of many notifications has each once, in their order', async () => {
  const { path } = await newGround(450);

  const lines = await exported(ada, path);

  assert.deepEqual(
    lines.filter(({ type }) => String(type) === 'notification').map(({ seq }) => Number(seq)),
    Array.from({ length: 450 }, (_, n) => n + 1),
  );
});

test('deleting asks for the name and for an export of all that came, unless none is wanted', async () => {
  const { groupId, path } = await newGround();

  const answers = [
    await remove(path, { name: 'bakery' }),
    await remove(path, {}),
    await grace.send('POST', `${path}/delete`, { name: 'Bakery', without_export: true }),
  ];
  await exported(ada, path);
  await store.post(postTo(groupId));
  const outdated = await remove(path, {});
  await exported(ada, path);
  const deleted = await remove(path, {});

  assert.deepEqual(answers.map(formatCode), [
    '422 fields_invalid',
    '409 conflict',
    '403 owner_only',
  ]);
  assert.equal(formatCode(outdated), '409 conflict');
  assert.equal(deleted.status, 204);
});

test('a deleted group is nobody’s at once: no page, no key, no stream, no invitation', async () => {
  const { groupId, path, key } = await newGround();
  const invited = await ada.send('POST', `${path}/invitations`, { role: 'member' });
  const token = String(invited.json['url']).split('/').at(-1);
  const eve = await newPerson(booted, 'Eve');
  using stream = await EventStream.open(booted.base, {
    path: `${path}/stream`,
    headers: grace.headers,
  });
  const post = (): Promise<Answer> =>
    booted.send({
      method: 'POST',
      path: '/api/v1/ingest',
      body: { title: 'late' },
      headers: { 'X-Api-Key': key },
    });
  await post();

  const deleted = await remove(path, { without_export: true });

  assert.equal(deleted.status, 204);
  await stream.ended();
  let refused = '';
  await until('its key is refused', async () => {
    refused = formatCode(await post());
    return refused.startsWith('401');
  });
  assert.equal(refused, '401 api_key_revoked');
  const answers = [
    await ada.get(path),
    await grace.get(`${path}/notifications`),
    await ada.get(`/inbox/groups/${groupId}`),
    await ada.send('POST', `${path}/test`),
    await eve.send('POST', '/api/v1/invitations/accept', { token }),
    await remove(path, { without_export: true }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 404, 404, 404, 404],
  );
  const groups = await ada.get('/api/v1/groups?limit=200');
  assert.ok(!groups.text.includes(groupId));
});

test('what it held goes in batches; its id and the audit stay', async () => {
  const { groupId, path } = await newGround(700);
  await remove(path, { without_export: true });

  await retain();

  assert.deepEqual(await listLeftTables(groupId), []);
  const [group] = await booted.database.rows(
    'select name, paused from groups where id = ?',
    groupId,
  );
  assert.deepEqual({ ...group }, { name: '', paused: 1 });
  const audit = await booted.database.rows(
    `select action, details from audit where group_id = ? order by id desc limit 1`,
    groupId,
  );
  assert.equal(audit[0]?.['action'], 'group_deleted');
  assert.match(String(audit[0]?.['details']), /"name":"Bakery","notifications":700/);
  const invitations = await booted.database.rows(
    'select id from people.invitations where place = ?',
    `group:${groupId}`,
  );
  assert.deepEqual(invitations, []);
  await assert.rejects(
    booted.database.change(
      `insert into groups (id, name, retention_days, retention_rows, created_at)
      values (?, 'again', 1, 100, 1)`,
      groupId,
    ),
  );
});

test('a process that dies after any batch leaves the rest to the next, and other groups as they are', async () => {
  const { groupId, path } = await newGround(700);
  const kept = await newGround();
  const before = await exported(ada, kept.path);
  await remove(path, { without_export: true });

  for (let writes = 0; writes < 4; writes += 1) {
    let left = writes;
    const dying = storeWith(store, {
      write: async (statements) => {
        if (left === 0) throw new Error('killed');
        left -= 1;
        return await store.write(statements);
      },
    });
    await assert.rejects(retain(dying), /killed/);
  }
  await Promise.all([retain(), retain()]);

  assert.deepEqual(await listLeftTables(groupId), []);
  const now = await exported(ada, kept.path);
  const ofKept = (lines: readonly Json[]) =>
    lines.filter(({ type }) => ['member', 'key', 'notification'].includes(String(type)));
  assert.deepEqual(ofKept(now), ofKept(before));
});

test('a post that was under way when the group was deleted goes with the next pass', async () => {
  const { groupId, path } = await newGround();
  await remove(path, { without_export: true });
  const racing = storeWith(store, {
    change: async (change) => {
      await store.post(postTo(groupId));
      return await store.change(change);
    },
  });
  await retain(racing);
  const between = await listLeftTables(groupId);

  await retain();

  assert.ok(between.includes('notifications') && between.includes('group_heads'));
  assert.deepEqual(await listLeftTables(groupId), []);
});

test('a rule that led into a deleted group leads nowhere, and says so', async () => {
  const [groupId, other] = [await newGroup(ada), await newGroup(ada, 'On-call')];
  await ada.send('PUT', `/api/v1/groups/${groupId}/escalation`, {
    after_minutes: 5,
    to_group_id: other,
  });

  await ada.send('POST', `/api/v1/groups/${other}/delete`, {
    name: 'On-call',
    without_export: true,
  });

  const rule = await ada.get(`/api/v1/groups/${groupId}/escalation`);
  assert.deepEqual([rule.status, rule.json['to_group'], rule.json['people']], [200, null, []]);
});
