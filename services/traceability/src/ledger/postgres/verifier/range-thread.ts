// A thread of a verification of a whole ledger on PostgreSQL: a connection of its own.
import { parentPort, workerData } from 'node:worker_threads';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { serveOrders } from '../../verify/ranges/worker.ts';
import { COUNT_TIMEOUT_MS, findStorageDamage } from './storage-damage.ts';
import { postgresSnapshots } from './snapshots.ts';
import type { PostgresRangesData } from './source.ts';

const { url } = workerData as PostgresRangesData;
if (parentPort === null) throw new Error('ranges are verified only in a worker thread');

await using connection = await PostgresConnection.open(url, {
  connectionsMax: 1,
  statementTimeoutMs: COUNT_TIMEOUT_MS,
});
await serveOrders({
  port: parentPort,
  reader: postgresSnapshots(connection),
  findStorageDamage: () => findStorageDamage(connection, 0),
});
parentPort.close();
