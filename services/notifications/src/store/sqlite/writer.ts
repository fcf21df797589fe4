// The writer thread on SQLite: opens the database with its schema, then commits groups of jobs.
import { workerData } from 'node:worker_threads';
import { readMigrations } from '@lothub/kit/migrations';
import { SqliteConnection, migrateSqlite } from '@lothub/kit/sqlite/connection';
import { runChange, runStatements } from '@lothub/kit/sqlite/statement-jobs';
import { serveSqliteWriter, type SqliteWriter } from '@lothub/kit/sqlite/writer';
import type { OnUpgrade } from '@lothub/kit/writer/worker';
import type { PostJob } from '../jobs.ts';
import { PEOPLE_NAMESPACE, SERVICE_NAME, sqliteSchemaFolder } from '../schema.ts';
import { copyPeople, isWithPeople } from './copy-people.ts';
import { settleErased } from './erased-bytes.ts';
import type { SqliteWriterData, StoreAnswer, StoreJob } from './jobs.ts';
import { SqlitePosts } from './posts.ts';
import { schemaVersionIn } from '@lothub/kit/sqlite/schema-version';

function open(onUpgrade: OnUpgrade): Promise<SqliteWriter<StoreJob, StoreAnswer>> {
  const { file, people } = workerData as SqliteWriterData;
  const connection = new SqliteConnection(file, 'write');
  const present = schemaVersionIn(connection, SERVICE_NAME);
  if (isWithPeople(present)) {
    onUpgrade({ step: 'schema' });
    copyPeople({ file, people });
  }
  connection.attach(PEOPLE_NAMESPACE, people);
  migrateSqlite(connection, readMigrations(sqliteSchemaFolder), SERVICE_NAME, { onUpgrade });
  const posts = new SqlitePosts(connection);
  return Promise.resolve({
    connection,
    apply: (jobs) => applyGroup(jobs, { connection, posts }),
    mayBeLost: (job) => 'mayBeLost' in job && job.mayBeLost,
    outside: ({ kind }) =>
      kind === 'settle' ? () => ({ kind, answer: settleErased(connection) }) : undefined,
    // Nothing is remembered from one group to the next.
    committed: (_jobs, answers) => answers,
    undone: () => undefined,
  });
}

/** In their order, as each sees what those before it did; posts in a row are done together. */
function applyGroup(
  jobs: readonly StoreJob[],
  on: { readonly connection: SqliteConnection; readonly posts: SqlitePosts },
): readonly StoreAnswer[] {
  const answers: StoreAnswer[] = [];
  let waiting: PostJob[] = [];
  const doPosts = (): void => {
    if (waiting.length === 0) return;
    for (const answer of on.posts.apply(waiting)) answers.push({ kind: 'post', answer });
    waiting = [];
  };
  for (const job of jobs) {
    if (job.kind === 'post') {
      waiting.push(job);
      continue;
    }
    doPosts();
    if (job.kind === 'settle') throw new Error('settling came into a transaction');
    answers.push(
      job.kind === 'write'
        ? { kind: 'write', answer: runStatements(on.connection, job.statements) }
        : { kind: 'change', answer: runChange(on.connection, job) },
    );
  }
  doPosts();
  return answers;
}

await serveSqliteWriter(open);
