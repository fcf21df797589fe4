// Copying the write-ahead log beside the writer: when it begins, that it copies all there is, and that the
// writer goes on without it.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import sql from 'sql-template-tag';
import { SqliteConnection } from './connection.ts';
import { ROWS_PER_COPY, WalCopier } from './wal-copier.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lothub-test-'));
});
after(() => rm(folder, { recursive: true }));

function openAt(path: string): SqliteConnection {
  const connection = new SqliteConnection(path, 'write');
  connection.database.exec('create table numbers (n integer primary key) strict');
  return connection;
}

function write(connection: SqliteConnection, rows: number): void {
  const insert = connection.statement('insert into numbers (n) values (null)');
  connection.transaction(() => {
    for (let row = 0; row < rows; row += 1) insert.run();
  });
}

/** Pages in the log, and how many of them are in the database file. */
function pagesOf(connection: SqliteConnection): { readonly log: number; readonly copied: number } {
  const row = connection.database.prepare('pragma wal_checkpoint(noop)').get();
  return { log: Number(row?.['log']), copied: Number(row?.['checkpointed']) };
}

function throwError(error: unknown): never {
  throw error;
}

test('the log is copied when enough rows were written, and again after as many', async () => {
  await using connection = openAt(join(folder, 'due.db'));
  await using copier = new WalCopier({ connection, onFailure: throwError });
  const found = [];
  for (const rows of [ROWS_PER_COPY - 1, 1, ROWS_PER_COPY - 1, 1]) {
    write(connection, rows);
    copier.copyWhenDue();
    copier.settle();
    const { log, copied } = pagesOf(connection);
    found.push(copied === log);
  }

  assert.deepEqual(found, [false, true, false, true]);
});

test('a writer whose copier cannot open the file goes on, and is told once', async () => {
  const gone = await mkdtemp(join(folder, 'gone-'));
  await using connection = openAt(join(gone, 'rows.db'));
  const failed = Promise.withResolvers<unknown>();
  let failures = 0;
  await using copier = new WalCopier({
    connection,
    onFailure: (error) => {
      failures += 1;
      failed.resolve(error);
    },
  });
  write(connection, ROWS_PER_COPY);
  await rm(gone, { recursive: true });

  copier.copyWhenDue();
  const error = await failed.promise;
  write(connection, ROWS_PER_COPY);
  copier.copyWhenDue();
  copier.settle();

  assert.match(String(error), /unable to open database file/);
  assert.equal(failures, 1);
  const [count] = connection.allNow(sql`select count(*) as n from numbers`);
  assert.deepEqual(count, { n: 2 * ROWS_PER_COPY });
});
