// A thread of a verification of a whole ledger on SQLite: a read connection of its own.
import { parentPort, workerData } from 'node:worker_threads';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { serveOrders } from '../../verify/ranges/worker.ts';
import { findStorageDamage } from './storage-damage.ts';
import { sqliteSnapshots } from './snapshots.ts';
import type { SqliteRangesData } from './source.ts';

const { file } = workerData as SqliteRangesData;
if (parentPort === null) throw new Error('ranges are verified only in a worker thread');

await using connection = new SqliteConnection(file, 'read');
await serveOrders({
  port: parentPort,
  reader: sqliteSnapshots(connection),
  findStorageDamage: () => Promise.resolve(findStorageDamage(connection, 0)),
});
parentPort.close();
