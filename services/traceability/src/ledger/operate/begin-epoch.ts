// Begins a new log after one that cannot continue: key, statement, and the old log's last
// checkpoint.
//
// In this order, so that the next run can finish after a crash anywhere, and nothing is ever signed
// in the name of two logs: the new key beside the old one; then the statement, the end of the old
// log and the name of the new one in one transaction; then the new key in the place of the old one;
// then the record of the next signature. The service signs the first checkpoint of the new log when
// it starts.
import { epochStatementBody, isKeyName, parseEpochStatement } from '@lothub/chain/log';
import type { EpochReason, EpochStatement, TreeMark } from '@lothub/chain/log';
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import type { NoteKey } from '@lothub/note-key';
import sql from 'sql-template-tag';
import type { Tip } from '../draft.ts';
import {
  findCurrentEpoch,
  listAllVkeys,
  parseVkeys,
  readEpochs,
  readStatements,
} from '../log/epochs/epochs.ts';
import type { StoredStatement } from '../log/epochs/epochs.ts';
import { statementsFile, writeStatementsFile } from '../log/epochs/statements-file.ts';
import type { KnownTrees } from './known-trees.ts';
import { chooseOrigin, newEpochRow, type LogSettings } from '../log/log-identity.ts';
import { LogRecordWriter, readLogRecord, type LogRecordReading } from '../log/log-record.ts';
import { makeNextKey, pickKeys, readOwnKeys, settleNextKey } from '../log/epochs/own-keys.ts';
import { signedText } from '../log/signed-note.ts';
import { TreeReader } from '../log/tree-reader.ts';
import type { OperatedDatabase } from '../operated-database.ts';
import type { LogEpochRow } from '../tables/log.ts';
import { findEndingLog, storedEnds } from './ending-log.ts';
import { findTrees } from './log-loss.ts';
import { LogRefused } from './log-refused.ts';
import { endedBy, storeEpoch } from './store-epoch.ts';

export interface BeginEpochOptions {
  readonly database: OperatedDatabase;
  readonly dataDir: string;
  readonly log: LogSettings;
  /** The last block of a chain that was verified; no process writes meanwhile. */
  readonly tip: Tip;
  readonly reason: EpochReason;
  /** The new name, for the reason `renamed`; the number of the log is appended to it. */
  readonly origin?: string | undefined;
  /** The heads that other machines have signed last. */
  readonly records?: readonly LogRecordReading[];
  /** Copies of what `/log/epochs` served, for a database of before the last one of them. */
  readonly statements?: readonly StoredStatement[];
  readonly nowText: string;
}

export interface BegunEpoch {
  readonly epoch: number;
  readonly statement: EpochStatement;
  readonly note: string;
  /** True if an earlier run was interrupted and this one finished its work. */
  readonly isFinished: boolean;
  /** Number of cleared alarms that held the old log. */
  readonly alarmsCleared: number;
}

/** A number behind a name, as logs have it. */
const NUMBER = /\/log\/[1-9][0-9]{0,8}$/;

/**
 * @throws LogRefused, with nothing changed
 * @throws DatabaseError when a key or the database cannot be read or written; another run continues
 */
export async function beginEpoch(options: BeginEpochOptions): Promise<BegunEpoch> {
  const { database, dataDir, log } = options;
  const stored = await getCurrentEpoch(database.reader);
  const unfinished = await finishEpoch(options, stored);
  if (unfinished !== undefined) return unfinished;
  const epochs = await readEpochs(database.reader);
  const { ending: current, missed } = await findEndingLog(epochs, options);
  const oldKeys = pickKeys(readOwnKeys(log), parseVkeys(current.vkeys));
  assertKeys(current, { oldKeys, reason: options.reason });
  const epoch = current.epoch + 1;
  const origin = await newOrigin(options, current);
  const logs =
    missed.length === 0
      ? epochs
      : [...epochs, ...missed.slice(1).map(({ log: one }) => one), current];
  const known = await findTrees(options, logs);
  // If the database is a restored older one, only marks show what was signed after it.
  const isLost = known.isLost || missed.length > 0;
  const { last, common } = isLost ? known : await wholeTree(options, { known, oldKeys });
  const newKey = makeNextKey(log.keyFile, { name: origin, known: listAllVkeys(current) });
  const statement: EpochStatement = {
    old: current.origin,
    vkey: newKey.vkey,
    last,
    common,
    reason: options.reason,
    at: cutFraction(options.nowText),
  };
  const note = signedText(epochStatementBody(statement), [...oldKeys.slice(0, 1), newKey]);
  const [ended, ...others] = [
    ...storedEnds(missed, statement.common),
    endedBy(current, { statement, oldKeys }),
  ];
  const alarmsCleared = await storeEpoch(options, {
    ended: present(ended, 'the log that the database has'),
    missed: others,
    begun: newEpochRow({
      epoch,
      origin,
      vkeys: newKey.vkey,
      begunAt: options.nowText,
      statement: note,
    }),
  });
  await keepStatements(options);
  settleNextKey(log, [newKey.vkey]);
  recordHead(dataDir, { origin, head: await readHead(options) });
  return { epoch, statement, note, isFinished: false, alarmsCleared };
}

