// The thread that copies the write-ahead log into the database file at each request. It loads
// nothing but SQLite.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { CopierData } from './wal-copier.ts';

const { file, copying } = workerData as CopierData;
const database = new DatabaseSync(file);
database.exec('pragma busy_timeout = 0');
database.exec('pragma synchronous = full');
// Writers and readers go on meanwhile: it stops before what somebody still reads.
const copy = database.prepare('pragma wal_checkpoint(passive)');

parentPort?.on('message', () => {
  try {
    copy.get();
  } catch {
    // What is wrong with the disk the writer finds as well: it copies what is left at its own limit.
  } finally {
    Atomics.store(copying, 0, 0);
    Atomics.notify(copying, 0);
  }
});
