// The writer thread of the ledger: opens the database, makes the genesis block when there is none,
// compares the tip with the record outside, then commits groups.
import { workerData } from 'node:worker_threads';
import { instantText, systemClock } from '@lothub/kit/clock';
import { DatabaseError, type SqlValue } from '@lothub/kit/database';
import { at } from '@lothub/kit/present';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { SqliteConnection, migrateSqlite } from '@lothub/kit/sqlite/connection';
import { runChange, runStatements, type StatementJob } from '@lothub/kit/sqlite/statement-jobs';
import { serveSqliteWriter, type SqliteWriter } from '@lothub/kit/sqlite/writer';
import type { OnUpgrade } from '@lothub/kit/writer/worker';
import { readMigrations } from '@lothub/kit/migrations';
import { Appender } from '../append/appender.ts';
import { crossAppends } from '../append/crossing.ts';
import { sealGenesis } from '../append/genesis.ts';
import { applyJob, withLog, type HeadAnswers } from '../append/jobs.ts';
import { readTrusted } from '../append/trusted-time.ts';
import { trustAtStart } from '../append/clock-at-start.ts';
import { ClockTrust } from '../clock-trust.ts';
import type { Tip } from '../draft.ts';
import type { SignedGroup } from '../log/signed-group.ts';
import { withHeights, type DecidedOutcome } from '../decisions/draft.ts';
import { readMarker } from '../decisions/existing/marker.ts';
import { openKeeper } from '../log/open-keeper.ts';
import { logDatabase } from '../log/stored-tree.ts';
import { warnOfTaskFailure } from '../append/task-failures.ts';
import { raiseAlarm } from '../chain-alarms.ts';
import { DERIVED_VERSION, genesisRows } from '../rows-of-blocks.ts';
import { SERVICE_NAME, sqliteSchemaFolder } from '../schema.ts';
import { TipRecordWriter, readTipRecord } from '../tip-record.ts';
import { HOLDING_CODES, isTipMismatch } from '../verify/mismatch.ts';
import { findTipMismatch } from '../verify/tip.ts';
import { readHead, readTip } from './block-rows.ts';
import { SqliteChainRows } from './chain-rows.ts';
import { noteErasing, settleErased } from './erased-bytes.ts';
import type { DecideJob, LedgerAnswer, LedgerJob, LedgerWriterData } from './jobs.ts';
import { HashSearchTable } from './hash-search.ts';
import { SqliteLogTiles } from './log-tiles.ts';
import { SqliteLotTables } from './lot-tables.ts';

async function open(onUpgrade: OnUpgrade): Promise<SqliteWriter<LedgerJob, LedgerAnswer>> {
  const options = workerData as LedgerWriterData;
  const connection = new SqliteConnection(options.file, 'write');
  migrateSqlite(connection, readMigrations(sqliteSchemaFolder), SERVICE_NAME, { onUpgrade });
  ensureGenesis(connection, options.hubName);
  await deriveAnew(connection, onUpgrade);
  const tipDiffers = compareTip(connection, options.dataDir);
  const tipRecord = new TipRecordWriter(options.dataDir);
  if (!tipDiffers) tipRecord.write(readTip(connection));
  const clockTrust = new ClockTrust(options.clockTrust);
  await sealBefore(connection, clockTrust, onUpgrade);
  if (!tipDiffers) tipRecord.write(readTip(connection));
  // A crash may have left erased rows on pages and in the log.
  settleErased(connection);
  const ledger = new SqliteGroups(connection, clockTrust);
  const keeper =
    options.log &&
    (await openKeeper({
      log: options.log,
      dataDir: options.dataDir,
      reader: connection,
      write: (statement) => connection.all(statement),
      database: logDatabase(connection),
    }));
  return {
    connection,
    apply: (jobs) => ledger.apply(jobs),
    outside: ({ kind }) =>
      kind === 'settle' ? () => ({ kind, answer: settleErased(connection) }) : undefined,
    committed: (jobs, answers) => {
      const { tip, tookHead, grown } = ledger.appender.committed();
      if (tip === undefined) return answers;
      const codes = openCodes(connection);
      if (!codes.some(isTipMismatch)) recordTip(tip, tipRecord);
      if (keeper === undefined || !tookHead) return answers;
      // No other process writes, so the group follows the tree that was signed last.
      const { signedFrontier } = keeper;
      const since = signedFrontier && { signed: signedFrontier, leaves: [] };
      const signed = keeper.committed({ grown, since, isAlarmed: codes.length > 0 });
      return signed === undefined ? answers : answersWithLog(jobs, answers, signed);
    },
    undone: () => ledger.undone(),
    idle: () => ledger.idle(),
    close: async () => keeper?.close(),
  };
}