/** Returns the current log. @throws LogRefused `log_not_begun` */
export async function getCurrentEpoch(reader: Pick<DatabaseReader, 'first'>): Promise<LogEpochRow> {
  const current = await findCurrentEpoch(reader);
  if (current !== undefined) return current;
  throw new LogRefused(
    'log_not_begun',
    'changing the log: it has not begun; start the service once',
  );
}

/**
 * Returns the trees for a chain without a loss: all of its blocks are common. If the old key is missing, it
 * cannot sign the whole tree once more, and the known trees are returned.
 */
async function wholeTree(
  options: BeginEpochOptions,
  { known, oldKeys }: { readonly known: KnownTrees; readonly oldKeys: readonly NoteKey[] },
): Promise<KnownTrees> {
  if (oldKeys.length === 0) return known;
  const head = await readHead(options);
  return { last: head, common: head };
}

async function readHead({ database, tip }: BeginEpochOptions): Promise<TreeMark> {
  const size = tip.height + 1;
  const tree = new TreeReader({
    database: database.reader,
    computedMax: Number.POSITIVE_INFINITY,
  });
  return { size, root: await tree.rootAt(size) };
}

/** @throws LogRefused */
function assertKeys(
  { origin, vkeys }: LogEpochRow,
  by: { readonly oldKeys: readonly NoteKey[]; readonly reason: EpochReason },
): void {
  const { oldKeys, reason } = by;
  if (reason === 'key_lost' && oldKeys.length > 0) {
    throw new LogRefused(
      'log_key_present',
      `ending the log ${origin}: its key is here, so it can sign the statement; give another reason`,
    );
  }
  if (reason !== 'key_lost' && oldKeys.length === 0) {
    throw new LogRefused(
      'log_key_missing',
      `ending the log ${origin}: the key that signs it is not here; put it in place (LOG_KEY_FILE or ` +
        'LOG_KEY), or, when it is gone for good, give --reason key_lost',
    );
  }
  if (parseVkeys(vkeys).length > 1 && reason !== 'key_lost') {
    throw new LogRefused(
      'rotation_open',
      `ending the log ${origin}: one of its keys is being replaced; end that first by ` +
        '`lothub log rotate-key --finish`',
    );
  }
}

/** The name with the number of the new log. @throws LogRefused `log_origin_unusable` */
async function newOrigin(options: BeginEpochOptions, current: LogEpochRow): Promise<string> {
  const { reason, database } = options;
  const epoch = current.epoch + 1;
  const base = reason === 'renamed' ? await givenOrigin(options, epoch) : current.origin;
  const origin = `${base.replace(NUMBER, '')}/log/${epoch}`;
  const isNew =
    reason !== 'renamed' || origin.replace(NUMBER, '') !== current.origin.replace(NUMBER, '');
  const taken = (await readEpochs(database.reader)).some((one) => one.origin === origin);
  if (isKeyName(origin) && isNew && !taken) return origin;
  throw new LogRefused(
    'log_origin_unusable',
    `naming the new log ${origin}: ${isNew ? 'that cannot be the name of a new log' : 'that is its name already'}; ` +
      'give --origin, or set PUBLIC_URL or LOG_ORIGIN to the name',
  );
}

async function givenOrigin(
  { log, origin, database }: BeginEpochOptions,
  epoch: number,
): Promise<string> {
  if (origin !== undefined) return origin;
  const genesis = await database.reader.first<{ readonly hash: string }>(sql`
    select hash
    from blocks
    where height = 0`);
  return chooseOrigin(log, { chainId: present(genesis, 'the genesis block').hash, epoch });
}

/** Finishes the work of a run that was interrupted after the statement, here or on another machine. */
async function finishEpoch(
  options: BeginEpochOptions,
  current: LogEpochRow,
): Promise<BegunEpoch | undefined> {
  const { statement: note, origin, epoch } = current;
  if (note === null) return undefined;
  const statement = parseEpochStatement(note);
  const isSettled = settleNextKey(options.log, parseVkeys(current.vkeys));
  const record = readLogRecord(options.dataDir);
  const isOfOld = record?.kind === 'read' && record.value.origin === statement.old;
  if (!isSettled && !isOfOld) return undefined;
  await keepStatements(options);
  recordHead(options.dataDir, { origin, head: await readHead(options) });
  return { epoch, statement, note, isFinished: true, alarmsCleared: 0 };
}

/** Writes the statements beside the database before the new log signs anything. */
async function keepStatements({ database, dataDir }: BeginEpochOptions): Promise<void> {
  writeStatementsFile(statementsFile(dataDir), await readStatements(database.reader));
}

/** Writes the record as before each signature: the next signed tree must extend this one. */
function recordHead(
  dataDir: string,
  { origin, head }: { readonly origin: string; readonly head: TreeMark },
): void {
  using record = new LogRecordWriter(dataDir);
  record.write({ origin, ...head });
}

/** Statements have no fractions of seconds. */
function cutFraction(instant: string): string {
  return instant.replace(/\.\d+Z$/, 'Z');
}
