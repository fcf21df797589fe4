// A PostgreSQL of a test's own: a fresh cluster in a temporary folder, on a free port, that ends with
// the process that started it.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PASSWORD_FILE, makeCluster, startCluster } from './cluster.ts';
import type { TestPostgres, TestPostgresOptions } from './cluster.ts';

export { copyDatabase } from './cluster.ts';
export type { TestDatabase, TestPostgres, TestPostgresOptions } from './cluster.ts';

/**
 * The folder of a server that was initialised and never started: the servers of a run are copies of it,
 * which takes a tenth of the time. They have its password.
 */
export const TEMPLATE_VARIABLE = 'LOTHUB_TEST_POSTGRES_TEMPLATE';

/** @throws Error when there is no PostgreSQL, with what to do; or when it does not start, with its log */
export function startTestPostgres(options: TestPostgresOptions = {}): Promise<TestPostgres> {
  const template = process.env[TEMPLATE_VARIABLE];
  if (template === undefined || template === '' || options.ownSystem === true) {
    return startCluster({ password: newPassword(), options }, (cluster) => cluster.initialise());
  }
  const password = readFileSync(join(template, PASSWORD_FILE), 'utf8');
  return startCluster({ password, options }, (cluster) => cluster.copyFrom(template));
}

/** @returns the folder for {@link TEMPLATE_VARIABLE}, which the caller removes */
export async function makeTemplate(): Promise<string> {
  const options = { password: newPassword(), options: {} };
  const cluster = await makeCluster(options, (made) => made.initialise());
  return cluster.folder;
}

function newPassword(): string {
  return randomBytes(16).toString('hex');
}
