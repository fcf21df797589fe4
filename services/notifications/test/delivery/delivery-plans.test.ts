// What the engine looks at to choose the next deliveries is bounded by the webhooks that have some and by what is
// claimed, not by the deliveries that wait.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { claimDeliveries, dueReceivers } from '@lothub/delivery/outbox/due-queries';
import { DELIVERIES_COUNTED_MAX, waitingDeliveries } from '@lothub/delivery/outbox/waiting-queries';
import { OUTBOX } from '../../src/delivery/outbox-queries.ts';
import { openOutbox, type Outbox } from './outbox.ts';
import { QueryPlans, noting } from '../query-plans.ts';

const WEBHOOKS = 10;
/** Of each webhook, all due. */
const WAITING = 4_000;
const CLAIMED = 8;

let outbox: Outbox;
let plans: QueryPlans;
const webhookIds: string[] = [];

before(async () => {
  outbox = await openOutbox();
  for (let n = 0; n < WEBHOOKS; n += 1) {
    const { id } = await outbox.newWebhook(`https://receiver.example/${n}`);
    webhookIds.push(id);
    await outbox.store.write([
      sql`
        insert into deliveries (id, webhook_id, group_id, seq, status, due_at, created_at)
        with recursive numbers (n) as (
          select 1 union all select n + 1 from numbers where n < ${WAITING}
        )
        select ${id} || n, ${id}, ${outbox.groupId}, n, 'pending', n, 1 from numbers`,
    ]);
  }
  plans = await QueryPlans.open(outbox.database);
});
after(async () => {
  await plans[Symbol.asyncDispose]();
  await outbox[Symbol.asyncDispose]();
});

/** What a query does that grows with the deliveries that wait, or with the webhooks that have none. */
async function findExcess(query: Sql): Promise<readonly string[]> {
  const details = await plans.readDetails(query);
  return [
    ...details.filter((detail) => /^SCAN (d|w|deliveries|webhooks)\b/.test(detail)),
    ...(await plans.readWideSteps(query)),
  ];
}

test('the webhooks with due deliveries are found through the first entry of each', async () => {
  const queries: Sql[] = [];

  const { due } = await dueReceivers(OUTBOX, noting(outbox.store.reader, queries), {
    at: outbox.clock.ms,
    limit: WEBHOOKS,
  });

  assert.deepEqual(due.map(({ id }) => id).sort(), webhookIds.toSorted());
  assert.deepEqual((await Promise.all(queries.map(findExcess))).flat(), []);
});

test('a claim reads the deliveries that it takes, the longest due first', async () => {
  const [webhookId = '', other = ''] = webhookIds;
  const at = outbox.clock.ms;
  const buildClaim = (id: string): Sql =>
    claimDeliveries(OUTBOX, { receiverId: id, at, leaseUntil: at + 1, limit: CLAIMED });

  // On PostgreSQL it is carried out for that.
  const excess = await findExcess(buildClaim(other));
  const [claimed] = await outbox.store.write([buildClaim(webhookId)]);

  assert.deepEqual(excess, []);
  assert.deepEqual(
    claimed?.map((row) => JSON.stringify(row)).sort(),
    Array.from({ length: CLAIMED }, (_, n) => JSON.stringify({ id: `${webhookId}${n + 1}` })),
  );
});

test('counting the deliveries that wait stops at its limit', async () => {
  const rows = await waitingDeliveries(OUTBOX, outbox.store.reader);

  const counted = rows.reduce((sum, { count }) => sum + count, 0);
  assert.equal(counted, DELIVERIES_COUNTED_MAX);
});
