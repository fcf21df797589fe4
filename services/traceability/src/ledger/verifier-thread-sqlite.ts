// The background verifier's worker thread on SQLite: a read connection of its own.
import { parentPort, workerData } from 'node:worker_threads';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { databaseFile } from './sqlite/store.ts';
import { readTipRecord } from './tip-record.ts';
import { runVerifier } from './verifier-thread-loop.ts';
import { LedgerVerification } from './verify-ledger.ts';
import { sqliteSnapshots } from './verify-sqlite.ts';
import type { SqliteVerifierData } from './verify-sqlite.ts';

const { dataDir, begin } = workerData as SqliteVerifierData;
if (parentPort === null) throw new Error('the background verifier runs only as a worker thread');

await using connection = new SqliteConnection(databaseFile(dataDir), 'read');
await runVerifier({
  port: parentPort,
  begin,
  newVerification: () =>
    new LedgerVerification({
      reader: sqliteSnapshots(connection),
      depth: 'links',
      scope: 'ledger',
      tipRecord: () => readTipRecord(dataDir),
    }),
});
parentPort.close();
