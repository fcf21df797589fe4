// Both services in one PostgreSQL database, served by two processes: neither meets a name of the other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TestProgram, type ServedCli } from '@lothub/kit/test/cli-run';
import { TestDatabases } from '@lothub/kit/test/engine';
import sql from 'sql-template-tag';

const PROGRAM = new TestProgram(fileURLToPath(new URL('../bin/lothub.ts', import.meta.url)));

const GROUP_KEY = 'test-group-key-0123456789abcdef0123456789';
const METRICS_TOKEN = 'test-metrics-token-0123456789abcdef';
const SETTINGS = {
  NOTIFICATIONS_OWNER_EMAIL: 'owner@example.com',
  NOTIFICATIONS_OWNER_PASSWORD: 'correct horse battery staple',
  NOTIFICATIONS_API_KEY: GROUP_KEY,
};

/** A database without any table: the processes make what they need. */
const databases = new TestDatabases({
  name: 'host',
  postgresSchemaFolder: '',
  sqliteSchemaFolder: '',
  lockWrites: sql`select 1`,
  databaseFile: (dataDir) => dataDir,
});

async function postedSeq({ base }: ServedCli, title: string): Promise<unknown> {
  const answer = await fetch(`${base}/api/v1/ingest`, {
    method: 'POST',
    headers: { 'X-Api-Key': GROUP_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title }),
  });
  return ((await answer.json()) as { readonly seq?: unknown }).seq;
}

test('two processes serve both services over one database', async () => {
  await using database = await databases.newBarePostgres();
  const settings = { ...database.env, ...SETTINGS };
  await using first = await PROGRAM.serve(settings);
  await using second = await PROGRAM.serve(settings);

  const seqs = [
    await postedSeq(first, 'a'),
    await postedSeq(second, 'b'),
    await postedSeq(first, 'c'),
  ];
  const health = await fetch(`${second.base}/health`);
  const namespaces = await database.rows(
    "select table_schema as name, count(*) as tables from information_schema.tables where table_schema in ('public', 'notifications') group by table_schema order by table_schema",
  );

  assert.deepEqual(seqs, [1, 2, 3]);
  assert.equal(health.status, 200);
  assert.deepEqual(
    namespaces.map(({ name }) => name),
    ['notifications', 'public'],
  );
});

test('each process over one database has figures of its own, and reads those of the database', async () => {
  await using database = await databases.newBarePostgres();
  const settings = { ...database.env, ...SETTINGS, METRICS_TOKEN };
  await using first = await PROGRAM.serve(settings);
  await using second = await PROGRAM.serve(settings);
  await postedSeq(first, 'a');

  const [ofFirst, ofSecond] = await Promise.all([readFigures(first), readFigures(second)]);

  const posts = /^lothub_http_requests_total\{.*route="\/api\/v1\/ingest".*\} 1$/m;
  for (const figures of [ofFirst, ofSecond]) {
    assert.equal(figures.match(/^lothub_database_up\{.*\} 1$/gm)?.length, 2);
    assert.match(figures, /^lothub_chain_height 0$/m);
  }
  assert.match(ofFirst, posts);
  assert.doesNotMatch(ofSecond, posts);
});

async function readFigures({ base }: ServedCli): Promise<string> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  return await (await fetch(`${base}/metrics`, { headers })).text();
}
