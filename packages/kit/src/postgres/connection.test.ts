// The pool against a real server: transactions, limits, and a server that goes away at every moment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import sql from 'sql-template-tag';
import { openForFile } from '../../test/open-for-file.ts';
import { startCuttingProxy } from '../../test/postgres/cutting-proxy.ts';
import { startTestPostgres } from '../../test/postgres/server.ts';
import { CommitUnknownError, DatabaseError, askTogether } from '../database.ts';
import { PostgresConnection } from './connection.ts';
import { isSerializationFailure } from './errors.ts';

const server = await openForFile(startTestPostgres({ connectionsMax: 20 }));

async function openFresh(
  options?: Parameters<typeof PostgresConnection.open>[1],
): Promise<PostgresConnection> {
  const { url } = await server.createDatabase();
  return PostgresConnection.open(url, options);
}

function listReasons(outcomes: readonly PromiseSettledResult<unknown>[]): readonly DatabaseError[] {
  return outcomes.flatMap((outcome) => {
    if (outcome.status === 'fulfilled') return [];
    assert.ok(outcome.reason instanceof DatabaseError);
    return [outcome.reason];
  });
}

/** Waits until a statement with this text runs; the server's own view says so. */
async function untilRunning(connection: PostgresConnection, part: string): Promise<void> {
  for (;;) {
    const row = await connection.first(sql`
      select pid
      from pg_stat_activity
      where query like ${`%${part}%`} and state = 'active' and pid <> pg_backend_pid()
    `);
    if (row !== undefined) return;
  }
}

test('a transaction keeps everything or nothing', async () => {
  await using connection = await openFresh();
  await connection.all(sql`create table goods (no bigint primary key)`);

  await connection.transaction(({ all }) => all(sql`insert into goods (no) values (${1})`));
  const refused = connection.transaction(async ({ all }) => {
    await all(sql`insert into goods (no) values (${2})`);
    throw new RangeError('changed my mind');
  });

  await assert.rejects(refused, new RangeError('changed my mind'));
  assert.deepEqual(await connection.all(sql`select no from goods`), [{ no: 1 }]);
});

test('a transaction whose statement failed is never reported as committed', async () => {
  await using connection = await openFresh();
  await connection.all(sql`create table goods (no bigint primary key)`);

  const swallowed = connection.transaction(async ({ all }) => {
    await all(sql`insert into goods (no) values (${1})`);
    await all(sql`insert into goods (no) values (${1})`).catch(() => undefined);
  });

  await assert.rejects(swallowed, { name: 'DatabaseError', code: 'database_failed' });
  assert.deepEqual(await connection.all(sql`select no from goods`), []);
});

test('a broken query is a defect and costs no connection', async () => {
  await using connection = await openFresh({ connectionsMax: 1 });
  const before = await connection.first(sql`select pg_backend_pid() as pid`);

  await assert.rejects(connection.all(sql`select nothing from nowhere`), {
    code: 'database_failed',
  });

  assert.deepEqual(await connection.first(sql`select pg_backend_pid() as pid`), before);
});

test('two transactions in each other’s way: one commits, the other may be tried again', async () => {
  await using connection = await openFresh();
  await connection.all(sql`create table goods (no bigint primary key, name text)`);
  await connection.all(sql`insert into goods (no) values (${1}), (${2})`);
  const bothHold = Promise.withResolvers<void>();
  let holding = 0;
  const swap = (mine: number, theirs: number): Promise<unknown> =>
    connection.transaction(async ({ all }) => {
      await all(sql`update goods set name = 'x' where no = ${mine}`);
      holding += 1;
      if (holding === 2) bothHold.resolve();
      await bothHold.promise;
      await all(sql`update goods set name = 'y' where no = ${theirs}`);
    });

  const outcomes = await Promise.allSettled([swap(1, 2), swap(2, 1)]);

  const failures = listReasons(outcomes);
  assert.deepEqual(
    failures.map((failure) => failure.code),
    ['database_busy'],
  );
  assert.ok(isSerializationFailure(failures[0]));
});

test('a statement that takes too long is given up, and the connection goes on', async () => {
  await using connection = await openFresh({ connectionsMax: 1, statementTimeoutMs: 50 });

  await assert.rejects(connection.all(sql`select pg_sleep(60)`), { code: 'database_busy' });

  assert.deepEqual(await connection.first(sql`select 1 as one`), { one: 1 });
});

test('a read-only server refuses writes as a full disk does', async () => {
  await using connection = await openFresh();

  const write = connection.transaction(async ({ execute }) => {
    await execute('set transaction read only');
    await execute('create table goods (no bigint)');
  });

  await assert.rejects(write, { code: 'database_full' });
});

test('the pool opens no more connections than it may, and refuses who waits too long', async () => {
  await using connection = await openFresh({ connectionsMax: 2, connectTimeoutMs: 200 });
  const release = Promise.withResolvers<void>();
  const hold = (): Promise<void> => connection.transaction(() => release.promise);
  const held = [hold(), hold()];

  const third = connection.all(sql`select 1 as one`);

  await assert.rejects(third, { code: 'database_busy' });
  assert.equal(connection.load.connections, 2);
  release.resolve();
  await Promise.all(held);
});