/** Applies groups of jobs, each inside the transaction that the caller has begun. */
class SqliteGroups {
  readonly appender: Appender;
  readonly #connection: SqliteConnection;
  readonly #lots: SqliteLotTables;
  readonly #tiles: SqliteLogTiles;
  readonly #hashes: HashSearchTable;
  readonly #clockTrust: ClockTrust;
  #dataVersion = 0;

  constructor(connection: SqliteConnection, clockTrust: ClockTrust) {
    this.#connection = connection;
    this.#clockTrust = clockTrust;
    this.#lots = new SqliteLotTables(connection);
    this.#tiles = new SqliteLogTiles(connection);
    this.#hashes = new HashSearchTable(connection);
    const rows = { chain: new SqliteChainRows(connection), lots: this.#lots };
    this.appender = new Appender({ rows });
  }

  apply(jobs: readonly LedgerJob[]): readonly LedgerAnswer[] {
    const takesHead = jobs.some(isOnChain);
    if (takesHead) this.#takeHead();
    const done = jobs.map((job) => this.#applyJob(job));
    const tip = takesHead ? this.appender.end() : NO_TIP;
    if (takesHead) {
      this.#lots.search.takeInWhenDue(this.#lots.lastLotNo());
      this.#tiles.makeWhenDue(tip, this.appender);
      this.#hashes.takeInWhenDue(tip.height);
    }
    return done.map((finish) => finish(tip));
  }

  undone(): void {
    this.appender.undone();
    this.#lots.forget();
    this.#tiles.forget();
    this.#hashes.forget();
  }

  /**
   * Does a little of the work that can wait until there is nothing to write.
   * @returns true when there is more
   */
  idle(): boolean {
    if (this.#wroteElse()) this.#forget();
    const hasMoreTiles = this.#tiles.make();
    const hasMoreHashes = this.#hashes.takeIn(readTip(this.#connection).height);
    return this.#lots.search.takeIn() || hasMoreTiles || hasMoreHashes;
  }

  #takeHead(): void {
    const { known } = this.appender;
    const tip = readTip(this.#connection);
    const unchanged = known?.height === tip.height && known.hash === tip.hash;
    // Another program that wrote may have moved the rows whose numbers are remembered.
    if (this.#wroteElse()) this.#forget();
    // A tree that was being built may have its frontier by now.
    const isKnown = unchanged && known.frontier !== undefined;
    const head = isKnown ? known : readHead(this.#connection);
    const nowMs = readTrusted(systemClock, {
      trust: this.#clockTrust,
      head,
      databaseMs: undefined,
    });
    this.appender.begin(head, nowMs);
    if (known !== undefined && !unchanged) this.appender.raiseTipChanged(tip);
  }

  #applyJob(job: LedgerJob): (tip: Tip) => LedgerAnswer {
    switch (job.kind) {
      case 'write': {
        const answer = runStatements(this.#connection, job.statements);
        return () => ({ kind: 'write', answer });
      }
      case 'change': {
        const answer = this.#change(job);
        return () => ({ kind: 'change', answer });
      }
      case 'erase': {
        noteErasing(this.#connection);
        const blocks = this.appender.decide(job.decisions);
        const answer = runStatements(this.#connection, namingBlocks(job.statements, blocks));
        return () => ({ kind: 'erase', answer });
      }
      case 'settle':
        throw new Error('what was erased was to be settled inside of a transaction');
      default:
        return applyJob(this.appender, job);
    }
  }

  #change(job: DecideJob): DecidedOutcome {
    let blocks: readonly Tip[] = [];
    const outcome = runChange(this.#connection, job, () => {
      blocks = this.appender.decide(job.decisions);
      return namingBlocks(job.statements, blocks);
    });
    if (outcome.kind === 'stale') return outcome;
    // The written rows may include holds.
    this.#lots.forgetHolds();
    return { ...outcome, blocks };
  }

  #forget(): void {
    this.appender.forget();
    this.#lots.forget();
    this.#tiles.forget();
    this.#hashes.forget();
  }

  /** Returns whether another connection has committed since the last call. */
  #wroteElse(): boolean {
    const row = this.#connection.statement('pragma data_version').get();
    const version = Number(row?.['data_version']);
    const changed = version !== this.#dataVersion;
    this.#dataVersion = version;
    return changed;
  }
}

function namingBlocks(
  statements: readonly StatementJob[],
  blocks: readonly Tip[],
): readonly StatementJob[] {
  return statements.map(({ text, values }) => ({
    text,
    values: withHeights(values, blocks) as SqlValue[],
  }));
}

const OFF_CHAIN: ReadonlySet<LedgerJob['kind']> = new Set(['write', 'change', 'erase']);

function isOnChain(job: LedgerJob): boolean {
  if (job.kind === 'change' || job.kind === 'erase') return job.decisions.length > 0;
  return !OFF_CHAIN.has(job.kind);
}

/** The tip of a group that took no head; no answer of such a group names it. */
const NO_TIP: Tip = { height: -1, hash: '' };

function ensureGenesis(connection: SqliteConnection, hubName: string): void {
  connection.transaction(() => {
    const row = connection.statement('select height from blocks limit 1').get();
    if (row !== undefined) return;
    if (connection.statement('select id from head').get() !== undefined) {
      throw new DatabaseError(
        'database_failed',
        'opening the ledger: there is a head but no block; restore a backup',
      );
    }
    const recordedAt = instantText(systemClock.nowMs());
    const block = sealGenesis({ hubName, nonce: newSalt(), recordedAt });
    for (const statement of genesisRows(block, recordedAt)) connection.runNow(statement);
  });
}

/** @throws DatabaseError as `upgradeDerived` */
async function deriveAnew(connection: SqliteConnection, onUpgrade: OnUpgrade): Promise<void> {
  const row = connection.statement('select derived_version from head').get();
  if (Number(row?.['derived_version'] ?? DERIVED_VERSION) >= DERIVED_VERSION) return;
  // Loaded where it is used, once after a new version.
  const { upgradeDerived } = await import('../rebuild/rebuild.ts');
  const { SqliteRebuild } = await import('./rebuild.ts');
  await upgradeDerived(new SqliteRebuild(connection), onUpgrade);
}

/** @throws DatabaseError as `sealExisting` */
async function sealBefore(
  connection: SqliteConnection,
  clockTrust: ClockTrust,
  onUpgrade: OnUpgrade,
): Promise<void> {
  if ((await readMarker(connection)) !== undefined) return;
  // Loaded where it is used, once after a new version.
  const { sealExisting } = await import('../decisions/existing/seal-existing.ts');
  const { SqliteSealing } = await import('./existing/seal-existing.ts');
  const trust = await trustAtStart(clockTrust, { reader: connection, clock: systemClock });
  await sealExisting(new SqliteSealing(connection, trust), onUpgrade);
}

/**
 * Compares the tip with its record. A record beside a new chain proves that there was another one.
 * @returns true, with an alarm raised, when the database ends before the record or differs there
 */
function compareTip(connection: SqliteConnection, dataDir: string): boolean {
  const reading = readTipRecord(dataDir);
  const recorded =
    reading.kind === 'read'
      ? connection.statement('select hash from blocks where height = ?').get(reading.value.height)
      : undefined;
  const mismatch = findTipMismatch(reading, {
    lastHeight: readTip(connection).height,
    recordedHash: recorded === undefined ? undefined : String(recorded['hash']),
  });
  if (mismatch === undefined) return false;
  const { height, code, message } = mismatch;
  const found_at = instantText(systemClock.nowMs());
  connection.runNow(raiseAlarm({ height, code, message, found_at }));
  return true;
}

/** A failure here leaves the record behind the chain, as a crash does; the next group writes it. */
function recordTip(tip: Tip, tipRecord: TipRecordWriter): void {
  try {
    tipRecord.write(tip);
  } catch (error) {
    // The group is on disk, so its callers must not get an error.
    warnOfTaskFailure(error);
  }
}

/**
 * Codes of open alarms. While a differing tip has not been accepted by an operator the record stays what it
 * was: it is the only witness of what was lost. Nothing is signed either.
 */
function openCodes(connection: SqliteConnection): readonly string[] {
  const rows = connection.statement(OPEN_CODES).all(...HOLDING_CODES);
  return rows.map((row) => String(row['code']));
}

const OPEN_CODES = `select code from chain_alarms where cleared_at is null and code in (${HOLDING_CODES.map(() => '?').join(', ')})`;

function isOfHead<Value extends { readonly kind: string }>(
  value: Value,
): value is Extract<Value, { readonly kind: keyof HeadAnswers }> {
  return value.kind === 'append' || value.kind === 'correct';
}

function answersWithLog(
  jobs: readonly LedgerJob[],
  answers: readonly LedgerAnswer[],
  signed: SignedGroup,
): readonly LedgerAnswer[] {
  return answers.map((answer, index) => {
    const job = at(jobs, index);
    return isOfHead(job) && isOfHead(answer) ? withLog(job, answer, signed) : answer;
  });
}

await serveSqliteWriter(open, crossAppends<LedgerJob, LedgerAnswer>());
