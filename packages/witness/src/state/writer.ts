/** The thread that writes the state of a witness: compare and set in groups, on disk before any answer. */
import { workerData } from 'node:worker_threads';
import { computeRoot, EMPTY_FRONTIER } from '@lothub/chain/log';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { serveSqliteWriter, type SqliteWriter } from '@lothub/kit/sqlite/writer';
import sql from 'sql-template-tag';
import type { AddJob, NextCheckpoint, StateAnswer, StateJob, StateWriterData } from './jobs.ts';

const EMPTY_ROOT = computeRoot(EMPTY_FRONTIER, sha256Bytes);

function open(): Promise<SqliteWriter<StateJob, StateAnswer>> {
  const { file } = workerData as StateWriterData;
  const connection = new SqliteConnection(file, 'write');
  return Promise.resolve({
    connection,
    apply: (jobs) =>
      jobs.map((job) =>
        job.kind === 'cosign'
          ? job.next.map((next) => cosign(connection, next))
          : add(connection, job),
      ),
    // Nothing is remembered from one group to the next.
    committed: (_jobs, answers) => answers,
    undone: () => undefined,
  });
}

/**
 * The root is compared as well: of two trees of one size only one was cosigned. A crash after the commit
 * leaves a checkpoint that nobody was given the cosignature of; the log asks again and gets it.
 *
 * @returns whether it was taken
 */
function cosign(
  connection: SqliteConnection,
  { origin, before, after, checkpoint, time }: NextCheckpoint,
): boolean {
  const taken = connection.allNow(sql`
    update cosigned_logs
    set size = ${after.size}, root = ${after.root}, checkpoint = ${checkpoint}, cosigned_at = ${time}
    where origin = ${origin}
      and size = ${before.size}
      and root = ${before.root}
    returning size`);
  return taken.length === 1;
}

function add(connection: SqliteConnection, { logs }: AddJob): StateAnswer {
  for (const { origin, vkey, qpd, contact } of logs) {
    connection.runNow(sql`
      insert into cosigned_logs (origin, size, root)
      values (${origin}, 0, ${EMPTY_ROOT})
      on conflict do nothing`);
    connection.runNow(sql`
      insert into log_keys (vkey, origin, qpd, contact)
      values (${vkey}, ${origin}, ${qpd}, ${contact})
      on conflict do nothing`);
  }
  return [];
}

await serveSqliteWriter(open);
