// A PostgreSQL of a test's own: a fresh cluster in a temporary folder, on a free port, that ends with
// the process that started it.
import { randomBytes } from 'node:crypto';
import { startCluster } from './cluster.ts';
import type { TestPostgres, TestPostgresOptions } from './cluster.ts';

export { copyDatabase } from './cluster.ts';
export type { TestDatabase, TestPostgres, TestPostgresOptions } from './cluster.ts';

/** @throws Error when there is no PostgreSQL, with what to do; or when it does not start, with its log */
export function startTestPostgres(options: TestPostgresOptions = {}): Promise<TestPostgres> {
  const password = randomBytes(16).toString('hex');
  return startCluster({ password, options }, (cluster) => cluster.initialise());
}
