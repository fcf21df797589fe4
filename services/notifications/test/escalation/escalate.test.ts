// What goes on because nobody acknowledged it in time: when, to whom, and how often.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import sql from 'sql-template-tag';
import { redactNotification } from '../../src/duties/redact.ts';
import { removeMember } from '../../src/groups/members.ts';
import { openTestStore } from '../delivery/outbox.ts';
import { testEngine } from '../engine.ts';
import { EscalationGround, MINUTE_MS, PUBLIC_URL } from './ground.ts';
import { storeWith } from '../store-with.ts';

const ground = await EscalationGround.open();
after(() => ground[Symbol.asyncDispose]());
const { clock, store } = ground;

/** Of escalations alone. */
async function readDeliveries(groupId: string): Promise<readonly unknown[]> {
  const rows = await ground.read(sql`
    select id, status, seq
    from device_deliveries
    where group_id = ${groupId} and kind = 'escalated'
    union all
    select id, status, seq
    from mail_deliveries
    where group_id = ${groupId} and kind = 'escalated'
    order by id`);
  return rows.map(({ status, seq }) => `${String(status)} ${String(seq)}`);
}

test('after the minutes of the rule, and not before, a critical notification goes to people once', async () => {
  const groupId = await ground.newGroup();
  const person = await ground.newMember(groupId, { device: 'active', mail: 'active' });
  await ground.setRule(groupId, { people: [person] });
  await ground.post(groupId);

  clock.ms += 5 * MINUTE_MS - 1;
  await ground.escalate();
  const before = await ground.escalated(groupId);
  clock.ms += 1;
  await ground.escalate();
  clock.ms += 60 * MINUTE_MS;
  await ground.escalate();

  assert.deepEqual(before, []);
  assert.deepEqual(await ground.escalated(groupId), [1]);
  assert.deepEqual(await readDeliveries(groupId), ['pending 1', 'pending 1']);
});

test('deliveries of an escalation have ids of their own, and go past mutes to active receivers alone', async () => {
  const groupId = await ground.newGroup();
  const paused = await ground.newMember(groupId, { device: 'paused', mail: 'disabled' });
  const muted = await ground.newMember(groupId, { device: 'active' });
  await store.write([
    sql`update members set muted_until = ${clock.ms * 2} where group_id = ${groupId}`,
  ]);
  await ground.setRule(groupId, { people: [paused, muted] });
  const { id } = await ground.post(groupId);
  clock.ms += 5 * MINUTE_MS;

  await ground.escalate();

  const rows = await ground.read(sql`
    select d.id as "id", v.account_id as "accountId", v.id as "deviceId"
    from device_deliveries d
    join devices v on v.id = d.device_id
    where d.group_id = ${groupId} and d.kind = 'escalated'`);
  assert.deepEqual(
    rows.map((row) => [row['id'], row['accountId']]),
    [[`esc_${id}_${String(rows[0]?.['deviceId'])}`, muted]],
  );
});

test('what is not critical, was acknowledged, redacted, or was there before the rule stays', async () => {
  const groupId = await ground.newGroup();
  const person = await ground.newMember(groupId, { device: 'active' });
  await ground.post(groupId, { title: 'before the rule' });
  await ground.setRule(groupId, { people: [person] });
  await ground.post(groupId, { severity: 'warning' });
  await ground.post(groupId, { title: 'taken up' });
  await ground.post(groupId, { title: 'redacted' });
  await ground.post(groupId, { title: 'nobody cares' });
  await ground.acknowledge(groupId, 3);
  await redactNotification({ store, clock }, { actor: ground.actor, groupId, seq: 4 });
  clock.ms += 10 * MINUTE_MS;

  await ground.escalate();

  assert.deepEqual(await ground.escalated(groupId), [5]);
});

test('what belongs together is resolved, taken up and escalated as one', async () => {
  const groupId = await ground.newGroup();
  const person = await ground.newMember(groupId, { device: 'active' });
  await ground.setRule(groupId, { people: [person] });
  const firing = { status: 'firing' } as const;
  await ground.post(groupId, { dedupKey: 'resolved', ...firing });
  await ground.post(groupId, { dedupKey: 'repeated', ...firing });
  await ground.post(groupId, { dedupKey: 'repeated', ...firing });
  await ground.post(groupId, { dedupKey: 'taken', ...firing });
  await ground.post(groupId, { dedupKey: 'taken', ...firing });
  await ground.post(groupId, { dedupKey: 'resolved', status: 'resolved' });
  await ground.post(groupId, { dedupKey: 'resolved', ...firing });
  await ground.acknowledge(groupId, 5);
  clock.ms += 5 * MINUTE_MS;

  await ground.escalate();

  assert.deepEqual(await ground.escalated(groupId), [2, 7]);
});

