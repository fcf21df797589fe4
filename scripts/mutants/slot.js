// Where mutants are tried one after the other: a copy of the repository, a temporary folder for what
// tests leave behind when they are ended, and a PostgreSQL of its own once one is needed.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { execute } from '../../packages/kit/test/postgres/cluster.ts';
import { startTestPostgres } from '../../packages/kit/test/postgres/server.ts';
import { repositoryRoot } from '../install.js';
import { copyRepository, plant } from './scratch-copy.js';
import { runSubject } from './subject-run.js';

/** A test file may boot several services, of which each holds up to a dozen connections. */
const CONNECTIONS_MAX = 200;

export class Slot {
  #folder;
  #signal;
  #server;

  /** @param {AbortSignal} signal ends the run that goes on */
  constructor(signal) {
    this.#signal = signal;
    this.#folder = mkdtempSync(join(tmpdir(), 'lothub-mutants-'));
    // A test may start a PostgreSQL, which runs as another user than root.
    chmodSync(this.#folder, 0o711);
    copyRepository(repositoryRoot, this.#copy);
  }

  /**
   * Runs test files in the copy as it is.
   *
   * @param {object} run
   * @param {readonly string[]} run.files
   * @param {readonly string[]} [run.testNames] names of tests; not given: all
   * @param {import('../test-files.js').Engine} run.engine
   * @param {number} run.timeoutMs
   * @param {(failure: import('./subject-run.js').Failure) => boolean} run.isEnough
   */
  run(run) {
    return this.#run(run);
  }

  /** Runs test files in the copy with a mutant in it. */
  async runWith(mutant, run) {
    using _planted = plant(this.#copy, mutant);
    return await this.#run(run);
  }

  async #run({ engine, ...run }) {
    // One for each run: what an earlier one has left running may still write into its own.
    const scratch = mkdtempSync(join(this.#folder, 'tmp-'));
    // PostgreSQL does not run as root: its account makes and removes its own folder, as in /tmp.
    chmodSync(scratch, 0o1777);
    try {
      const env = {
        TMPDIR: scratch,
        NODE_COMPILE_CACHE: join(this.#folder, 'compiled'),
        LOTHUB_TEST_ENGINE: engine,
        ...(engine === 'postgres' ? { LOTHUB_TEST_POSTGRES_URL: await this.#serverUrl() } : {}),
      };
      return await runSubject({ ...run, copy: this.#copy, env, signal: this.#signal });
    } finally {
      rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
      await this.#dropDatabases();
    }
  }

  get #copy() {
    return join(this.#folder, 'copy');
  }

  async #serverUrl() {
    this.#server ??= await startTestPostgres({ connectionsMax: CONNECTIONS_MAX });
    return this.#server.url;
  }

  /** Those of tests that were ended; the templates stay. */
  async #dropDatabases() {
    if (this.#server === undefined) return;
    const { url } = this.#server;
    const rows = await execute(
      url,
      "select datname from pg_database where datname like any (array['lothub\\_test\\_%', 'test\\_%'])",
    );
    for (const { datname } of rows) {
      await execute(url, `drop database if exists ${datname} with (force)`);
    }
  }

  async [Symbol.asyncDispose]() {
    await this.#server?.[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
