// Runs Node's test runner with PostgreSQL as the engine: one server for all files, which ends with
// the run, whatever becomes of it. Its arguments are the runner's.

import { startTestPostgres } from '../packages/kit/test/postgres/server.ts';
import { exitWith, runNode } from './run.js';

/** Files run side by side, and a hub holds up to a dozen connections; a file may boot several. */
const CONNECTIONS_MAX = 400;

await exitWith(async () => {
  // Throws in plain words where there is no PostgreSQL: a run without it must not pass.
  const server = await startTestPostgres({ connectionsMax: CONNECTIONS_MAX });
  try {
    const { url } = await server.createDatabase();
    process.env.LOTHUB_TEST_ENGINE = 'postgres';
    process.env.LOTHUB_TEST_POSTGRES_URL = url;
    return await runNode(process.execPath, process.argv.slice(2));
  } finally {
    await server[Symbol.asyncDispose]();
  }
});