test('an acknowledgement between the look and the escalation keeps it from going on', async () => {
  const groupId = await ground.newGroup();
  const person = await ground.newMember(groupId, { device: 'active' });
  await ground.setRule(groupId, { people: [person] });
  await ground.post(groupId);
  clock.ms += 5 * MINUTE_MS;
  const racing = storeWith(store, {
    change: async (change) => {
      await ground.acknowledge(groupId, 1);
      return await store.change(change);
    },
  });

  await ground.escalate(racing);
  await ground.escalate();

  assert.deepEqual(await ground.escalated(groupId), []);
  assert.deepEqual(await readDeliveries(groupId), []);
});

test('another group gets a post that says what it is, from whom and where to look, once', async () => {
  const [groupId, other] = [await ground.newGroup('Ovens'), await ground.newGroup('On-call')];
  await ground.setRule(groupId, { toGroupId: other });
  await ground.post(groupId, { title: 'x'.repeat(120) });
  clock.ms += 5 * MINUTE_MS;

  await ground.escalate();
  await ground.escalate();

  const rows = await ground.read(sql`
    select n.title, n.severity, n.url, k.name as sender
    from notifications n
    join group_keys k on k.id = n.key_id
    where n.group_id = ${other}`);
  const title = `${`Not acknowledged for 5 minutes: ${'x'.repeat(120)}`.slice(0, 119)}…`;
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      {
        title,
        severity: 'critical',
        url: `${PUBLIC_URL}/inbox/groups/${groupId}/n/1`,
        sender: 'Escalated from Ovens',
      },
    ],
  );
});

test('a post that was not noted before a crash is noted and not made again', async () => {
  const [groupId, other] = [await ground.newGroup(), await ground.newGroup()];
  await ground.setRule(groupId, { toGroupId: other });
  await ground.post(groupId);
  clock.ms += 5 * MINUTE_MS;
  const dying = storeWith(store, {
    write: () => Promise.reject(new Error('killed')),
  });
  await assert.rejects(ground.escalate(dying), /killed/);
  await store.write([sql`update groups set name = 'Renamed' where id = ${groupId}`]);

  await ground.escalate();

  assert.equal((await ground.titles(other)).length, 1);
  const [row] = await ground.read(sql`
    select key_id, to_seq from escalated where group_id = ${groupId}`);
  assert.deepEqual({ ...row }, { key_id: null, to_seq: 1 });
});

test('a paused group gets its post once it takes posts again, and one that revoked the key gets none', async () => {
  const [groupId, other] = [await ground.newGroup(), await ground.newGroup()];
  await ground.setRule(groupId, { toGroupId: other });
  await store.write([sql`update groups set paused = 1 where id = ${other}`]);
  await ground.post(groupId);
  clock.ms += 5 * MINUTE_MS;
  await ground.escalate();
  const whilePaused = await ground.titles(other);
  await store.write([sql`update groups set paused = 0 where id = ${other}`]);
  await ground.escalate();
  const afterwards = await ground.titles(other);
  await store.write([sql`update group_keys set revoked_at = 1 where group_id = ${other}`]);
  await ground.post(groupId);
  clock.ms += 5 * MINUTE_MS;

  await ground.escalate();

  assert.deepEqual([whilePaused.length, afterwards.length], [0, 1]);
  assert.equal((await ground.titles(other)).length, 1);
  assert.deepEqual(await ground.escalated(groupId), [1, 2]);
});

test('what was escalated is escalated on by the rule of the other group, and by no other', async () => {
  const [first, second, third] = [
    await ground.newGroup('First'),
    await ground.newGroup('Second'),
    await ground.newGroup('Third'),
  ];
  await ground.setRule(first, { toGroupId: second });
  await ground.setRule(second, { toGroupId: third, afterMinutes: 1 });
  await ground.post(first, { title: 'Fire' });
  clock.ms += 5 * MINUTE_MS;
  await ground.escalate();
  clock.ms += MINUTE_MS;

  await ground.escalate();
  clock.ms += 600 * MINUTE_MS;
  await ground.escalate();

  assert.deepEqual(await ground.titles(third), [
    'Not acknowledged for 1 minute: Not acknowledged for 5 minutes: Fire',
  ]);
  assert.deepEqual(
    [(await ground.titles(first)).length, (await ground.titles(second)).length],
    [1, 1],
  );
});

