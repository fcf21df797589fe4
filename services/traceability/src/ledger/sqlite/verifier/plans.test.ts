// No query of a verification scans a table or sorts one: a slice costs the same on a long chain.
import assert from 'node:assert/strict';
import type { SQLInputValue } from 'node:sqlite';
import { test } from 'node:test';
import type { Sql } from 'sql-template-tag';
import { makeSmallLedger, openTampering } from '../../../../test/tampering/ledger.ts';
import { LedgerVerification } from '../../verify/ledger.ts';
import type { SnapshotReader } from '../../verify/snapshot-reader.ts';
import { sqliteSnapshots } from './snapshots.ts';

/** Steps that are bounded otherwise: tenants, logs and keys are few; lines of one block come together. */
const BOUNDED: ReadonlySet<string> = new Set([
  'SCAN tenants',
  'SCAN log_epochs',
  'SCAN api_keys',
  'SCAN CONSTANT ROW',
  // The newest published checkpoints, up to a limit, once in a round.
  'SCAN c USING INDEX sqlite_autoindex_log_checkpoints_1',
  // Tables of one row, of which there is to be no other.
  'SCAN head EXISTS',
  'SCAN decision_sealing EXISTS',
  // Only at the end of a round: cases, each case once in an index, and recipients by their key.
  'SCAN c',
  'SCAN distinct_values',
  'SCAN p',
  'USE TEMP B-TREE FOR LAST TERM OF ORDER BY',
  // The holds of one case, and its blocks.
  'USE TEMP B-TREE FOR ORDER BY',
  // Rows without a block: a hub that has sealed its older decisions has none.
  'SCAN h USING INDEX lot_holds_unsealed',
  'SCAN brands USING COVERING INDEX brands_unsealed',
  'SCAN recall_cases USING COVERING INDEX recall_cases_unsealed',
  'SCAN recall_drills USING INDEX recall_drills_unsealed',
  'SCAN recall_notifications USING INDEX recall_notifications_unsealed',
]);

/** Finds rows of decisions without a block, which a sound ledger does not have. */
const UNSEALED = /^SCAN \w+ USING INDEX \w+_unsealed$/;

/** The last row of a table by its key is one step from its end, which a plan calls a scan. */
const LAST_ROW = /order by (?:height|lot_no|sequence) desc\s+limit 1$/;

/**
 * Queries of the first slice of a round, of blocks without corrections; each is a range or a key of an index. Two
 * of them read the signed trees.
 */
const QUERIES_OF_SLICE = 33;

test('a verification reads through indexes alone', async () => {
  await using ledger = await makeSmallLedger();
  await using connection = openTampering(ledger.dataDir);

  const queries = await listQueries(sqliteSnapshots(connection), {
    slicesMax: Infinity,
    rowsMax: 4,
  });

  const plans = queries
    .filter((query) => !LAST_ROW.test(query.sql))
    .flatMap((query) =>
      connection.database
        .prepare(`explain query plan ${query.sql}`)
        .all(...(query.values as SQLInputValue[]))
        .map((row) => String(row['detail'])),
    );
  assert.deepEqual(
    plans.filter(
      (step) =>
        /SCAN|TEMP B-TREE|AUTOMATIC/.test(step) && !BOUNDED.has(step) && !UNSEALED.test(step),
    ),
    [],
  );
});

test('a slice without corrections takes the same few queries, however many blocks it holds', async () => {
  await using ledger = await makeSmallLedger();
  await using connection = openTampering(ledger.dataDir);

  const ofSmall = await listQueries(sqliteSnapshots(connection), { slicesMax: 1, rowsMax: 4 });
  const ofLarge = await listQueries(sqliteSnapshots(connection), { slicesMax: 1, rowsMax: 10 });

  assert.deepEqual([ofSmall.length, ofLarge.length], [QUERIES_OF_SLICE, QUERIES_OF_SLICE]);
});

/** Lists the queries of the first slices of a round. */
async function listQueries(
  snapshots: SnapshotReader,
  { slicesMax, rowsMax }: { readonly slicesMax: number; readonly rowsMax: number },
): Promise<readonly Sql[]> {
  const queries: Sql[] = [];
  const reader: SnapshotReader = {
    all: (query) => {
      queries.push(query);
      return snapshots.all(query);
    },
    inSnapshot: (work) => snapshots.inSnapshot(work),
  };
  const options = { reader, depth: 'links', scope: 'ledger', tipRecord: null } as const;
  const verification = new LedgerVerification(options);
  for (let slices = 0; slices < slicesMax; slices += 1) {
    if ((await verification.advance(rowsMax)).status !== 'more') break;
  }
  return queries;
}
