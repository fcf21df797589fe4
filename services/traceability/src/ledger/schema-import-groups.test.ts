// Schema 6 gives events that were imported before it the key of their group, on both engines: what was
// imported, not what corrections made of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMigrations } from '@lothub/kit/migrations';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { migratePostgres } from '@lothub/kit/postgres/migrate';
import { SqliteConnection, migrateSqlite } from '@lothub/kit/sqlite/connection';
import { startTestPostgres } from '@lothub/kit/test/postgres/server';
import sql from 'sql-template-tag';
import { buildGroupKey } from './record/group-key.ts';
import { SERVICE_NAME, postgresSchemaFolder, sqliteSchemaFolder } from './schema.ts';

const BEFORE = 5;

const IMPORTED = {
  event_type: 'SELL',
  occurred_at: '2026-03-02T06:15:00Z',
  reference: 'SO "1" é 🥖 \\ 2',
} as const;
const CANONICAL = JSON.stringify({ height: 0, payload: { brand: 'acme', event: IMPORTED } });

/** Height, corrections and text of imported events; the last one has lost its event. */
const EVENTS = [
  { height: 1, corrections: 0, canonical: CANONICAL },
  { height: 2, corrections: 1, canonical: CANONICAL },
  { height: 3, corrections: 1, canonical: CANONICAL.slice(0, 50) },
  { height: 4, corrections: 1, canonical: '{"payload":[]}' },
] as const;
const LOST_HEIGHT = 5;

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

const FILL = [
  `insert into blocks (height, prev_hash, hash, canonical) values (0, '', 'hash 0', '{}');`,
  `insert into tenants (tenant_no, tenant_id, first_height, last_height, events, transactions, lots)
    values (1, 'acme', 1, 1, 0, 0, 0);`,
  ...EVENTS.map(({ height, corrections, canonical }) => {
    const reference = quoted(corrections === 0 ? IMPORTED.reference : 'corrected');
    return `
      insert into blocks (height, prev_height, prev_hash, hash, canonical)
        values (${height}, ${height - 1}, 'hash ${height - 1}', 'hash ${height}', ${quoted(canonical)});
      insert into events (height, tenant_no, event_type, occurred_at, reference, line_count,
          link_basis, correction_count)
        values (${height}, 1, 'SELL', ${quoted(IMPORTED.occurred_at)}, ${reference}, 1, 0, ${corrections});
      insert into import_keys (height, tenant_no, content_key) values (${height}, 1, 'k');`;
  }),
  `insert into import_keys (height, tenant_no, content_key) values (${LOST_HEIGHT}, 1, 'k');`,
].join('\n');

const KEYS = sql`select height, tenant_no, group_key from import_keys order by height`;

/** A payload that cannot be read gets a key that matches none, and the verifier reports it. */
const EXPECTED = [
  { height: 1, tenant_no: 1, group_key: buildGroupKey(IMPORTED) },
  { height: 2, tenant_no: 1, group_key: buildGroupKey(IMPORTED) },
  { height: 3, tenant_no: 1, group_key: '' },
  { height: 4, tenant_no: 1, group_key: '' },
  { height: LOST_HEIGHT, tenant_no: 1, group_key: '' },
];

test('on SQLite events that were imported before get the key of their group', async () => {
  await using connection = new SqliteConnection(':memory:', 'write');
  const migrations = readMigrations(sqliteSchemaFolder);
  migrateSqlite(connection, migrations.slice(0, BEFORE), SERVICE_NAME);
  connection.database.exec(FILL);

  migrateSqlite(connection, migrations, SERVICE_NAME);

  const keys = await connection.all<object>(KEYS);
  assert.deepEqual(
    keys.map((row) => ({ ...row })),
    EXPECTED,
  );
});

test('on PostgreSQL events that were imported before get the key of their group', async () => {
  await using server = await startTestPostgres();
  const { url } = await server.createDatabase();
  await using connection = await PostgresConnection.open(url);
  const migrations = readMigrations(postgresSchemaFolder);
  await migratePostgres(connection, migrations.slice(0, BEFORE), SERVICE_NAME);
  await connection.transaction((transaction) => transaction.execute(FILL));

  await migratePostgres(connection, migrations, SERVICE_NAME);

  assert.deepEqual(await connection.all(KEYS), EXPECTED);
});