test('texts that are taken away are gone where they were escalated to, through all groups', async () => {
  const [first, second, third] = [
    await ground.newGroup('First'),
    await ground.newGroup('Second'),
    await ground.newGroup('Third'),
  ];
  await ground.setRule(first, { toGroupId: second });
  await ground.setRule(second, { toGroupId: third });
  await ground.post(first, { title: 'Patient Zero' });
  clock.ms += 5 * MINUTE_MS;
  await ground.escalate();
  clock.ms += 5 * MINUTE_MS;
  await ground.escalate();

  await redactNotification({ store, clock }, { actor: ground.actor, groupId: first, seq: 1 });

  const titles = [first, second, third].map((groupId) => ground.titles(groupId));
  assert.deepEqual(await Promise.all(titles), [
    ['Text removed'],
    ['Text removed'],
    ['Text removed'],
  ]);
});

test('texts that are taken away while they are posted into another group do not stay there', async () => {
  const [groupId, other] = [await ground.newGroup(), await ground.newGroup()];
  await ground.setRule(groupId, { toGroupId: other });
  await ground.post(groupId, { title: 'Patient Zero' });
  clock.ms += 5 * MINUTE_MS;
  const racing = storeWith(store, {
    post: async (post) => {
      await redactNotification({ store, clock }, { actor: ground.actor, groupId, seq: 1 });
      return await store.post(post);
    },
  });

  await ground.escalate(racing);

  assert.deepEqual(await ground.titles(other), ['Text removed']);
});

test('a person who left the group is escalated nothing, and what waits for it is not sent', async () => {
  const groupId = await ground.newGroup();
  const person = await ground.newMember(groupId, { device: 'active', mail: 'active' });
  await ground.setRule(groupId, { people: [person] });
  await ground.post(groupId);
  clock.ms += 5 * MINUTE_MS;
  await ground.escalate();

  await removeMember({ store, clock }, ground.actor, { groupId, accountId: person });
  await ground.post(groupId);
  clock.ms += 5 * MINUTE_MS;
  await ground.escalate();

  const named = await ground.read(sql`
    select account_id from escalation_people where group_id = ${groupId}`);
  assert.deepEqual(named, []);
  assert.deepEqual(await readDeliveries(groupId), ['failed 1', 'failed 1']);
});

test('a clock that jumps back escalates nothing twice, and later what is due then', async () => {
  const groupId = await ground.newGroup();
  const person = await ground.newMember(groupId, { device: 'active' });
  await ground.setRule(groupId, { people: [person] });
  await ground.post(groupId);
  clock.ms += 5 * MINUTE_MS;
  await ground.escalate();
  clock.ms -= 30 * MINUTE_MS;
  await ground.post(groupId);
  await ground.escalate();
  clock.ms += 60 * MINUTE_MS;

  await ground.escalate();

  assert.deepEqual(await ground.escalated(groupId), [1, 2]);
});

test('processes that look at the same moment escalate each once', async () => {
  await using beside =
    testEngine === 'sqlite' ? undefined : await openTestStore(ground.database, clock);
  const [groupId, other] = [await ground.newGroup(), await ground.newGroup()];
  const person = await ground.newMember(groupId, { device: 'active' });
  await ground.setRule(groupId, { people: [person], toGroupId: other });
  await Promise.all(Array.from({ length: 30 }, () => ground.post(groupId)));
  clock.ms += 5 * MINUTE_MS;

  await Promise.all([
    ground.escalate(),
    ground.escalate(beside ?? store),
    ground.escalate(),
    ground.escalate(beside ?? store),
  ]);

  assert.equal((await ground.escalated(groupId)).length, 30);
  assert.equal((await readDeliveries(groupId)).length, 30);
  assert.equal((await ground.titles(other)).length, 30);
  const [audit] = await ground.read(sql`
    select count(*) as entries
    from audit
    where group_id = ${groupId} and action = 'notification_escalated'`);
  assert.equal(audit?.['entries'], 30);
});
