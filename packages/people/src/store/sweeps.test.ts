// What of people goes by itself, and when.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sweep } from '@lothub/kit/retention/retention-loop';
import { MS_PER_DAY } from '@lothub/kit/retention/sweeps';
import { ALONE_TURN } from '@lothub/kit/turn';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { openTestPeople } from '../../test/opened-people.ts';
import { SWEEPS } from './sweeps.ts';

const opened = await openTestPeople();
after(() => opened[Symbol.asyncDispose]());
const { database } = opened;
const { store } = opened.people;

let nowMs = Date.UTC(2026, 0, 5);
const clock = { nowMs: () => nowMs };
await store.write([
  sql`
    insert into accounts (id, email, name, password_hash, created_at)
    values ('usr_ada', 'ada@example.com', 'Ada', 'none', 1)`,
]);

async function retain(): Promise<void> {
  const { signal } = new AbortController();
  await sweep({ turn: ALONE_TURN, sweeps: SWEEPS, signal, pauseMs: 0 }, { store, clock });
}

async function countRows(table: string): Promise<number> {
  const [row] = await database.rows(`select count(*) as n from ${table}`);
  return Number(row?.['n']);
}

interface Swept {
  readonly table: string;
  readonly keptMs: number;
  readonly insert: (row: { readonly name: string; readonly at: number }) => Sql;
}

const SWEPT: readonly Swept[] = [
  {
    table: 'sessions',
    keptMs: 0,
    insert: ({ name, at }) => sql`
      insert into sessions (token_hash, account_id, agent, created_at, last_seen_at, expires_at)
      values (${name}, 'usr_ada', 'test', 1, 1, ${at})`,
  },
  {
    table: 'sign_on_attempts',
    keptMs: 0,
    insert: ({ name, at }) => sql`
      insert into sign_on_attempts (state_hash, browser_hash, nonce, verifier, next, expires_at)
      values (${name}, 'browser', 'nonce', 'verifier', '/inbox', ${at})`,
  },
  {
    table: 'setup_links',
    keptMs: 30 * MS_PER_DAY,
    insert: ({ name, at }) => sql`
      insert into setup_links (token_hash, created_at, expires_at)
      values (${name}, 1, ${at})`,
  },
  {
    table: 'invitations',
    keptMs: 30 * MS_PER_DAY,
    insert: ({ name, at }) => sql`
      insert into invitations (id, token_hash, place, role, invited_by, created_at, expires_at)
      values (${name}, ${name}, 'hub', 'operator', 'usr_ada', 1, ${at})`,
  },
  {
    table: 'audit',
    keptMs: 2 * 365 * MS_PER_DAY,
    insert: ({ name, at }) => sql`
      insert into audit (at, account_id, actor, action, place, subject, details)
      values (${at}, null, 'operator', 'setup_link_made', null, ${name}, '{}')`,
  },
];

for (const { table, keptMs, insert } of SWEPT) {
  test(`rows of ${table} go when their time is over, and not before`, async () => {
    await retain();
    const others = await countRows(table);
    await store.write([
      insert({ name: 'old', at: nowMs - keptMs }),
      insert({ name: 'new', at: nowMs - keptMs + 1 }),
    ]);

    await retain();

    assert.equal((await countRows(table)) - others, 1);
    nowMs += 1;
    await retain();
    assert.equal(await countRows(table), others);
  });
}

test('the tables that are swept are those of this test', () => {
  assert.deepEqual(
    SWEEPS.map(({ name }) => name),
    SWEPT.map(({ table }) => table),
  );
});

test('a link goes by the day it was used, and one whose person waits at the door stays', async () => {
  const at = nowMs - 30 * MS_PER_DAY;
  const never = nowMs + MS_PER_DAY;
  await store.write([
    sql`
      insert into setup_links (token_hash, created_at, expires_at, used_at)
      values ('used', 1, ${never}, ${at})`,
    sql`
      insert into invitations (
        id, token_hash, place, role, invited_by, created_at, expires_at, accepted_at, entered_at, revoked_at
      )
      values
        ('entered', 'entered', 'hub', 'operator', 'usr_ada', 1, ${never}, ${at}, ${at}, null),
        ('accepted', 'accepted', 'group:grp_1', 'member', 'usr_ada', 1, ${at}, ${at}, null, null),
        ('revoked', 'revoked', 'hub', 'operator', 'usr_ada', 1, ${never}, null, null, ${at}),
        ('open', 'open', 'hub', 'operator', 'usr_ada', 1, ${never}, null, null, null)`,
  ]);

  await retain();

  assert.equal(await countRows('setup_links'), 0);
  const left = await database.rows('select id from invitations order by id');
  assert.deepEqual(
    left.map(({ id }) => id),
    ['accepted', 'open'],
  );
});
