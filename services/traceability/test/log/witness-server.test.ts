// A hub that is a witness of other logs: what it serves, what it refuses, and where its state is not.
import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { tableLog } from '@lothub/witness/test/request-table';
import { formatEntry, formatList, newTestLog } from '@lothub/witness/test/test-log';
import sql from 'sql-template-tag';
import { databaseFile } from '../../src/ledger/sqlite/store.ts';
import { boot, bootSecond, type Booted } from '../boot.ts';
import { runCli, testFolder } from '../cli/run.ts';
import { newTestDatabase, testEngine, type TestDatabase } from '../engine.ts';

const PUBLIC_URL = 'https://trace.example.com';

interface ListedHub {
  readonly database: TestDatabase;
  readonly listFile: string;
  readonly env: Readonly<Record<string, string>>;
}

async function withList(entries: readonly string[]): Promise<ListedHub> {
  const database = await newTestDatabase();
  const listFile = join(database.dataDir, 'logs.txt');
  await writeFile(listFile, formatList(entries));
  return { database, listFile, env: { WITNESS_LOGS: listFile, PUBLIC_URL } };
}

async function ask(hub: Booted, body: string): Promise<Response> {
  return await fetch(`${hub.base}/witness/add-checkpoint`, { method: 'POST', body });
}

test('a hub with a list cosigns the logs in it, and none without one', async () => {
  await using plain = await boot();
  const { database, env } = await withList([tableLog.entry]);
  await using hub = await boot({ database, env });

  const answer = await ask(hub, tableLog.request(0, 5));
  const line = await answer.text();
  const monitored = await fetch(`${hub.base}/witness/${sha256Hex(tableLog.origin)}/checkpoint`);
  const about = await hub.call('/witness/about');

  assert.equal(answer.status, 200);
  assert.match(line, /^— trace\.example\.com\/witness \S+\n$/);
  assert.equal(await monitored.text(), tableLog.checkpoint(5) + line);
  assert.equal(about.json['prefix'], `${PUBLIC_URL}/witness`);
  assert.equal(about.json['vkey'], hub.service.witness?.key.vkey);
  assert.notEqual(hub.service.witness?.key.vkey, undefined);
  assert.equal((await ask(plain, tableLog.request(0, 5))).status, 404);
});

test('the refusals of the witness are those of its own, and the description has its paths', async () => {
  const { database, env } = await withList([tableLog.entry]);
  await using hub = await boot({ database, env: { ...env, RATE_LIMIT_LOG: '4' } });

  const answers = [];
  for (const body of [tableLog.request(3, 5), 'old 08\n', 'x'.repeat(40_000)]) {
    const answer = await ask(hub, body);
    answers.push([answer.status, answer.headers.get('content-type'), await answer.text()]);
  }
  const options = { headers: { Accept: 'application/json' } };
  const described = (await hub.call('/openapi.json', options)).json['paths'];
  await ask(hub, tableLog.request(0, 5));
  const limited = await ask(hub, tableLog.request(5, 8));

  assert.deepEqual(answers, [
    [409, 'text/x.tlog.size', '0\n'],
    [400, 'text/plain; charset=utf-8', 'It has no empty line before the checkpoint.\n'],
    [413, 'text/plain; charset=utf-8', 'The body is larger than 32768 bytes.\n'],
  ]);
  assert.deepEqual(
    Object.keys(described ?? {}).filter((path) => path.startsWith('/witness')),
    ['/witness/add-checkpoint', '/witness/{origin_hash}/checkpoint', '/witness/about'],
  );
  assert.equal(limited.status, 429);
  assert.ok(Number(limited.headers.get('retry-after')) > 0);
});

test('a hub whose list names its own log does not start', async () => {
  const { database, listFile, env } = await withList([]);
  await using hub = await boot({ database, env });
  const [vkey = ''] = (await hub.call('/log/1/vkeys')).text.split('\n');
  const asked = await ask(hub, tableLog.request(0, 5));
  assert.equal(asked.status, 404);
  await hub.service.close();
  await writeFile(listFile, formatList([formatEntry({ vkey, qpd: 8_640 })]));

  await assert.rejects(boot({ database, env }), { code: 'own_log' });
});

test('the key and the state of the witness are in no database and in no backup of the hub', async () => {
  const log = newTestLog('brand.example.com/log/1');
  const { database, env } = await withList([log.entry]);
  await using hub = await boot({ database, env });
  assert.equal((await ask(hub, log.request(0, 5))).status, 200);

  const files = (await readdir(hub.dataDir)).filter((name) => name.startsWith('witness'));
  assert.ok(files.includes('witness.db') && files.includes('witness.key'));
  if (testEngine === 'sqlite') {
    await using folder = await testFolder();
    const file = folder.file('hub.db');
    const run = await runCli(['backup', file], { DATA_DIR: hub.dataDir });

    assert.equal(run.code, 0, run.stderr);
    assert.deepEqual(await readdir(folder.path), ['hub.db', 'hub.people.db']);
    // What a backup copies, and what a move to PostgreSQL reads.
    for (const one of [file, folder.file('hub.people.db'), databaseFile(hub.dataDir)]) {
      await using connection = new SqliteConnection(one, 'read');
      assert.deepEqual(await tablesOfWitness(connection), []);
    }
  } else {
    await using connection = await PostgresConnection.open(database.databaseUrl ?? '');
    assert.deepEqual(
      await connection.all(sql`
        select table_name
        from information_schema.tables
        where table_name in ('cosigned_logs', 'log_keys', 'witness_identity')`),
      [],
    );
  }
});

if (testEngine === 'postgres') {
  test('of several processes the one with a list serves the witness', async () => {
    const { database, env } = await withList([tableLog.entry]);
    await using hub = await boot({ database, env });
    await using beside = await bootSecond(hub);

    assert.equal((await ask(hub, tableLog.request(0, 5))).status, 200);
    assert.equal((await ask(beside, tableLog.request(5, 8))).status, 404);
  });
}

function tablesOfWitness(connection: SqliteConnection): Promise<readonly object[]> {
  return connection.all<object>(sql`
    select name
    from sqlite_schema
    where name in ('cosigned_logs', 'log_keys', 'witness_identity')`);
}
