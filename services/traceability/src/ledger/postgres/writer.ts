// The writer thread of the ledger on PostgreSQL: it opens a connection of its own, applies the schema, makes
// the genesis block when there is none, and compares the tip with the record outside; then it commits groups.
import { workerData } from 'node:worker_threads';
import { instantText, systemClock } from '@lothub/kit/clock';
import { DatabaseError } from '@lothub/kit/database';
import { PostgresConnection, type PostgresTransaction } from '@lothub/kit/postgres/connection';
import { allInOrder } from '@lothub/kit/postgres/transaction';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { serveWriter, type OnUpgrade, type Writer } from '@lothub/kit/writer/worker';
import sql from 'sql-template-tag';
import { crossAppends } from '../append/crossing.ts';
import { eventOfDraft } from '../append/draft-event.ts';
import { sealGenesis } from '../append/genesis.ts';
import type { HeadAnswer, HeadJob } from '../append/jobs.ts';
import { warnOfTaskFailure } from '../append/task-failures.ts';
import { trustAtStart } from '../append/clock-at-start.ts';
import { ClockTrust } from '../clock-trust.ts';
import { readMarker } from '../decisions/existing/marker.ts';
import { openKeeper } from '../log/open-keeper.ts';
import { logDatabase } from '../log/stored-tree.ts';
import type { LogWriterData } from '../log/writer-log.ts';
import { DERIVED_VERSION, genesisRows } from '../rows-of-blocks.ts';
import { migrateLedger } from './migrate-ledger.ts';
import { GroupCommit } from './group-commit.ts';
import { PostgresLogTiles } from './log-tiles.ts';
import { LotTextIndex } from './lot-search.ts';
import { countTables, isDueAt } from './table-figures.ts';
import { TipFollower } from './tip-follower.ts';
import { openWriteConnection } from './write-connection.ts';

export interface PostgresWriterData {
  readonly url: string;
  readonly dataDir: string;
  readonly hubName: string;
  /** Memory of the `ClockTrust` that both threads share. */
  readonly clockTrust: SharedArrayBuffer;
  /** Undefined when the log is off. */
  readonly log: LogWriterData | undefined;
}

/**
 * The longest time that a paused process may hold the lock of the head; then the server ends its
 * transaction.
 */
const HEAD_TIMEOUT_MS = 5_000;

async function open(onUpgrade: OnUpgrade): Promise<Writer<HeadJob, HeadAnswer>> {
  const { url, dataDir, hubName, clockTrust, log } = workerData as PostgresWriterData;
  await using opening = new AsyncDisposableStack();
  const connection = opening.use(
    await openWriteConnection(url, { idleInTransactionTimeoutMs: HEAD_TIMEOUT_MS }),
  );
  await migrateLedger(connection, { onUpgrade });
  await ensureGenesis(connection, hubName);
  await deriveAnew(connection, onUpgrade);
  const trust = new ClockTrust(clockTrust);
  await sealBefore(connection, trust, onUpgrade);
  const database = opening.use(await PostgresConnection.open(url, { connectionsMax: 2 }));
  const follower = opening.use(
    await TipFollower.open({ dataDir, database, clock: systemClock, onFailure: warnOfTaskFailure }),
  );
  const texts = opening.use(new LotTextIndex({ connection: database, onError: warnOfTaskFailure }));
  const tiles = opening.use(
    new PostgresLogTiles({ connection: database, onFailure: warnOfTaskFailure }),
  );
  const keeper =
    log &&
    opening.use(
      await openKeeper({
        log,
        dataDir,
        reader: database,
        write: (statement) => database.all(statement),
        database: logDatabase(database),
      }),
    );
  const groups = new GroupCommit({
    connection,
    clock: systemClock,
    clockTrust: trust,
    keeper,
    tiles,
    isAlarmed: () => follower.isAlarmed,
    onCommitted: (commit) => {
      follower.committed(commit);
      texts.wrote(commit.texts);
      if (isDueAt(commit.transactions)) countTables(database).catch(warnOfTaskFailure);
    },
  });
  const opened = opening.move();
  return {
    commit: (group) => groups.commit(group),
    foresee: parseEvents,
    abandon: () => {
      connection.abandon();
      database.abandon();
    },
    close: () => opened.disposeAsync(),
  };
}

/** This uses the time in which the server writes the previous group. */
function parseEvents(job: HeadJob): void {
  if (job.kind === 'append') job.submission.drafts.forEach(eventOfDraft);
}

/**
 * Makes the genesis block. If several processes begin a hub at the same time, one of them makes it.
 */
async function ensureGenesis(connection: PostgresConnection, hubName: string): Promise<void> {
  if (await hasChain(connection)) return;
  await connection.transaction(async (transaction) => {
    await transaction.execute('lock table head in share row exclusive mode');
    if (await hasChain(transaction)) return;
    const recordedAt = instantText(systemClock.nowMs());
    const block = sealGenesis({ hubName, nonce: newSalt(), recordedAt });
    await allInOrder(transaction, genesisRows(block, recordedAt));
  });
}

/** @throws DatabaseError when there is a head and no block: the blocks were lost */
async function hasChain(reads: Pick<PostgresTransaction, 'first'>): Promise<boolean> {
  const stored = await reads.first<{ readonly blocks: number; readonly heads: number }>(sql`
    select
      exists (select 1 from blocks) as blocks,
      exists (select 1 from head) as heads`);
  if (stored?.blocks !== 1 && stored?.heads === 1) {
    throw new DatabaseError(
      'database_failed',
      'opening the ledger: there is a head but no block; restore a backup',
    );
  }
  return stored?.blocks === 1;
}

/** @throws DatabaseError as `upgradeDerived` */
async function deriveAnew(connection: PostgresConnection, onUpgrade: OnUpgrade): Promise<void> {
  const row = await connection.first<{ readonly derived_version: number }>(sql`
    select derived_version
    from head`);
  if (row === undefined || row.derived_version >= DERIVED_VERSION) return;
  // Loaded where it is used, once after a new version.
  const { upgradeDerived } = await import('../rebuild/rebuild.ts');
  const { PostgresRebuild } = await import('./rebuild.ts');
  await upgradeDerived(new PostgresRebuild(connection, { scope: 'older_rows' }), onUpgrade);
}

/** @throws DatabaseError as `sealExisting` */
async function sealBefore(
  connection: PostgresConnection,
  clockTrust: ClockTrust,
  onUpgrade: OnUpgrade,
): Promise<void> {
  if ((await readMarker(connection)) !== undefined) return;
  // Loaded where it is used, once after a new version.
  const { sealExisting } = await import('../decisions/existing/seal-existing.ts');
  const { PostgresSealing } = await import('./existing/seal-existing.ts');
  const trust = await trustAtStart(clockTrust, { reader: connection, clock: systemClock });
  await sealExisting(new PostgresSealing(connection, trust), onUpgrade);
}

await serveWriter(open, crossAppends<HeadJob, HeadAnswer>());
