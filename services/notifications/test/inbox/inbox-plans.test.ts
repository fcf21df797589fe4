// What the engine looks at for a page of an inbox is bounded by the page, not by what is stored: every
// query goes through an index, on PostgreSQL also with a plan that was made without its values.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { listAll } from '../../src/inbox/list-all.ts';
import { getNotification, listNotifications, type ListOptions } from '../../src/inbox/list.ts';
import { listOccurrences } from '../../src/inbox/occurrences.ts';
import { LOOKED_AT_MAX } from '../../src/inbox/search.ts';
import { readMarks, readStandings } from '../../src/inbox/standing.ts';
import { boot } from '../boot.ts';
import { newGroup, newPerson, type TestPerson } from '../people/person.ts';
import { QueryPlans, noting } from '../query-plans.ts';

const ROWS = 60_000;
/** Of one alert, all unread and critical, behind everything else. */
const FIRINGS = 100_000;
const FIRST_FIRING = ROWS + 1;
const LAST_FIRING = ROWS + FIRINGS;

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());
const { store } = booted.service;
let ada: TestPerson;
let groupId: string;
let plans: QueryPlans;

before(async () => {
  ada = await newPerson(booted);
  groupId = await newGroup(ada);
  const other = await newGroup(ada, 'Other');
  await ada.send('POST', `/api/v1/groups/${other}/test`);
  const numbers = (every: number): Sql => sql`
    with recursive numbers (n) as (
      select 1 union all select n + 1 from numbers where n < ${ROWS / every}
    )`;
  await store.write([
    // Retention is at work in the service, and deletes none of them.
    sql`update groups set retention_rows = ${10 * ROWS} where id = ${groupId}`,
    sql`
      insert into notifications (id, group_id, seq, title, body, severity, created_at, key_id)
      ${numbers(1)}
      select
        h.position + n, ${groupId}, n, 'Nothing of note', 'Nothing at all',
        case when n % 10 = 0 then 'critical' else 'info' end, ${Date.now()}, 'k'
      from numbers, feed_head h`,
    sql`
      insert into acknowledgements (group_id, seq, account_id, at)
      ${numbers(10)}
      select ${groupId}, n * 10, ${ada.accountId}, 1 from numbers where n * 10 <= ${ROWS / 2}`,
    sql`
      insert into read_exceptions (account_id, group_id, seq, is_read)
      ${numbers(50)}
      select
        ${ada.accountId}, ${groupId}, n * 50, case when n * 50 > ${ROWS / 2} then 1 else 0 end
      from numbers`,
    sql`
      insert into read_exceptions (account_id, group_id, seq, is_read)
      ${numbers(5)}
      select 'usr_000000000000', ${groupId}, n * 5, 1 from numbers`,
    sql`update members set read_up_to = ${ROWS / 2} where group_id = ${groupId}`,
    sql`update feed_head set position = position + ${ROWS}`,
    sql`
      insert into notifications
        (id, group_id, seq, title, severity, created_at, key_id, dedup_key, status)
      with recursive numbers (n) as (
        select 1 union all select n + 1 from numbers where n < ${FIRINGS}
      )
      select
        h.position + n, ${groupId}, ${ROWS} + n, 'Oven 3 is too hot', 'critical', ${Date.now()}, 'k',
        'oven', 'firing'
      from numbers, feed_head h`,
    sql`
      insert into occurrences
        (group_id, first_seq, dedup_key, last_seq, severity, status, count, first_at)
      values
        (${groupId}, ${FIRST_FIRING}, 'oven', ${LAST_FIRING}, 'critical', 'firing', ${FIRINGS}, 1)`,
    // Of other alerts, each of which fired once.
    sql`
      insert into occurrences
        (group_id, first_seq, dedup_key, last_seq, severity, status, count, first_at)
      ${numbers(20)}
      select ${groupId}, n * 20 - 1, 'alert ' || n, n * 20 - 1, 'info', 'firing', 1, 1 from numbers`,
    sql`
      update notifications
      set dedup_key = 'alert ' || ((seq + 1) / 20), status = 'firing'
      where group_id = ${groupId} and seq < ${ROWS} and seq % 20 = 19`,
    sql`
      insert into unacknowledged (group_id, seq)
      ${numbers(10)}
      select ${groupId}, n * 10 from numbers where n * 10 > ${ROWS / 2}`,
    sql`
      insert into read_exceptions (account_id, group_id, seq, is_read)
      values (${ada.accountId}, ${groupId}, ${LAST_FIRING}, 1)`,
    sql`update feed_head set position = position + ${FIRINGS}`,
    sql`update group_heads set head_seq = ${LAST_FIRING} where group_id = ${groupId}`,
  ]);
  plans = await QueryPlans.open(booted.database);
});
after(() => plans[Symbol.asyncDispose]());

