// `lothub migrate`: a hub moved from SQLite to PostgreSQL, whole or not at all, and served from there.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { startTestPostgres, type TestPostgres } from '@lothub/kit/test/postgres/server';
import sql, { raw } from 'sql-template-tag';
import { LEDGER_TABLES } from '../../src/ledger/tables/all.ts';
import { anEvent } from '../boot.ts';
import { runCli, serveCli, testFolder } from './run.ts';
import { buildRichLedger, openRich, type RichLedger } from '../rich-ledger.ts';
import { openTampering } from '../tampering/ledger.ts';

const LOOK_EVERY_MS = 50;

let server: TestPostgres;
let ledger: RichLedger;

before(async () => {
  server = await startTestPostgres();
  ledger = await buildRichLedger();
});

after(async () => {
  await ledger[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

function migrate(url: string, ...args: readonly string[]) {
  return runCli(['migrate', '--to', url, ...args], { DATA_DIR: ledger.dataDir });
}

/** The secret part of a database's address. */
function readPassword(url: string): string {
  return new URL(url).password;
}

test('every row arrives, and the tip is the one that the hub had', async () => {
  const { name, url } = await server.createDatabase();
  await using sqlite = openRich(ledger);
  const head = await sqlite.first<{ height: number; hash: string }>(
    sql`select height, hash from head`,
  );

  const migrated = await migrate(url, '--json');

  assert.equal(migrated.code, 0, migrated.stderr + migrated.stdout);
  assert.equal(migrated.json['ok'], true);
  assert.equal(migrated.json['to'], `PostgreSQL database ${name} at 127.0.0.1:${server.port}`);
  assert.equal(migrated.json['blocks'], head!.height + 1);
  assert.deepEqual(migrated.json['head'], { ...head });
  await using postgres = await PostgresConnection.open(url);
  for (const { name: table, key } of LEDGER_TABLES) {
    const query = sql`select ${raw('*')} from ${raw(table)} order by ${raw(key.join(', '))}`;
    const stored = await sqlite.all<object>(query);
    // A tile is of 256 blocks.
    if (table !== 'log_tiles') assert.notEqual(stored.length, 0, table);
    assert.deepEqual(
      await postgres.all(query),
      stored.map((row) => ({ ...row })),
      table,
    );
  }
});

test('the tip and what to do next are said in words, and the password nowhere', async () => {
  const { url } = await server.createDatabase();

  const migrated = await migrate(url);

  assert.equal(migrated.code, 0, migrated.stderr);
  assert.match(
    migrated.stdout,
    /^Moved \d+ blocks to PostgreSQL database .*all of it verifies\.$/m,
  );
  assert.match(migrated.stdout, /^Tip: \d+:[0-9a-f]{64}$/m);
  assert.match(migrated.stdout, /Set DATABASE_URL to that database now/);
  assert.ok(!`${migrated.stdout}${migrated.stderr}`.includes(readPassword(url)));
});

test('a service goes on with the chain where the old one ended, for keys issued before', async () => {
  const { url } = await server.createDatabase();
  await using folder = await testFolder();
  const env = { DATA_DIR: folder.path };
  const { key, before: tipBefore } = await hubWithEvents(env);
  const migrated = await runCli(['migrate', '--to', url, '--json'], env);
  assert.equal(migrated.code, 0, migrated.stderr);
  await using service = await serveCli({ ...env, DATABASE_URL: url, LOG_LEVEL: 'silent' });
  const headers = { 'X-Api-Key': key, 'X-Tenant-Id': 'acme', 'Content-Type': 'application/json' };

  const posted = await fetch(`${service.base}/v1/events`, {
    method: 'POST',
    headers,
    body: JSON.stringify(anEvent()),
  });

  assert.equal(posted.status, 201);
  const events = await fetch(`${service.base}/v1/events`, { headers });
  const { events: listed } = (await events.json()) as { events: readonly { id: number }[] };
  assert.deepEqual(
    listed.map((event) => event.id),
    [tipBefore + 1, tipBefore],
  );
});

/** A hub that was served, with a key and one event. */
async function hubWithEvents(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly key: string; readonly before: number }> {
  await using service = await serveCli({ ...env, LOG_LEVEL: 'silent' });
  const issued = await runCli(
    ['keys', 'issue', '--role', 'tenant', '--label', 'ERP', '--tenant', 'acme', '--json'],
    env,
  );
  const key = String(issued.json['key']?.['key']);
  const headers = { 'X-Api-Key': key, 'X-Tenant-Id': 'acme', 'Content-Type': 'application/json' };
  let status = 401;
  let id = 0;
  for (let waited = 0; status === 401 && waited < PATIENCE_MS; waited += LOOK_EVERY_MS) {
    await wait(LOOK_EVERY_MS);
    const answer = await fetch(`${service.base}/v1/events`, {
      method: 'POST',
      headers,
      body: JSON.stringify(anEvent()),
    });
    ({ status } = answer);
    const body = (await answer.json()) as { id?: number };
    id = body.id ?? 0;
  }
  assert.equal(status, 201);
  service.child.kill('SIGTERM');
  assert.equal(await service.ended, 0);
  return { key, before: id };
}

test('a database that holds a ledger is refused and stays as it was', async () => {
  const { url } = await server.createDatabase();
  assert.equal((await migrate(url)).code, 0);

  const again = await migrate(url, '--json');

  assert.equal(again.code, 1);
  assert.equal(again.json['error']?.['code'], 'target_taken');
  assert.match(again.stderr, /it holds a ledger already \(there are rows in blocks\)/);
  assert.equal((await runCli(['verify'], { DATA_DIR: ledger.dataDir, DATABASE_URL: url })).code, 0);
});

test('a server that is not there is named, without its password', async () => {
  const missing = await migrate('postgresql://lothub:s3cret@127.0.0.1:1/hub');

  assert.equal(missing.code, 1);
  assert.match(
    missing.stderr,
    /migrating to PostgreSQL database hub at 127\.0\.0\.1:1: .*ECONNREFUSED/,
  );
  assert.ok(!missing.stderr.includes('s3cret'));
});

test('a wrong password is reported without the password', async () => {
  const { url } = await server.createDatabase();
  const wrong = new URL(url);
  wrong.password = 's3cret';

  const refused = await migrate(wrong.href, '--json');

  assert.equal(refused.code, 1);
  assert.equal(refused.json['error']?.['code'], 'target_unusable');
  assert.match(refused.stderr, /password authentication failed/);
  assert.ok(!`${refused.stdout}${refused.stderr}`.includes('s3cret'));
});

for (const address of ['s3cret', 'mysql://a:s3cret@host/hub', 'postgresql://a:s3cret@host/']) {
  test(`an address that is none of PostgreSQL is wrong usage, and not repeated: ${address}`, async () => {
    const refused = await migrate(address);

    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /--to must be an address such as postgresql:/);
    assert.ok(!refused.stderr.includes('s3cret'));
  });
}

test('without --to nothing is done', async () => {
  const refused = await runCli(['migrate'], { DATA_DIR: ledger.dataDir });

  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /required option '--to <URL>'/);
});

test('a hub that is not there is not made', async () => {
  const { url } = await server.createDatabase();
  await using folder = await testFolder();

  const refused = await runCli(['migrate', '--to', url, '--json'], { DATA_DIR: folder.file('no') });

  assert.equal(refused.code, 2);
  assert.equal(refused.json['error']?.['code'], 'hub_missing');
});

test('a hub that is served is not moved', async () => {
  const { url } = await server.createDatabase();
  await using folder = await testFolder();
  const env = { DATA_DIR: folder.path };
  await using _service = await serveCli({ ...env, LOG_LEVEL: 'silent' });

  const refused = await runCli(['migrate', '--to', url, '--json'], env);

  assert.equal(refused.code, 1);
  assert.equal(refused.json['error']?.['code'], 'hub_in_use');
});

test('a hub whose chain is broken does not verify where it arrives, and that is said', async () => {
  const { url } = await server.createDatabase();
  await using broken = await buildRichLedger();
  {
    await using sqlite = openTampering(broken.dataDir);
    await sqlite.all(
      sql`update blocks set canonical = replace(canonical, '"occurred_at":"20', '"occurred_at":"19') where height = 30`,
    );
  }

  const migrated = await runCli(['migrate', '--to', url], { DATA_DIR: broken.dataDir });

  assert.equal(migrated.code, 1);
  assert.match(migrated.stdout, /DOES NOT VERIFY; do not serve it/);
  assert.match(migrated.stdout, /^30 +hash_mismatch/m);
});
