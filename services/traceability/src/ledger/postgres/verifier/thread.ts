// The background verifier's worker thread on PostgreSQL: it has a connection of its own, which connects again
// after a loss.
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '@lothub/kit/clock';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { readTipHeight } from '../../verify/background/growth.ts';
import { runVerifier } from '../../verify/background/loop.ts';
import { LedgerVerification } from '../../verify/ledger.ts';
import { LeasedTurn } from '@lothub/kit/postgres/leased-turn';
import { postgresSnapshots } from './snapshots.ts';
import type { PostgresVerifierData } from './source.ts';
import { PostgresTurns } from './turns.ts';

const TURN_NAME = 'verifier';
/**
 * The time of a slice goes into a dozen round trips and into the server's own reading. No request
 * waits for this thread, so slices are long enough that the round trips are the smaller part.
 */
const SLICE_MS = 50;

const { url, begin } = workerData as PostgresVerifierData;
if (parentPort === null) throw new Error('the background verifier runs only as a worker thread');

await using connection = await PostgresConnection.open(url, { connectionsMax: 1 });
await runVerifier({
  port: parentPort,
  begin,
  turns: new PostgresTurns({
    connection,
    turn: new LeasedTurn({ connection, name: TURN_NAME }),
    clock: systemClock,
  }),
  readTip: () => readTipHeight(connection),
  sliceMs: SLICE_MS,
  newVerification: () =>
    new LedgerVerification({
      reader: postgresSnapshots(connection),
      depth: 'links',
      scope: 'ledger',
      // Each process has a record of its own, which its `TipFollower` compares all the time.
      tipRecord: null,
    }),
});
parentPort.close();
