// Transactions in two round trips: what is stored after every way in which one can end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { openForFile } from '../../test/open-for-file.ts';
import { startCuttingProxy, type CuttingProxy } from '../../test/postgres/cutting-proxy.ts';
import { startTestPostgres } from '../../test/postgres/server.ts';
import { CommitUnknownError, DatabaseError } from '../database.ts';
import { PostgresConnection } from './connection.ts';
import { isSerializationFailure, readErrorCode } from './errors.ts';
import type { PostgresPlan, PostgresTransaction } from './transaction.ts';

const server = await openForFile(startTestPostgres());

interface Shelf extends AsyncDisposable {
  /** Goes through the proxy; one connection, so that what a transaction leaves in it shows. */
  readonly connection: PostgresConnection;
  readonly direct: PostgresConnection;
  readonly proxy: CuttingProxy;
}

async function openShelf(options: { readonly connectionsMax?: number } = {}): Promise<Shelf> {
  const { url } = await server.createDatabase();
  const direct = await PostgresConnection.open(url);
  await direct.all(sql`create table goods (no bigint primary key, name text)`);
  await direct.all(sql`insert into goods (no) values (${0})`);
  const proxy = await startCuttingProxy(url);
  const connection = await PostgresConnection.open(proxy.url, {
    connectionsMax: options.connectionsMax ?? 1,
    pipeline: true,
  });
  return {
    connection,
    direct,
    proxy,
    [Symbol.asyncDispose]: async () => {
      await connection.close();
      await direct.close();
      await proxy[Symbol.asyncDispose]();
    },
  };
}

function insert(no: number): Sql {
  return sql`insert into goods (no) values (${no})`;
}

async function numbersIn(direct: PostgresConnection): Promise<readonly number[]> {
  const rows = await direct.all<{ no: number }>(sql`select no from goods order by no`);
  return rows.map(({ no }) => no);
}

/** Reads the newest number, and adds the one after it. */
async function addNext({ first }: PostgresTransaction): Promise<PostgresPlan<number>> {
  const newest = await first<{ no: number }>(sql`select max(no) as no from goods`);
  const no = (newest?.no ?? 0) + 1;
  return { writes: [insert(no)], result: no };
}

/** No session is left with a transaction open, and the pool serves as before. */
async function assertUsable({ connection, direct }: Shelf): Promise<void> {
  const answer = await connection.first(sql`select now() = clock_timestamp() as old, 7 as seven`);
  assert.deepEqual(answer, { old: 0, seven: 7 });
  const open = await direct.all(sql`
    select query
    from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'
  `);
  assert.deepEqual(open, []);
}

/** These numbers are stored, and the pool serves as before. */
async function assertStored(shelf: Shelf, numbers: readonly number[]): Promise<void> {
  assert.deepEqual(await numbersIn(shelf.direct), numbers);
  await assertUsable(shelf);
}

function isKnownToHaveFailed(error: unknown): boolean {
  assert.ok(error instanceof DatabaseError);
  assert.ok(!(error instanceof CommitUnknownError), error.message);
  assert.equal(error.code, 'database_busy');
  return true;
}

test('what a plan writes is stored when its result is there', async () => {
  await using shelf = await openShelf();

  const results = [
    await shelf.connection.pipelinedTransaction(addNext),
    await shelf.connection.pipelinedTransaction(addNext),
  ];

  assert.deepEqual(results, [1, 2]);
  await assertStored(shelf, [0, 1, 2]);
});

test('reads that start side by side see one transaction, and each its own answer', async () => {
  await using shelf = await openShelf();

  const seen = await shelf.connection.pipelinedTransaction(async ({ first }) => {
    const rows = await Promise.all([
      first<{ no: number }>(sql`select 1 as no`),
      first<{ at: string }>(sql`select now()::text as at`),
      first<{ at: string }>(sql`select now()::text as at`),
      first<{ no: number }>(sql`select 4 as no`),
    ]);
    return { writes: [insert(9)], result: rows };
  });

  assert.deepEqual([seen[0], seen[3]], [{ no: 1 }, { no: 4 }]);
  assert.deepEqual(seen[1], seen[2]);
  assert.deepEqual(await numbersIn(shelf.direct), [0, 9]);
});

test('a plan without reads and a plan without writes are transactions too', async () => {
  await using shelf = await openShelf();

  const results = [
    await shelf.connection.pipelinedTransaction(async () => ({ writes: [insert(1)], result: 'a' })),
    await shelf.connection.pipelinedTransaction(async () => ({ writes: [], result: 'b' })),
  ];

  assert.deepEqual(results, ['a', 'b']);
  await assertStored(shelf, [0, 1]);
});

