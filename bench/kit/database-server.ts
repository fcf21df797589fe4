// The PostgreSQL of a benchmark: a server of its own, durable, on the disk that the SQLite database of
// the same run lies on, with the memory and the log that a small production server is given.
import { statSync } from 'node:fs';
import { startTestPostgres, type TestPostgres } from '@lothub/kit/test/postgres/server';

/** Everything else is as PostgreSQL comes; full_page_writes is on with fsync. */
const SETTINGS = {
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  synchronous_commit: 'on',
} as const;

export type DatabaseServer = TestPostgres;

/**
 * @param besides a folder on the disk that both engines have to write to
 * @throws Error when the server would write to another disk, because then nothing can be compared
 */
export async function startDatabaseServer(besides: string): Promise<DatabaseServer> {
  const server = await startTestPostgres({ fsync: 'on', settings: SETTINGS });
  if (statSync(server.folder).dev !== statSync(besides).dev) {
    const { folder } = server;
    await server[Symbol.asyncDispose]();
    throw new Error(
      `PostgreSQL writes to ${folder} and SQLite to ${besides}, which are different disks: ` +
        'set TMPDIR to a folder on the disk of the first',
    );
  }
  const settings = Object.entries(SETTINGS).map(([name, value]) => `${name} ${value}`);
  console.error(`PostgreSQL with fsync on, full_page_writes on, ${settings.join(', ')}`);
  return server;
}
