// What the engine looks at for a query, by the plan that it makes: on SQLite whether it scans or sorts, on
// PostgreSQL how many rows each step looks at, also with a plan that was made without the values.
import type { DatabaseReader } from '@lothub/kit/database';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import sql, { raw, type Sql } from 'sql-template-tag';
import { POSTGRES_NAMESPACE } from '../src/store/schema.ts';
import type { TestDatabase } from './engine.ts';

/** At any step of a plan; of no query more than 500 rows are asked for. */
const ROWS_LOOKED_AT_MAX = 3_000;

/** Passes queries on to the reader and keeps them. */
export function noting(reader: DatabaseReader, queries: Sql[]): DatabaseReader {
  return {
    all: (query) => {
      queries.push(query);
      return reader.all(query);
    },
    first: (query) => {
      queries.push(query);
      return reader.first(query);
    },
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

interface Step {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Step[];
}

function* stepsBelow(step: Step): Generator<Step> {
  yield step;
  for (const below of step.Plans ?? []) yield* stepsBelow(below);
}

export class QueryPlans implements AsyncDisposable {
  readonly #database: TestDatabase;
  readonly #connection: PostgresConnection | undefined;

  private constructor(database: TestDatabase, connection: PostgresConnection | undefined) {
    this.#database = database;
    this.#connection = connection;
  }

  /** Of the tables as they are filled now. */
  static async open(database: TestDatabase): Promise<QueryPlans> {
    const { databaseUrl } = database;
    if (databaseUrl === undefined) return new QueryPlans(database, undefined);
    const connection = await PostgresConnection.open(databaseUrl, {
      connectionsMax: 1,
      settings: { search_path: POSTGRES_NAMESPACE, plan_cache_mode: 'force_generic_plan' },
    });
    await connection.transaction((transaction) => transaction.execute('analyze'));
    return new QueryPlans(database, connection);
  }

  /** Details of the plan on SQLite; none on PostgreSQL. */
  async readDetails(query: Sql): Promise<readonly string[]> {
    if (this.#connection !== undefined) return [];
    const steps = await this.#database.rows(
      `explain query plan ${query.sql}`,
      ...query.values.map(String),
    );
    return steps.map(({ detail }) => String(detail));
  }

  /** Steps on PostgreSQL that look at more than a few rows; none on SQLite. */
  async readWideSteps(query: Sql): Promise<readonly string[]> {
    if (this.#connection === undefined) return [];
    return await this.#connection.transaction(async (transaction) => {
      await transaction.execute(`prepare asked as ${query.text}`);
      const values = query.values.map((value) => `'${String(value).replaceAll("'", "''")}'`);
      const given = values.length === 0 ? '' : `(${values.join(', ')})`;
      const [row] = await transaction.all<{ readonly 'QUERY PLAN': string }>(
        sql`explain (analyze, timing off, costs off, format json) execute asked ${raw(given)}`,
      );
      await transaction.execute('deallocate asked');
      const [plan] = JSON.parse(row?.['QUERY PLAN'] ?? '[]') as readonly { readonly Plan: Step }[];
      return (plan === undefined ? [] : [...stepsBelow(plan.Plan)])
        .map((step) => ({
          name: step['Node Type'],
          rows:
            (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'],
        }))
        .filter(({ rows }) => rows > ROWS_LOOKED_AT_MAX)
        .map(({ name, rows }) => `${name} looks at ${rows} rows`);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection?.close();
  }
}
