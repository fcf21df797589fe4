// The writer thread of people on SQLite: opens the database with its schema, then commits groups of jobs.
import { workerData } from 'node:worker_threads';
import { readMigrations } from '@lothub/kit/migrations';
import { SqliteConnection, migrateSqlite } from '@lothub/kit/sqlite/connection';
import { runChange, runStatements } from '@lothub/kit/sqlite/statement-jobs';
import { serveSqliteWriter, type SqliteWriter } from '@lothub/kit/sqlite/writer';
import type { OnUpgrade } from '@lothub/kit/writer/worker';
import { SCHEMA_NAME, sqliteSchemaFolder } from '../schema.ts';
import type { SqliteWriterData, StoreAnswer, StoreJob } from './jobs.ts';

function open(onUpgrade: OnUpgrade): Promise<SqliteWriter<StoreJob, StoreAnswer>> {
  const { file } = workerData as SqliteWriterData;
  const connection = new SqliteConnection(file, 'write');
  migrateSqlite(connection, readMigrations(sqliteSchemaFolder), SCHEMA_NAME, { onUpgrade });
  return Promise.resolve({
    connection,
    apply: (jobs) => jobs.map((job) => runJob(job, connection)),
    mayBeLost: (job) => job.mayBeLost,
    // Nothing is remembered from one group to the next.
    committed: (_jobs, answers) => answers,
    undone: () => undefined,
  });
}

function runJob(job: StoreJob, connection: SqliteConnection): StoreAnswer {
  return job.kind === 'write'
    ? { kind: 'write', answer: runStatements(connection, job.statements) }
    : { kind: 'change', answer: runChange(connection, job) };
}

await serveSqliteWriter(open);
