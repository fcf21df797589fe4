// Escalation by processes that die in the middle, and by two that work beside each other.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import sql from 'sql-template-tag';
import { until } from '../delivery/outbox.ts';
import { startChild } from '../child-process.ts';
import { testEngine } from '../engine.ts';
import { EscalationGround, MINUTE_MS } from './ground.ts';

const NOTIFICATIONS = 120;
/** Killed once so many were escalated. */
const KILLS_AT = [1, 40, 80];
const AHEAD_MS = 6 * MINUTE_MS;

function startEscalating({ database }: EscalationGround): ChildProcess {
  const module = new URL('./escalation-child.ts', import.meta.url);
  return startChild(module, { database, aheadMs: AHEAD_MS });
}

test('processes that are killed in the middle escalate everything, and nothing twice', async () => {
  await using ground = await EscalationGround.open();
  const [groupId, other] = [await ground.newGroup(), await ground.newGroup()];
  const person = await ground.newMember(groupId, { device: 'active', mail: 'active' });
  await ground.setRule(groupId, { people: [person], toGroupId: other });
  await Promise.all(Array.from({ length: NOTIFICATIONS }, () => ground.post(groupId)));
  const count = async (): Promise<number> => (await ground.escalated(groupId)).length;
  // A SQLite database is served by one process.
  const beside = testEngine === 'sqlite' ? 1 : 2;

  for (const killAt of KILLS_AT) {
    const children = Array.from({ length: beside }, () => startEscalating(ground));
    await until(`${killAt} were escalated`, async () => (await count()) >= killAt);
    const exits = children.map((child) => once(child, 'exit'));
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(exits);
  }
  const last = startEscalating(ground);
  await until('all were posted', async () => {
    const [row] = await ground.read(sql`
      select count(*) as posted from escalated where group_id = ${groupId} and to_seq is not null`);
    return Number(row?.['posted']) === NOTIFICATIONS;
  });
  const exit = once(last, 'exit');
  last.kill('SIGKILL');
  await exit;

  const [counts] = await ground.read(sql`
    select
      (
        select count(*) from device_deliveries where group_id = ${groupId} and kind = 'escalated'
      ) as devices,
      (
        select count(*) from mail_deliveries where group_id = ${groupId} and kind = 'escalated'
      ) as mails,
      (select count(*) from notifications where group_id = ${other}) as posts,
      (
        select count(*)
        from audit
        where group_id = ${groupId} and action = 'notification_escalated'
      ) as entries`);
  assert.deepEqual(
    { ...counts },
    {
      devices: NOTIFICATIONS,
      mails: NOTIFICATIONS,
      posts: NOTIFICATIONS,
      entries: NOTIFICATIONS,
    },
  );
});
