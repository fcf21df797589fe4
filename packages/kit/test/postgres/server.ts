// A PostgreSQL of a test's own: a fresh cluster in a temporary folder, on a free port, that ends with
// the process that started it; or databases of a test's own on a server that runs already.
import { randomBytes } from 'node:crypto';
import { createDatabase, execute, startCluster } from './cluster.ts';
import type { TestDatabase, TestPostgres, TestPostgresOptions } from './cluster.ts';

export { copyDatabase } from './cluster.ts';
export type { TestDatabase, TestPostgres, TestPostgresOptions } from './cluster.ts';

/** @throws Error when there is no PostgreSQL, with what to do; or when it does not start, with its log */
export function startTestPostgres(options: TestPostgresOptions = {}): Promise<TestPostgres> {
  const password = randomBytes(16).toString('hex');
  return startCluster({ password, options }, (cluster) => cluster.initialise());
}

/** A server that another process runs; what is made here is gone after it is disposed. */
export interface AttachedTestPostgres extends AsyncDisposable {
  createDatabase(options?: { readonly template?: string }): Promise<TestDatabase>;
}

/** @param url a superuser's, as `TestPostgres.url` */
export function attachTestPostgres(url: string): AttachedTestPostgres {
  const made: string[] = [];
  return {
    createDatabase: async (options) => {
      const database = await createDatabase(url, options);
      made.push(database.name);
      return database;
    },
    [Symbol.asyncDispose]: async () => {
      // Forced: connections that a test forgot, or that a crash left, must not keep a database.
      for (const name of made.splice(0)) await execute(url, `drop database ${name} with (force)`);
    },
  };
}