test('the caller hears of the write that was refused, and none stands', async () => {
  await using shelf = await openShelf();

  const refused = shelf.connection.pipelinedTransaction(async ({ all }) => {
    await all(sql`select no from goods`);
    return { writes: [insert(1), insert(0), insert(2)], result: undefined };
  });

  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof DatabaseError);
    assert.deepEqual([error.code, readErrorCode(error.cause)], ['database_failed', '23505']);
    return true;
  });
  await assertStored(shelf, [0]);
});

test('a plan that throws undoes what it did, and its reason is heard', async () => {
  await using shelf = await openShelf();

  const refused = shelf.connection.pipelinedTransaction(async ({ all }) => {
    await all(insert(1));
    throw new RangeError('changed my mind');
  });

  await assert.rejects(refused, new RangeError('changed my mind'));
  await assertStored(shelf, [0]);
});

test('a refused read undoes the transaction even when its plan goes on', async () => {
  await using shelf = await openShelf();

  const refused = shelf.connection.pipelinedTransaction(async ({ all }) => {
    await all(sql`select 1 / ${0}::bigint`).catch(() => undefined);
    return { writes: [insert(1)], result: undefined };
  });

  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof DatabaseError);
    assert.equal(readErrorCode(error.cause), '22012');
    return true;
  });
  await assertStored(shelf, [0]);
});

test('a transaction that is over takes no more statements', async () => {
  await using shelf = await openShelf();
  let kept: PostgresTransaction | undefined;
  await shelf.connection.pipelinedTransaction(async (transaction) => {
    kept = transaction;
    return { writes: [], result: undefined };
  });

  const late = kept?.all(insert(1));

  await assert.rejects(late ?? Promise.resolve(), new RangeError('the transaction is over'));
  assert.deepEqual(await numbersIn(shelf.direct), [0]);
});

test('a value that is none is refused before anything is written', async () => {
  await using shelf = await openShelf();

  const refused = shelf.connection.pipelinedTransaction(async () => ({
    writes: [insert(1), sql`insert into goods (no) values (${{ no: 2 }})`],
    result: undefined,
  }));

  await assert.rejects(refused, new RangeError('no value for a database: object'));
  await assertStored(shelf, [0]);
});

test('a connection that answers one statement after the other refuses plans', async () => {
  const { url } = await server.createDatabase();
  await using connection = await PostgresConnection.open(url);

  await assert.rejects(connection.pipelinedTransaction(addNext), RangeError);
});

test('two plans in each other’s way: one commits, the other may be tried again', async () => {
  await using shelf = await openShelf({ connectionsMax: 2 });
  await shelf.direct.all(insert(1));
  const bothHold = Promise.withResolvers<void>();
  let holding = 0;
  const swap = (mine: number, theirs: number): Promise<number> =>
    shelf.connection.pipelinedTransaction(async ({ all }) => {
      await all(sql`select no from goods where no = ${mine} for update`);
      holding += 1;
      if (holding === 2) bothHold.resolve();
      await bothHold.promise;
      return {
        writes: [sql`update goods set name = ${`by ${mine}`} where no = ${theirs}`],
        result: mine,
      };
    });

  const outcomes = await Promise.allSettled([swap(0, 1), swap(1, 0)]);

  const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.equal(lost.length, 1);
  assert.ok(isSerializationFailure(lost[0]?.reason));
  const won = outcomes.find((outcome) => outcome.status === 'fulfilled');
  assert.deepEqual(await shelf.direct.all(sql`select name from goods where name is not null`), [
    { name: `by ${won?.value}` },
  ]);
  await assertUsable(shelf);
});

test('writers that wait for each other’s lock each see what the one before committed', async () => {
  await using shelf = await openShelf({ connectionsMax: 4 });
  await shelf.direct.all(sql`update goods set name = 'head' where no = 0`);
  const addAfterHead = (): Promise<number> =>
    shelf.connection.pipelinedTransaction(async ({ all, first }) => {
      const [, newest] = await Promise.all([
        all(sql`select no from goods where no = 0 for update`),
        first<{ no: number }>(sql`select max(no) as no from goods`),
      ]);
      const no = (newest?.no ?? 0) + 1;
      return { writes: [insert(no)], result: no };
    });

  const results = await Promise.all(Array.from({ length: 40 }, addAfterHead));

  assert.deepEqual(
    results.toSorted((left, right) => left - right),
    Array.from({ length: 40 }, (_, index) => index + 1),
  );
});

test('a connection cut before the server has begun leaves nothing, and that is known', async () => {
  await using shelf = await openShelf();
  shelf.proxy.cutWhen('client', 'begin');

  const cut = shelf.connection.pipelinedTransaction(addNext);

  await assert.rejects(cut, isKnownToHaveFailed);
  await assertStored(shelf, [0]);
});

test('a connection cut after it has begun leaves nothing, and that is known', async () => {
  await using shelf = await openShelf();
  shelf.proxy.cutWhen('server', 'BEGIN');

  const cut = shelf.connection.pipelinedTransaction(addNext);

  await assert.rejects(cut, isKnownToHaveFailed);
  await assertStored(shelf, [0]);
});

