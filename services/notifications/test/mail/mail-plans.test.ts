// What the engine looks at to choose the next mails and to read what is in them is bounded by the people and by
// what is claimed, not by what waits or is stored.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { claimDeliveries, dueReceivers } from '@lothub/delivery/outbox/due-queries';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { MAIL_OUTBOX, claimedMails } from '../../src/mail/outbox-queries.ts';
import { receiverOfPerson } from '../../src/mail/receiver-queries.ts';
import { QueryPlans, noting } from '../query-plans.ts';
import { fill } from '../stored-group.ts';
import { openMailing, type MailedPerson, type Mailing } from './mailing.ts';

const PEOPLE = 10;
/** Of each person, all due. */
const WAITING = 4_000;
const CLAIMED = 50;
/** Enough that going through all of them would cost more than an index. */
const NOTIFICATIONS = 40_000;

let mailing: Mailing;
let plans: QueryPlans;
const people: MailedPerson[] = [];

before(async () => {
  mailing = await openMailing();
  await fill(mailing.store, mailing.groupId, NOTIFICATIONS);
  for (let n = 0; n < PEOPLE; n += 1) {
    const person = await mailing.newPerson();
    people.push(person);
    const { receiverId, accountId } = person;
    await mailing.store.write([
      sql`update members set read_up_to = 0 where account_id = ${accountId}`,
      sql`
        insert into mail_deliveries
          (id, receiver_id, group_id, seq, kind, status, due_at, created_at)
        with recursive numbers (n) as (
          select 1 union all select n + 1 from numbers where n < ${WAITING}
        )
        select ${receiverId} || n, ${receiverId}, ${mailing.groupId}, n, 'created', 'pending', n, 1
        from numbers`,
    ]);
  }
  plans = await QueryPlans.open(mailing.database);
});
after(async () => {
  await plans[Symbol.asyncDispose]();
  await mailing[Symbol.asyncDispose]();
});

/** What a query does that grows with what waits or is stored. */
async function findExcess(query: Sql): Promise<readonly string[]> {
  const details = await plans.readDetails(query);
  return [
    ...details.filter((detail) => /^SCAN (d|m|e|c|mail_deliveries|notifications)\b/.test(detail)),
    ...(await plans.readWideSteps(query)),
  ];
}

test('what is due, and what a mail needs of it, is found through indexes', async () => {
  const queries: Sql[] = [];
  const reader = noting(mailing.store.reader, queries);
  const [person] = people;
  const receiverId = person?.receiverId ?? '';

  const { due } = await dueReceivers(MAIL_OUTBOX, reader, {
    at: mailing.clock.ms,
    limit: PEOPLE,
  });
  const ids = Array.from({ length: CLAIMED }, (_, n) => `${receiverId}${n + 1}`);
  const claimed = await claimedMails(reader, ids);
  await receiverOfPerson(reader, person?.accountId ?? '');

  assert.equal(due.length, PEOPLE);
  assert.equal(claimed.length, CLAIMED);
  assert.ok(claimed.every(({ title, readUpTo }) => title !== null && readUpTo === 0));
  assert.deepEqual((await Promise.all(queries.map(findExcess))).flat(), []);
});

test('a claim reads the deliveries that it takes', async () => {
  const at = mailing.clock.ms;
  const excess = await findExcess(
    claimDeliveries(MAIL_OUTBOX, {
      receiverId: people[0]?.receiverId ?? '',
      at,
      leaseUntil: at + 1,
      limit: CLAIMED,
    }),
  );

  assert.deepEqual(excess, []);
});
