// Copying the write-ahead log beside the writer: when it begins, that it copies all there is, and that the
// writer goes on without it.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import sql from 'sql-template-tag';
import { SqliteConnection } from './connection.ts';
import { LOG_PAGES, PAGES_OF_WRITER, PAGES_PER_COPY, WalCopier } from './wal-copier.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lothub-test-'));
});
after(() => rm(folder, { recursive: true }));

function openAt(path: string): SqliteConnection {
  const connection = new SqliteConnection(path, 'write');
  connection.database.exec('create table pages (n integer primary key, filling blob) strict');
  return connection;
}

/** Fills so many pages, and writes a few beside them. */
function write(connection: SqliteConnection, pages: number): void {
  const insert = connection.statement(
    'insert into pages (n, filling) values (null, zeroblob(3000))',
  );
  connection.transaction(() => {
    for (let page = 0; page < pages; page += 1) insert.run();
  });
}

/** Pages in the log, and how many of them are in the database file. */
function countPages(connection: SqliteConnection): {
  readonly log: number;
  readonly copied: number;
} {
  const row = connection.database.prepare('pragma wal_checkpoint(noop)').get();
  return { log: Number(row?.['log']), copied: Number(row?.['checkpointed']) };
}

function throwError(error: unknown): never {
  throw error;
}

test('the log is copied when enough pages were written, and again after as many', async () => {
  await using connection = openAt(join(folder, 'due.db'));
  await using copier = new WalCopier({ connection, onFailure: throwError });
  const found = [];
  for (const pages of [PAGES_PER_COPY - 200, 200, PAGES_PER_COPY - 200, 200]) {
    write(connection, pages);
    copier.copyWhenDue();
    copier.settle();
    const { log, copied } = countPages(connection);
    found.push(copied === log);
  }

  assert.deepEqual(found, [false, true, false, true]);
});

test('the writer copies the last pages of a full log itself, and the next commit begins it anew', async () => {
  await using connection = openAt(join(folder, 'full.db'));
  await using copier = new WalCopier({ connection, onFailure: throwError });
  await using reader = new SqliteConnection(join(folder, 'full.db'), 'read');
  write(connection, LOG_PAGES);
  reader.database.exec('begin');
  reader.database.prepare('select count(*) from pages').get();
  connection.database.exec('pragma wal_checkpoint(passive)');
  write(connection, PAGES_OF_WRITER - 50);
  reader.database.exec('rollback');

  copier.copyWhenDue();
  const full = countPages(connection);
  write(connection, 1);

  assert.ok(full.log > LOG_PAGES);
  assert.equal(full.copied, full.log);
  assert.ok(countPages(connection).log < 10);
});

test('a log that is written all the time never grows much beyond its limit', async () => {
  await using connection = openAt(join(folder, 'busy.db'));
  await using copier = new WalCopier({ connection, onFailure: throwError });
  let longest = 0;
  for (let written = 0; written < 3 * LOG_PAGES; written += 150) {
    write(connection, 150);
    longest = Math.max(longest, countPages(connection).log);
    copier.copyWhenDue();
    write(connection, 20);
    copier.settle();
  }

  assert.ok(longest < LOG_PAGES + PAGES_PER_COPY, `${longest} pages`);
});

test('a log that somebody reads grows, and begins anew when nobody does', async () => {
  await using connection = openAt(join(folder, 'read.db'));
  await using copier = new WalCopier({ connection, onFailure: throwError });
  write(connection, 1);
  await using reader = new SqliteConnection(join(folder, 'read.db'), 'read');
  reader.database.exec('begin');
  reader.database.prepare('select count(*) from pages').get();
  const writeFully = (pages: number): void => {
    for (let written = 0; written < pages; written += 150) {
      write(connection, 150);
      copier.copyWhenDue();
      copier.settle();
    }
  };

  writeFully(LOG_PAGES + 1_000);
  const whileRead = countPages(connection);
  reader.database.exec('rollback');
  writeFully(1_000);

  assert.ok(whileRead.log >= LOG_PAGES + 1_000);
  assert.ok(countPages(connection).log < 1_500);
});

test('what cannot be looked at or copied fails no commit', async () => {
  await using connection = openAt(join(folder, 'open.db'));
  await using copier = new WalCopier({ connection, onFailure: throwError });
  write(connection, PAGES_PER_COPY);
  connection.database.exec('begin immediate; insert into pages (filling) values (null)');

  assert.doesNotThrow(() => copier.copyWhenDue());

  connection.database.exec('rollback');
});

test('a writer whose copier cannot open the file continues, and reports it once', async () => {
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
  write(connection, PAGES_PER_COPY);
  await rm(gone, { recursive: true });

  copier.copyWhenDue();
  const error = await failed.promise;
  write(connection, PAGES_PER_COPY);
  copier.copyWhenDue();
  copier.settle();

  assert.match(String(error), /unable to open database file/);
  assert.equal(failures, 1);
  const [count] = connection.allNow(sql`select count(*) as n from pages`);
  assert.deepEqual(count, { n: 2 * PAGES_PER_COPY });
});