test('a server that is full is a passing condition', async () => {
  const { url } = await server.createDatabase();
  await using greedy = await PostgresConnection.open(url, { connectionsMax: 40 });

  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, () => greedy.all(sql`select pg_sleep(0.3)`)),
  );

  const codes = new Set(listReasons(outcomes).map((failure) => failure.code));
  assert.deepEqual([...codes], ['database_busy']);
});

test('a query is interrupted by a server that goes away, and the next one finds it again', async () => {
  for (const mode of ['fast', 'immediate'] as const) {
    await using connection = await openFresh();
    const interrupted = assert.rejects(connection.all(sql`select pg_sleep(60)`), {
      code: 'database_busy',
    });
    await untilRunning(connection, 'pg_sleep(60)');

    await server.stop(mode);
    await interrupted;
    const away = connection.all(sql`select 1 as one`);

    await assert.rejects(away, { name: 'DatabaseError', code: 'database_busy' });
    await server.start();
    assert.deepEqual(await connection.first(sql`select 1 as one`), { one: 1 });
  }
});

test('a server that dies between two statements undoes the transaction', async () => {
  await using connection = await openFresh();
  await connection.all(sql`create table goods (no bigint primary key)`);

  const cut = connection.transaction(async ({ all }) => {
    await all(sql`insert into goods (no) values (${1})`);
    await server.restart('immediate');
    await all(sql`insert into goods (no) values (${2})`);
  });

  await assert.rejects(cut, (error) => {
    assert.ok(error instanceof DatabaseError);
    assert.ok(!(error instanceof CommitUnknownError));
    return error.code === 'database_busy';
  });
  assert.deepEqual(await connection.all(sql`select no from goods`), []);
});

test('a commit whose answer never came is distinguished from one that failed', async () => {
  const { url } = await server.createDatabase();
  await using direct = await PostgresConnection.open(url);
  await direct.all(sql`create table goods (no bigint primary key)`);
  await using proxy = await startCuttingProxy(url);
  await using connection = await PostgresConnection.open(proxy.url);

  const lost = connection.transaction(async ({ all }) => {
    await all(sql`insert into goods (no) values (${1})`);
    proxy.cutWhen('server', 'COMMIT');
  });

  await assert.rejects(lost, { name: 'CommitUnknownError', code: 'database_unsure' });
  assert.deepEqual(await direct.all(sql`select no from goods`), [{ no: 1 }]);
});

test('an unfit server is refused at the start', async () => {
  const { url, name } = await server.createDatabase();
  await using connection = await PostgresConnection.open(url);
  await connection.transaction(({ execute }) =>
    execute(`alter database ${name} set synchronous_commit = off`),
  );

  await assert.rejects(PostgresConnection.open(url), { code: 'database_unsupported' });
});

test('a server that is not there is a passing condition, a wrong password is not', async () => {
  const { url } = await server.createDatabase();
  const elsewhere = new URL(url);
  elsewhere.port = '1';
  const stranger = new URL(url);
  stranger.password = 'wrong';

  await assert.rejects(PostgresConnection.open(elsewhere.href), { code: 'database_busy' });
  await assert.rejects(PostgresConnection.open(stranger.href), { code: 'database_failed' });
});

test('a statement is planned once for a connection', async () => {
  await using connection = await openFresh({ connectionsMax: 1 });
  for (const no of [1, 2, 3]) await connection.all(sql`select ${no}::bigint as planned_once`);

  const rows = await connection.all(sql`
    select name
    from pg_prepared_statements
    where statement like ${'%planned\\_once%'}
  `);

  assert.equal(rows.length, 1);
});

for (const pipeline of [true, false]) {
  const by = pipeline ? 'one connection' : 'several connections';

  test(`queries asked together over ${by} each get their own answer`, async () => {
    await using connection = await openFresh({ pipeline });
    const mine = sql`select pg_backend_pid() as pid`;

    const [pid, refused, otherPid] = await askTogether(connection, (reader) =>
      Promise.all([
        reader.first(mine),
        reader.all(sql`select nothing from nowhere`).catch((error: unknown) => error),
        reader.first(mine),
      ]),
    );

    assert.equal(isDeepStrictEqual(pid, otherPid), pipeline);
    assert.ok(refused instanceof DatabaseError);
    assert.deepEqual(await connection.first(sql`select 1 as one`), { one: 1 });
  });
}

test('settings of the server hold for every connection of the pool', async () => {
  await using connection = await openFresh({
    settings: { plan_cache_mode: 'force_generic_plan', search_path: '"$user", public' },
  });

  const row = await connection.first(sql`
    select
      current_setting('plan_cache_mode') as plans,
      current_setting('search_path') as path
  `);

  assert.deepEqual(row, { plans: 'force_generic_plan', path: '"$user", public' });
});

test('a closed pool refuses, and may be closed twice', async () => {
  const connection = await openFresh();
  await connection.close();
  await connection.close();

  await assert.rejects(connection.all(sql`select 1`), { code: 'database_busy' });
});
