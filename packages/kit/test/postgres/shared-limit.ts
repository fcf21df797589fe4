// A limit that processes count together in PostgreSQL, for its tests: two pools stand for two processes. And the tests
// that every such limit has to pass.
import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { PostgresConnection } from '../../src/postgres/connection.ts';
import { until } from '../until.ts';
import { startTestPostgres, type TestPostgres } from './server.ts';

interface Verdict {
  readonly allowed: boolean;
  readonly remaining: number;
}

interface Limit<Taken extends Verdict> {
  take(caller: string): Promise<Taken>;
}

export interface SharedCounts {
  readonly server: TestPostgres;
  readonly one: PostgresConnection;
  readonly other: PostgresConnection;
}

/** Opens two pools over a new database with the table of the counts, which is emptied after each test. */
export async function openSharedCounts(table: {
  readonly create: Sql;
  readonly empty: Sql;
}): Promise<SharedCounts> {
  // Nothing writes the log to disk meanwhile, except commits that wait for it.
  const server = await startTestPostgres({ settings: { wal_writer_delay: '10s' } });
  const { url } = await server.createDatabase();
  const one = await PostgresConnection.open(url);
  const other = await PostgresConnection.open(url);
  await one.all(table.create);
  afterEach(() => one.all(table.empty));
  after(async () => {
    await one.close();
    await other.close();
    await server[Symbol.asyncDispose]();
  });
  return { server, one, other };
}

/** Takes several times at once. */
export function takes<Taken extends Verdict>(
  limit: Limit<Taken>,
  times: number,
): Promise<readonly Taken[]> {
  return Promise.all(Array.from({ length: times }, () => limit.take('a')));
}

export function countAllowed(verdicts: readonly Verdict[]): number {
  return verdicts.filter(({ allowed }) => allowed).length;
}

/**
 * Declares the tests that every shared limit has to pass.
 * @param limits.newLimit a limit of `max` takes, of which none is given back while a test runs
 * @param limits.errors everything that limits reported; a test empties it
 * @param limits.readKeys reads the keys of all callers that are counted
 */
export function testSharedLimit<Taken extends Verdict>(
  { server, one, other }: SharedCounts,
  limits: {
    readonly newLimit: (connection: PostgresConnection, max: number, name?: string) => Limit<Taken>;
    readonly name: string;
    readonly errors: unknown[];
    readonly readKeys: Sql;
  },
): void {
  const { newLimit, name, errors, readKeys } = limits;

  test('two processes share one limit exactly', async () => {
    errors.length = 0;
    const both = [newLimit(one, 100), newLimit(other, 100)];

    const verdicts = (await Promise.all(both.map((limit) => takes(limit, 80)))).flat();

    assert.equal(countAllowed(verdicts), 100);
    const left = verdicts.filter(({ allowed }) => allowed).map(({ remaining }) => remaining);
    assert.deepEqual(
      left.toSorted((a, b) => b - a),
      Array.from({ length: 100 }, (_, index) => 99 - index),
    );
    assert.deepEqual(errors, []);
  });

  test('callers are counted apart, and so are limits of different names', async () => {
    await newLimit(one, 1).take('a');

    const verdicts = [
      await newLimit(other, 1).take('b'),
      await newLimit(other, 1, 'logins').take('a'),
      await newLimit(other, 1).take('a'),
    ];

    assert.deepEqual(
      verdicts.map(({ allowed }) => allowed),
      [true, true, false],
    );
  });

  test('while the database is away each process counts alone, and says so once', async () => {
    errors.length = 0;
    const limit = newLimit(one, 3);
    await limit.take('a');

    await server.stop('fast');
    const alone = await takes(limit, 4);
    await server.start();

    assert.deepEqual(
      alone.map(({ allowed }) => allowed),
      [true, true, true, false],
    );
    assert.equal(errors.length, 1);
  });

  test('when the database is back it counts again', async () => {
    const limit = newLimit(one, 1_000);
    await server.stop('fast');
    await limit.take('a');
    await server.start();
    let counted: readonly unknown[] = [];

    await until('a caller is counted in the database', async () => {
      await limit.take('b');
      counted = await other.all(readKeys);
      return counted.length > 0;
    });

    assert.deepEqual(counted, [{ key: `${name}:b` }]);
  });

  test('counting does not wait for the disk', async () => {
    const limit = newLimit(one, 100_000);
    const written = sql`select pg_current_wal_flush_lsn() - '0/0'::pg_lsn as flushed`;
    const before = await one.first(written);

    for (let taken = 0; taken < 50; taken += 1) await limit.take('a');

    assert.deepEqual(await one.first(written), before);
  });
}
