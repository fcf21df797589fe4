// The people of an inbox of before move into their own database: with everything that is theirs, and wherever
// the first start of the new version is killed.
import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { test } from 'node:test';
import { DatabaseError } from '@lothub/kit/database';
import { readMigrations } from '@lothub/kit/migrations';
import { SqliteConnection, migrateSqlite } from '@lothub/kit/sqlite/connection';
import { awaitServiceChild, spawnServiceChild } from '@lothub/kit/test/service-child';
import { openPeople, type People } from '@lothub/people/people';
import { databaseFile as peopleFile } from '@lothub/people/store/sqlite/file';
import sql from 'sql-template-tag';
import { readSettings } from '../../src/settings.ts';
import { SERVICE_NAME, sqliteSchemaFolder } from '../../src/store/schema.ts';
import { databaseFile } from '../../src/store/sqlite/store.ts';
import { NO_LIMITS, boot, bootSecond, type Booted } from '../boot.ts';
import { newTestDatabase, testEngine, type TestDatabase } from '../engine.ts';
import {
  DELIVERY_ID,
  GROUP_ID,
  OPEN_LINK,
  PASSWORD,
  SESSION,
  TOKEN,
  USED_LINK,
  newOlderInbox,
} from './older-inbox.ts';
import { KILL_VARIABLE } from './kill-at-commit-name.ts';

const GROUP = `/api/v1/groups/${GROUP_ID}`;
const ADA = { Cookie: `lothub_session=${SESSION}`, 'Sec-Fetch-Site': 'same-origin' };
const BOB = { Authorization: `Bearer ${TOKEN.token}` };

async function assertMoved(booted: Booted): Promise<void> {
  const { database } = booted;
  const me = await booted.call('/api/v1/me', { headers: ADA });
  assert.deepEqual(me.json, { id: 'usr_ada', email: 'ada@example.com', name: 'Ada' });
  const logIn = await booted.send({
    method: 'POST',
    path: '/api/v1/session',
    body: { email: 'bob@example.com', password: PASSWORD },
  });
  assert.equal(logIn.status, 201);
  const group = await booted.call(GROUP, { headers: BOB });
  assert.deepEqual([group.json['role'], group.json['unread']], ['member', 1]);
  const members = await booted.call(`${GROUP}/members`, { headers: ADA });
  assert.deepEqual(
    Object.values(members.json['items'] ?? {}).map(({ name, role }) => [name, role]),
    [
      ['Ada', 'owner'],
      ['Bob', 'member'],
    ],
  );
  const open = await booted.call(`${GROUP}/invitations`, { headers: ADA });
  assert.deepEqual(
    Object.values(open.json['items'] ?? {}).map(({ id, invited_by: by }) => [id, by]),
    [['inv_open', 'Ada']],
  );
  const used = await booted.call(`/inbox/invitation/${USED_LINK}`);
  assert.equal(used.status, 410);
  const [delivery] = await database.rows('select webhook_id, attempts from deliveries');
  assert.deepEqual([delivery?.['webhook_id'], delivery?.['attempts']], ['whk_1', 1]);
  const [attempt] = await database.rows('select delivery_id from delivery_attempts');
  assert.equal(attempt?.['delivery_id'], DELIVERY_ID);
  const counted = await database.rows(`
    select
      (select count(*) from people.accounts) as accounts,
      (select count(*) from people.setup_links) as links,
      (select count(*) from people.invitations) as invitations,
      (select count(*) from group_keys) as keys,
      (select count(*) from audit) as entries`);
  assert.deepEqual(counted.map(Object.values), [[2, 1, 2, 1, 1]]);
  assert.equal(booted.service.setupLink, undefined);
}

test('accounts, sessions, links, tokens and read marks are there after the upgrade, with their ids', async () => {
  await using booted = await boot({ database: await newOlderInbox() });

  await assertMoved(booted);
});

test('an invitation of before leads into its group', async () => {
  await using booted = await boot({ database: await newOlderInbox() });

  const accepted = await booted.send({
    method: 'POST',
    path: '/api/v1/invitations/accept',
    body: {
      token: OPEN_LINK,
      person: { name: 'Cem', email: 'cem@example.com', password: 'persimmon in a pan' },
    },
  });

  assert.equal(accepted.status, 201);
  const members = await booted.call(`${GROUP}/members`, { headers: ADA });
  assert.equal(Object.values(members.json['items'] ?? {}).length, 3);
});

