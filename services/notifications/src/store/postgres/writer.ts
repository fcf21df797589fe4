// The writer thread on PostgreSQL: a connection of its own, the schema, then it commits groups of posts.
import { workerData } from 'node:worker_threads';
import { readMigrations } from '@lothub/kit/migrations';
import { makeNamespace, migratePostgres } from '@lothub/kit/postgres/migrate';
import { serveWriter, type OnUpgrade, type Writer } from '@lothub/kit/writer/worker';
import type { PostAnswer, PostJob } from '../jobs.ts';
import { POSTGRES_NAMESPACE, SERVICE_NAME, postgresSchemaFolder } from '../schema.ts';
import { openWriteConnection } from './connections.ts';
import { GroupCommit } from './group-commit.ts';

export interface PostgresWriterData {
  readonly url: string;
}

async function open(onUpgrade: OnUpgrade): Promise<Writer<PostJob, PostAnswer>> {
  const { url } = workerData as PostgresWriterData;
  await using opening = new AsyncDisposableStack();
  const connection = opening.use(await openWriteConnection(url));
  await makeNamespace(connection, POSTGRES_NAMESPACE);
  await migratePostgres(connection, readMigrations(postgresSchemaFolder), SERVICE_NAME, {
    onUpgrade,
  });
  const groups = new GroupCommit({ connection });
  const opened = opening.move();
  return {
    commit: (group) => groups.commit(group),
    abandon: () => connection.abandon(),
    close: () => opened.disposeAsync(),
  };
}

await serveWriter(open);
