// An inbox as version 0.5.0 makes it: with its people in its own tables. Ada owns a group that Bob is in; she has
// a session, a read token and an open invitation; he has read some of it.
import { readMigrations } from '@lothub/kit/migrations';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { makeNamespace, migratePostgres } from '@lothub/kit/postgres/migrate';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { newApiToken } from '@lothub/kit/secrets/api-token';
import { SqliteConnection, migrateSqlite } from '@lothub/kit/sqlite/connection';
import { Passwords } from '@lothub/people/passwords/passwords';
import { databaseFile as peopleFile } from '@lothub/people/store/sqlite/file';
import { rm } from 'node:fs/promises';
import { READ_TOKEN_PREFIX } from '../../src/access/token-lookup.ts';
import {
  POSTGRES_NAMESPACE,
  SERVICE_NAME,
  postgresSchemaFolder,
  sqliteSchemaFolder,
} from '../../src/store/schema.ts';
import { databaseFile } from '../../src/store/sqlite/store.ts';
import { newBarePostgres, newTestDatabase, testEngine, type TestDatabase } from '../engine.ts';

export const PASSWORD = 'kumquat on a stick';
export const SESSION = 'S'.repeat(43);
export const OPEN_LINK = 'i'.repeat(43);
export const USED_LINK = 'u'.repeat(43);
export const TOKEN = newApiToken(READ_TOKEN_PREFIX);
export const GROUP_ID = 'grp_older0000001';
export const DELIVERY_ID = 'msg_older';

const DAY_MS = 24 * 60 * 60 * 1_000;
const passwordHash = await new Passwords({
  cost: { memoryKib: 8, passes: 1, lanes: 1 },
}).hash(PASSWORD);

export async function newOlderInbox(): Promise<TestDatabase> {
  if (testEngine === 'postgres') return await olderPostgres();
  const database = await newTestDatabase();
  await rm(peopleFile(database.dataDir));
  const connection = new SqliteConnection(databaseFile(database.dataDir), 'write');
  migrateSqlite(connection, readMigrations(sqliteSchemaFolder).slice(0, 1), SERVICE_NAME);
  connection.database.exec(buildRows(Date.now()));
  await connection.close();
  return database;
}

async function olderPostgres(): Promise<TestDatabase> {
  const database = await newBarePostgres();
  await using connection = await PostgresConnection.open(database.databaseUrl, {
    connectionsMax: 1,
    settings: { search_path: POSTGRES_NAMESPACE },
  });
  await makeNamespace(connection, POSTGRES_NAMESPACE);
  const files = readMigrations(postgresSchemaFolder).slice(0, 1);
  await migratePostgres(connection, files, SERVICE_NAME);
  await connection.transaction((transaction) => transaction.execute(buildRows(Date.now())));
  return database;
}

function buildRows(nowMs: number): string {
  const soon = nowMs + DAY_MS;
  const hash = (text: string): string => sha256Hex(text);
  return `
    insert into accounts (id, email, name, password_hash, created_at) values
      ('usr_ada', 'ada@example.com', 'Ada', '${passwordHash}', 1),
      ('usr_bob', 'bob@example.com', 'Bob', '${passwordHash}', 2);
    insert into sessions (token_hash, account_id, agent, created_at, last_seen_at, expires_at) values
      ('${hash(SESSION)}', 'usr_ada', 'Firefox', ${nowMs}, ${nowMs}, ${soon}),
      ('${hash('another')}', 'usr_bob', 'Chrome', 1, 1, ${soon});
    insert into setup_links (token_hash, created_at, expires_at, used_at) values
      ('${hash('set-up')}', 1, ${soon}, 2);
    insert into groups (id, name, retention_days, retention_rows, created_at) values
      ('${GROUP_ID}', 'Bakery', 90, 50000, 1);
    insert into group_heads (group_id, head_seq) values ('${GROUP_ID}', 3);
    insert into members (group_id, account_id, role, joined_at, read_up_to, read_revision) values
      ('${GROUP_ID}', 'usr_ada', 'owner', 1, 0, 0),
      ('${GROUP_ID}', 'usr_bob', 'member', 2, 1, 7);
    insert into read_exceptions (account_id, group_id, seq, is_read) values
      ('usr_bob', '${GROUP_ID}', 3, 1);
    insert into invitations
      (id, token_hash, group_id, role, email, invited_by, created_at, expires_at, accepted_at, accepted_by)
    values
      ('inv_open', '${hash(OPEN_LINK)}', '${GROUP_ID}', 'member', null, 'usr_ada', 3, ${soon}, null, null),
      ('inv_used', '${hash(USED_LINK)}', '${GROUP_ID}', 'member', null, 'usr_ada', 3, ${soon}, 4, 'usr_bob');
    insert into group_keys (id, group_id, name, secret_hash, created_by, created_at) values
      ('k1', '${GROUP_ID}', 'Oven', '${hash('key')}', 'usr_ada', 1);
    insert into read_tokens (id, account_id, name, secret_hash, created_at) values
      ('${TOKEN.id}', 'usr_bob', 'Wall', '${TOKEN.hash}', 1);
    insert into notifications (id, group_id, seq, title, severity, created_at, key_id) values
      (1, '${GROUP_ID}', 1, 'one', 'info', ${nowMs}, 'k1'),
      (2, '${GROUP_ID}', 2, 'two', 'critical', ${nowMs}, 'k1'),
      (3, '${GROUP_ID}', 3, 'three', 'info', ${nowMs}, 'k1');
    insert into acknowledgements (group_id, seq, account_id, at) values
      ('${GROUP_ID}', 2, 'usr_bob', 5);
    insert into webhooks
      (id, group_id, name, url, min_severity, status, secret, created_by, created_at)
    values
      ('whk_1', '${GROUP_ID}', 'Pager', 'https://example.com/', 'info', 'paused', 'whsec_x', 'usr_ada', 1);
    insert into deliveries (id, webhook_id, group_id, seq, status, attempts, due_at, created_at) values
      ('${DELIVERY_ID}', 'whk_1', '${GROUP_ID}', 1, 'failed', 1, 1, 1);
    insert into delivery_attempts (delivery_id, attempt, at, took_ms, error) values
      ('${DELIVERY_ID}', 1, 1, 1, 'nobody answered');
    insert into audit (at, account_id, actor, action, group_id, subject, details) values
      (1, 'usr_ada', 'Ada', 'account_created', null, 'usr_ada', '{}');
    update feed_head set position = 3, at = ${nowMs} where id = 1;
  `;
}