test('a connection cut while it reads leaves nothing, and that is known', async () => {
  await using shelf = await openShelf();

  const cut = shelf.connection.pipelinedTransaction(async (transaction) => {
    await transaction.all(insert(8));
    shelf.proxy.cut();
    return addNext(transaction);
  });

  await assert.rejects(cut, isKnownToHaveFailed);
  await assertStored(shelf, [0]);
});

test('a connection known to be dead is not sent the commit, so the outcome is known', async () => {
  await using shelf = await openShelf();

  const cut = shelf.connection.pipelinedTransaction(async ({ all }) => {
    await all(insert(8));
    shelf.proxy.cut();
    await all(sql`select 1`).catch(() => undefined);
    return { writes: [insert(1)], result: undefined };
  });

  await assert.rejects(cut, isKnownToHaveFailed);
  await assertStored(shelf, [0]);
});

test('a connection cut between the writes and the commit leaves the outcome unknown: nothing', async () => {
  await using shelf = await openShelf();
  shelf.proxy.cutWhen('client', 'commit');

  const cut = shelf.connection.pipelinedTransaction(addNext);

  await assert.rejects(cut, { name: 'CommitUnknownError', code: 'database_unsure' });
  await assertStored(shelf, [0]);
});

test('a connection cut before the commit’s answer leaves the outcome unknown: everything', async () => {
  await using shelf = await openShelf();
  shelf.proxy.cutWhen('server', 'COMMIT');

  const cut = shelf.connection.pipelinedTransaction(addNext);

  await assert.rejects(cut, { name: 'CommitUnknownError', code: 'database_unsure' });
  await assertStored(shelf, [0, 1]);
});

test('a write refused before the connection is cut leaves nothing, and that is known', async () => {
  await using shelf = await openShelf();
  shelf.proxy.cutWhen('server', 'ROLLBACK');

  const cut = shelf.connection.pipelinedTransaction(async ({ all }) => {
    await all(sql`select no from goods`);
    return { writes: [insert(1), insert(0)], result: undefined };
  });

  await assert.rejects(cut, (error) => {
    assert.ok(error instanceof DatabaseError);
    assert.equal(readErrorCode(error.cause), '23505');
    return true;
  });
  await assertStored(shelf, [0]);
});

test('a server that crashes between reads and writes leaves nothing', async () => {
  await using shelf = await openShelf();

  const cut = shelf.connection.pipelinedTransaction(async (transaction) => {
    await transaction.all(insert(8));
    await server.restart('immediate');
    await transaction.all(sql`select 1`).catch(() => undefined);
    return { writes: [insert(1)], result: undefined };
  });

  await assert.rejects(cut, isKnownToHaveFailed);
  await assertStored(shelf, [0]);
});

test('a write that takes too long is given up, and nothing of its transaction is stored', async () => {
  await using shelf = await openShelf();

  const slow = shelf.connection.pipelinedTransaction(async ({ all }) => {
    await all(sql`set local statement_timeout = 50`);
    return { writes: [insert(1), sql`select pg_sleep(60)`, insert(2)], result: undefined };
  });

  await assert.rejects(slow, isKnownToHaveFailed);
  await assertStored(shelf, [0]);
});

test('a server that says nothing any more is given up, and its connection with it', async () => {
  await using shelf = await openShelf();

  const silent = shelf.connection.pipelinedTransaction(async ({ execute }) => {
    await execute('select pg_sleep(2)', 50);
    return { writes: [insert(1)], result: undefined };
  });

  await assert.rejects(silent, isKnownToHaveFailed);
  assert.deepEqual(await numbersIn(shelf.direct), [0]);
  assert.deepEqual(await shelf.connection.first(sql`select 1 as one`), { one: 1 });
});

test('reads of a session are on one connection, each with its own answer, and none ends another', async () => {
  await using shelf = await openShelf({ connectionsMax: 4 });
  const mine = sql`select pg_backend_pid() as pid`;

  const [pid, refused, samePid, written] = await shelf.connection.session(({ first }) =>
    Promise.all([
      first(mine),
      first(sql`select 1 / ${0}::bigint`).catch((error: unknown) => error),
      first(mine),
      first(sql`insert into goods (no) values (1) returning no`),
    ]),
  );

  assert.ok(refused instanceof DatabaseError);
  assert.match(refused.message, /^reading: /);
  assert.deepEqual(pid, samePid);
  assert.deepEqual(written, { no: 1 });
  await assertStored(shelf, [0, 1]);
});

test('a session that is cut costs its connection and no other', async () => {
  await using shelf = await openShelf();

  const cut = shelf.connection.session(async ({ all }) => {
    shelf.proxy.cut();
    await all(sql`select 1`);
  });

  await assert.rejects(cut, isKnownToHaveFailed);
  await assertUsable(shelf);
});
