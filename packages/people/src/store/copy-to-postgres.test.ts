// People moved from SQLite to PostgreSQL, all or none.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startTestPostgres, type TestPostgres } from '@lothub/kit/test/postgres/server';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import sql from 'sql-template-tag';
import { newSession } from '../access/sessions.ts';
import { copyPeopleToPostgres } from './copy-to-postgres.ts';
import { openStore } from './open-store.ts';
import type { PeopleStore } from './store.ts';
import { databaseFile } from './sqlite/file.ts';

/** More than one statement takes. */
const ACCOUNTS = 450;

let server: TestPostgres;
let dataDir: string;
let file: string;

const onFatal = (error: Error): never => {
  throw error;
};

function openPostgres(databaseUrl: string): Promise<PeopleStore> {
  return openStore({ dataDir, databaseUrl, onFatal });
}

before(async () => {
  server = await startTestPostgres();
  dataDir = await mkdtemp(join(tmpdir(), 'lothub-test-'));
  file = databaseFile(dataDir);
  await using store = await openStore({ dataDir, databaseUrl: undefined, onFatal });
  const ids = Array.from({ length: ACCOUNTS }, (_, index) => `usr_${index}`);
  await store.write([
    ...ids.map(
      (id, index) => sql`
        insert into accounts (id, email, name, password_hash, created_at, erased_at)
        values (
          ${id}, ${index === 0 ? null : `${id}@example.com`}, ${`Åsa “${index}”`},
          ${index === 0 ? null : 'hash'}, ${index}, ${index === 0 ? 7 : null}
        )`,
    ),
    ...newSession({ accountId: 'usr_1', agent: 'Firefox', nowMs: 5 }).statements,
    sql`
      insert into setup_links (token_hash, created_at, expires_at, used_at)
      values ('link', 1, 2, null)`,
    sql`
      insert into invitations (id, token_hash, place, role, invited_by, created_at, expires_at)
      values ('inv_1', 'inv', 'brand:acme', 'viewer', 'usr_1', 1, 2)`,
    sql`
      insert into grants (account_id, place, role, granted_by, granted_at)
      values ('usr_1', 'hub', 'operator', null, 1), ('usr_2', 'brand:acme', 'manager', 'usr_1', 2)`,
    sql`
      insert into audit (at, account_id, actor, action, place, subject, details)
      values (1, null, 'service', 'account_created', null, 'usr_1', '{}'),
        (2, 'usr_1', 'Åsa', 'role_granted', 'brand:acme', 'usr_2', '{"role":"manager"}')`,
  ]);
});
after(async () => {
  await rm(dataDir, { recursive: true });
  await server[Symbol.asyncDispose]();
});

const QUERIES = {
  accounts: sql`select * from accounts order by id`,
  sessions: sql`select * from sessions order by token_hash`,
  links: sql`select * from setup_links order by token_hash`,
  invitations: sql`select * from invitations order by id`,
  grants: sql`select * from grants order by account_id, place`,
  audit: sql`select at, account_id, actor, action, place, subject, details from audit order by id`,
} as const;

async function assertSame(target: PeopleStore): Promise<void> {
  await using source = new SqliteConnection(file, 'read');
  for (const [name, query] of Object.entries(QUERIES)) {
    const [here, there] = [await source.all<object>(query), await target.reader.all<object>(query)];
    assert.notEqual(here.length, 0, name);
    const plain = (rows: readonly object[]): unknown => rows.map((row) => ({ ...row }));
    assert.deepEqual(plain(there), plain(here), name);
  }
}

test('every row arrives, and a second copy adds nothing', async () => {
  const { url } = await server.createDatabase();

  const counts = [
    await copyPeopleToPostgres({ file, url }),
    await copyPeopleToPostgres({ file, url }),
  ];

  assert.deepEqual(counts, [ACCOUNTS, ACCOUNTS]);
  await using target = await openPostgres(url);
  await assertSame(target);
});

test('a database that has other people is refused and stays as it is', async () => {
  const { url } = await server.createDatabase();
  await using target = await openPostgres(url);
  await target.write([
    sql`
      insert into accounts (id, email, name, password_hash, created_at)
      values ('usr_eve', 'eve@example.com', 'Eve', 'none', 1)`,
  ]);

  await assert.rejects(copyPeopleToPostgres({ file, url }), { code: 'target_taken' });

  const rows = await target.reader.all<{ readonly id: string }>(sql`select id from accounts`);
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['usr_eve'],
  );
});

test('a copy that fails in the middle leaves nobody, and can be made again', async () => {
  const { url } = await server.createDatabase();
  await using target = await openPostgres(url);
  await target.write([sql`alter table grants add constraint none_yet check (role <> 'manager')`]);

  await assert.rejects(copyPeopleToPostgres({ file, url }));
  const left = await target.reader.all(sql`select id from accounts`);
  await target.write([sql`alter table grants drop constraint none_yet`]);
  await copyPeopleToPostgres({ file, url });

  assert.deepEqual(left, []);
  await assertSame(target);
});