if (testEngine === 'postgres') {
  test('of two processes that start at once, one upgrades and both serve', async () => {
    const database = await newOlderInbox();
    await using first = await boot({ database });
    const [second, third] = await Promise.all([bootSecond(first), bootSecond(first)]);
    await using _second = second;
    await using _third = third;

    await assertMoved(second);
  });
} else {
  for (const when of ['before', 'after'] as const) {
    for (const [what, mark] of [
      ['the schema of people', 'create table grants'],
      ['the copy of people', 'from inbox.accounts'],
      ['the schema of the inbox', 'people_copied'],
    ] as const) {
      test(`a start that is killed ${when} it commits ${what} is made good by the next one`, async () => {
        const database = await newOlderInbox();
        const child = spawnServiceChild({
          script: new URL('../crash/crash-child.ts', import.meta.url),
          env: {
            ...NO_LIMITS,
            ...database.env,
            NODE_OPTIONS: `--import ${new URL('./kill-at-commit.ts', import.meta.url).href}`,
            [KILL_VARIABLE]: `${when} ${mark}`,
          },
        });
        child.stdin?.end('serve\n');

        await assert.rejects(awaitServiceChild(child), /ended before it was ready/);

        assert.equal(child.signalCode, 'SIGKILL');
        await using booted = await boot({ database });
        await assertMoved(booted);
      });
    }
  }

  test('an e-mail that another account of the people has is refused in words, and nothing is lost', async () => {
    const database = await newOlderInbox();
    await storeTwin(database);

    await assert.rejects(boot({ database }), (error) => {
      assert.ok(error instanceof DatabaseError);
      assert.match(error.message, /both have an account with the e-mail ada@example\.com/);
      return true;
    });

    await using copy = await newTestDatabase();
    await cp(databaseFile(database.dataDir), databaseFile(copy.dataDir));
    await using booted = await boot({ database: copy });
    await assertMoved(booted);
  });

  test('the schema file that drops people is refused while one of them was not copied', async () => {
    await using database = await newOlderInbox();
    await (await openPeopleIn(database)).close();
    await using connection = new SqliteConnection(databaseFile(database.dataDir), 'write');
    connection.attach('people', peopleFile(database.dataDir));

    const migrate = (): void =>
      migrateSqlite(connection, readMigrations(sqliteSchemaFolder), SERVICE_NAME);

    assert.throws(migrate, /CHECK constraint failed: missing = 0/);
    const left = await connection.all<{ readonly id: string }>(
      sql`select id from main.accounts order by id`,
    );
    assert.deepEqual(
      left.map(({ id }) => id),
      ['usr_ada', 'usr_bob'],
    );
  });

  test('an inbox whose people are gone is not opened, and makes no link for whoever comes first', async () => {
    const booted = await boot({ database: await newOlderInbox() });
    await booted.service.close();
    await using bare = await newTestDatabase();
    await cp(databaseFile(booted.database.dataDir), databaseFile(bare.dataDir));

    await assert.rejects(boot({ database: bare }), /restore the database of people/);

    await cp(peopleFile(booted.database.dataDir), peopleFile(bare.dataDir));
    await using whole = await boot({ database: bare });
    await assertMoved(whole);
    await booted.database[Symbol.asyncDispose]();
  });
}

/** A hub that was set up alone before the inbox was started beside it. */
async function storeTwin(database: TestDatabase): Promise<void> {
  await using people = await openPeopleIn(database);
  await people.store.write([
    sql`
      insert into accounts (id, email, name, password_hash, created_at)
      values ('usr_twin', 'ada@example.com', 'Ada', 'none', 1)`,
  ]);
}

function openPeopleIn({ env }: TestDatabase): Promise<People> {
  return openPeople({
    settings: readSettings(env),
    databaseUrl: undefined,
    log: { warn: () => undefined },
    onFatal: (error) => {
      throw error;
    },
  });
}