/** What the engine says of a step that may grow; subqueries of these names end at a limit of their own. */
const UNBOUNDED = /^SCAN (?!CONSTANT|earlier|counted|alone|together|lanes)|TEMP B-TREE FOR ORDER/;
/** Of the merge of what was read lane by lane, each up to the limit of the page. */
const OF_LANES = ['SCAN n', 'USE TEMP B-TREE FOR ORDER BY'];

/** What a query does that grows with what is stored. */
async function findExcess(query: Sql): Promise<readonly string[]> {
  const details = await plans.readDetails(query);
  // A rare severity would be looked for among all of them.
  const isWide =
    /from notifications n\s+where.*n\.severity = /s.test(query.sql) &&
    !details.some((detail) => /notifications_(by_severity|alone)/.test(detail));
  return [
    ...withoutFirst(
      details.filter((detail) => UNBOUNDED.test(detail)),
      details.includes('SCAN lanes') ? OF_LANES : [],
    ),
    ...(isWide ? details : []),
    ...(await plans.readWideSteps(query)),
  ];
}

function withoutFirst(all: readonly string[], names: readonly string[]): readonly string[] {
  const firsts = new Set(names.map((name) => all.indexOf(name)));
  return all.filter((_, at) => !firsts.has(at));
}

const LISTS: readonly ListOptions[] = [
  {},
  { before: ROWS / 2 },
  { after: ROWS / 3, limit: 200 },
  { severity: 'critical' },
  { severity: 'critical', after: 10 },
  { severity: 'warning' },
  { unread: true },
  { unread: true, before: ROWS / 2 },
  { unread: true, after: 10, limit: 200 },
  { unread: true, severity: 'critical', before: ROWS / 3 },
  { q: 'nowhere' },
  { q: 'nothing', after: 7 },
  { ack: 'open' },
  { ack: 'open', after: 10 },
  ...[
    {},
    { before: ROWS / 2 },
    { after: ROWS / 3, limit: 200 },
    { severity: 'critical' as const },
    { severity: 'warning' as const },
    { unread: true },
    { unread: true, before: ROWS / 2 },
    { ack: 'open' as const },
    { q: 'nowhere' },
  ].map((options) => ({ ...options, grouped: true })),
];

/** Places, their texts, and a few around them. */
const QUERIES_MAX = 2 * (LOOKED_AT_MAX / 200) + 10;

const ASKED: Readonly<Record<string, (reader: DatabaseReader) => Promise<unknown>>> = {
  ...Object.fromEntries(
    LISTS.map((options) => [
      `list ${JSON.stringify(options)}`,
      (reader: DatabaseReader) =>
        listNotifications(reader, { accountId: ada.accountId, groupId }, options),
    ]),
  ),
  ...Object.fromEntries(
    [...LISTS, { q: 'nothing', before: ROWS / 2, limit: 200 }].map((options) => [
      `list of all groups ${JSON.stringify(options)}`,
      (reader: DatabaseReader) => listAll(reader, ada.accountId, options),
    ]),
  ),
  occurrences: (reader) =>
    listOccurrences(reader, { accountId: ada.accountId, groupId }, { seq: ROWS + 9, limit: 200 }),
  one: (reader) => getNotification(reader, { accountId: ada.accountId, groupId }, ROWS),
  'standings of one group': (reader) =>
    readStandings(reader, { accountId: ada.accountId, groupIds: [groupId] }),
  marks: (reader) =>
    readMarks(
      reader,
      ada.accountId,
      Array.from({ length: 500 }, (_, n) => ({ id: n, groupId, seq: n + 1 })),
    ),
};

for (const [name, ask] of Object.entries(ASKED)) {
  test(`through an index: ${name}`, async () => {
    const queries: Sql[] = [];
    await ask(noting(store.reader, queries));
    const distinct = [...new Map(queries.map((query) => [query.sql, query])).values()];

    const excess = await Promise.all(distinct.map(findExcess));

    assert.ok(distinct.length > 0);
    assert.ok(queries.length <= QUERIES_MAX, `${queries.length} queries`);
    assert.deepEqual(excess.flat(), []);
  });
}
