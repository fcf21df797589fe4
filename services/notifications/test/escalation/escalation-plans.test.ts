// What the engine looks at to find what is due is bounded by the rules and by a page, not by what groups hold.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { dueNotifications, dueRules, readItem } from '../../src/escalation/due-queries.ts';
import { openPosts } from '../../src/escalation/pass-on-queries.ts';
import { QueryPlans, noting } from '../query-plans.ts';
import { EscalationGround, MINUTE_MS } from './ground.ts';

const NOTIFICATIONS = 8_000;

let ground: EscalationGround;
let plans: QueryPlans;
let groupId: string;

before(async () => {
  ground = await EscalationGround.open();
  groupId = await ground.newGroup();
  const person = await ground.newMember(groupId);
  await ground.setRule(groupId, { people: [person] });
  await ground.store.write([
    sql`
      insert into notifications (
        id, group_id, seq, title, severity, created_at, key_id, dedup_key, status
      )
      with recursive numbers (n) as (
        select 1 union all select n + 1 from numbers where n < ${NOTIFICATIONS}
      )
      select
        h.position + n, ${groupId}, n, 'Nothing of note',
        case when n % 10 = 0 then 'critical' else 'info' end, n, 'k', 'oven', 'firing'
      from numbers, feed_head h`,
    sql`
      insert into acknowledgements (group_id, seq, account_id, at)
      select group_id, seq, 'nobody', 1 from notifications where seq % 20 = 0`,
    sql`
      insert into escalated (group_id, seq, at, after_minutes)
      select group_id, seq, 1, 5 from notifications where seq % 10 = 0`,
  ]);
  plans = await QueryPlans.open(ground.database);
});
after(async () => {
  await plans[Symbol.asyncDispose]();
  await ground[Symbol.asyncDispose]();
});

async function findExcess(run: (queries: Sql[]) => Promise<unknown>): Promise<readonly string[]> {
  const queries: Sql[] = [];
  await run(queries);
  const excess = await Promise.all(
    queries.map(async (query) => [
      ...(await plans.readDetails(query)).filter((detail) =>
        /^SCAN (n|c|r|notifications|x|escalated)\b/.test(detail),
      ),
      ...(await plans.readWideSteps(query)),
    ]),
  );
  // What is made of a page is walked whole.
  return excess.flat().filter((detail) => detail !== 'SCAN c');
}

test('rules that are due, and a page of what is, are found along the index of severities', async () => {
  const nowMs = ground.clock.ms + 60 * MINUTE_MS;

  const excess = await findExcess(async (queries) => {
    const reader = noting(ground.store.reader, queries);
    const [rule] = await dueRules(reader, { after: '', nowMs, limit: 100 });
    assert.ok(rule !== undefined);
    const found = await dueNotifications(reader, rule, { nowMs, limit: 100 });
    assert.equal(found.length, 100);
  });

  assert.deepEqual(excess, []);
});

test('of what belongs together a bounded part is looked at, however often it came', async () => {
  const excess = await findExcess((queries) =>
    readItem(noting(ground.store.reader, queries), { groupId, dedupKey: 'oven', seq: 4_000 }),
  );

  assert.deepEqual(excess, []);
});

test('what has still to be posted is found by an index of it alone', async () => {
  const excess = await findExcess((queries) =>
    openPosts(noting(ground.store.reader, queries), {
      after: { groupId: '', seq: 0 },
      limit: 50,
    }),
  );

  assert.deepEqual(excess, []);
});
