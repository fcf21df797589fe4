// The background verifier's worker thread on SQLite: a read connection of its own.
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '@lothub/kit/clock';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { databaseFile } from '../store.ts';
import { readLogRecord } from '../../log/log-record.ts';
import { readTipRecord } from '../../tip-record.ts';
import { readTipHeight } from '../../verify/background/growth.ts';
import { runVerifier } from '../../verify/background/loop.ts';
import { aloneTurns } from '../../verify/background/turns.ts';
import { LedgerVerification } from '../../verify/ledger.ts';
import { sqliteSnapshots } from './snapshots.ts';
import type { SqliteVerifierData } from './source.ts';

/** Reading is all on this thread: a request that wants its core waits no longer than this. */
const SLICE_MS = 2;

const { dataDir, begin } = workerData as SqliteVerifierData;
if (parentPort === null) throw new Error('the background verifier runs only as a worker thread');

await using connection = new SqliteConnection(databaseFile(dataDir), 'read');
await runVerifier({
  port: parentPort,
  begin,
  turns: aloneTurns(systemClock),
  readTip: () => readTipHeight(connection),
  sliceMs: SLICE_MS,
  newVerification: () =>
    new LedgerVerification({
      reader: sqliteSnapshots(connection),
      depth: 'links',
      scope: 'ledger',
      tipRecord: () => readTipRecord(dataDir),
      logRecord: () => readLogRecord(dataDir),
    }),
});
parentPort.close();
