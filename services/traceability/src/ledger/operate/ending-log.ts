// Finds the log that ends when another one begins: the newest one in any source. The database may
// be a restored one from before a log began. Then the statements beside it, or copies kept
// elsewhere, name the later logs, which are stored again.
import { judgeEpochStatement, parseEpochStatement, parseVkey } from '@lothub/chain/log';
import type { ParsedEpochStatement, TreeMark } from '@lothub/chain/log';
import { present } from '@lothub/kit/present';
import { verifyEd25519 } from '@lothub/verify';
import { listAllVkeys, listStatements, type StoredStatement } from '../log/epochs/epochs.ts';
import { readPlacedKey, type KeyPlaces } from '../log/epochs/own-keys.ts';
import { readStatementsFile, statementsFile } from '../log/epochs/statements-file.ts';
import { newEpochRow } from '../log/log-identity.ts';
import { readLogRecord } from '../log/log-record.ts';
import type { LogEpochRow } from '../tables/log.ts';
import { LogRefused } from './log-refused.ts';

/** A log that has ended, although the database does not say so. */
export interface MissedEnd {
  readonly log: LogEpochRow;
  /** The statement of the next log. */
  readonly statement: ParsedEpochStatement;
}

export interface EndingLog {
  /** The log that ends; not in the database when ends were missed. */
  readonly ending: LogEpochRow;
  /** In their order; the first is the newest log in the database. */
  readonly missed: readonly MissedEnd[];
}

export interface EndingLogOptions {
  readonly dataDir: string;
  readonly log: KeyPlaces;
  /** Copies of what `/log/epochs` served. */
  readonly statements?: readonly StoredStatement[];
}

/** Returns whether the statements beside the database name a log that is not in the database. */
export function isDatabaseOlder(dataDir: string, { epoch }: LogEpochRow): boolean {
  return (readStatementsFile(statementsFile(dataDir)).at(-1)?.epoch ?? epoch) > epoch;
}

/**
 * @param epochs all that the database has, the current one last
 * @throws LogRefused `statements_unusable`, `statements_missing`
 * @throws DatabaseError when a file beside the database cannot be read
 */
export async function findEndingLog(
  epochs: readonly LogEpochRow[],
  options: EndingLogOptions,
): Promise<EndingLog> {
  const missed: MissedEnd[] = [];
  let ending = present(epochs.at(-1), 'the log that goes on');
  for (const { epoch, note } of newerStatements(epochs, ending.epoch, options)) {
    const statement = parseEpochStatement(note);
    await assertFollows(ending, { epoch, statement });
    missed.push({ log: ending, statement });
    ending = begunBy(epoch, { statement, note });
  }
  assertNoneIsMissing([...epochs, ...missed.map(({ log }) => log), ending], options);
  const placed = readPlacedKey(options.log);
  // Its key may have been replaced since the statement.
  const isReplaced =
    missed.length > 0 && placed?.name === ending.origin && placed.vkey !== ending.vkeys;
  if (isReplaced) ending = { ...ending, vkeys: placed.vkey, retired_vkeys: ending.vkeys };
  return { ending, missed };
}

/**
 * Returns the rows of logs whose end was missed: their end, and the size that they share with the
 * new log.
 * @param common of the statement by which the new log begins
 */
export function storedEnds(missed: readonly MissedEnd[], common: TreeMark): readonly LogEpochRow[] {
  return missed.map(({ log, statement }, place) => ({
    ...log,
    ended_at: statement.at,
    common_size: Math.min(
      common.size,
      ...missed.slice(place).map((one) => one.statement.common.size),
    ),
  }));
}

/**
 * Reads the statements in the file beside the database and in copies. @throws LogRefused when two
 * contradict each other
 */
function newerStatements(
  epochs: readonly LogEpochRow[],
  newest: number,
  { dataDir, statements = [] }: EndingLogOptions,
): readonly StoredStatement[] {
  const known = new Map<number, string>();
  for (const { epoch, note } of [
    ...listStatements(epochs),
    ...readStatementsFile(statementsFile(dataDir)),
    ...statements,
  ]) {
    const before = known.get(epoch);
    if (before !== undefined && before !== note) {
      throw unusable(`there are two different statements that log ${epoch} began`);
    }
    known.set(epoch, note);
  }
  return [...known]
    .map(([epoch, note]) => ({ epoch, note }))
    .filter(({ epoch }) => epoch > newest)
    .sort((a, b) => a.epoch - b.epoch);
}

/** @throws LogRefused `statements_unusable` */
async function assertFollows(
  before: LogEpochRow,
  next: { readonly epoch: number; readonly statement: ParsedEpochStatement },
): Promise<void> {
  const { epoch, statement } = next;
  if (epoch !== before.epoch + 1 || statement.old !== before.origin) {
    throw unusable(`no statement says what came behind the log ${before.origin}`);
  }
  const refused = await judgeEpochStatement(statement, {
    oldKeys: listAllVkeys(before).map(parseVkey),
    verify: verifyEd25519,
  });
  // The key of the old log may have been replaced after this database was made.
  const isByLaterKey =
    refused === 'unknown_key' && statement.newSignature.keyId === statement.newKey.keyId;
  if (refused === undefined || isByLaterKey) return;
  throw unusable(`the statement that log ${epoch} began is not signed by the two logs`);
}

/** Makes the row of a log from its statement alone. */
function begunBy(
  epoch: number,
  { statement, note }: { readonly statement: ParsedEpochStatement; readonly note: string },
): LogEpochRow {
  const { new: origin, vkey: vkeys, at: begunAt } = statement;
  return newEpochRow({ epoch, origin, vkeys, begunAt, statement: note });
}

const NUMBERED = /\/log\/([1-9][0-9]{0,8})$/;

/**
 * The key and the record of what was signed last have the name of their log: one that is later than all
 * statements would begin a second time.
 * @throws LogRefused `statements_missing`
 */
function assertNoneIsMissing(
  known: readonly LogEpochRow[],
  { dataDir, log }: EndingLogOptions,
): void {
  const record = readLogRecord(dataDir);
  const recorded = record?.kind === 'read' ? record.value.origin : undefined;
  const newest = Math.max(...known.map(({ epoch }) => epoch));
  for (const name of [readPlacedKey(log)?.name, recorded]) {
    if (name === undefined || known.some(({ origin }) => origin === name)) continue;
    const number = NUMBERED.exec(name)?.[1];
    if (number === undefined || Number(number) <= newest) continue;
    throw new LogRefused(
      'statements_missing',
      `ending the log: the database is of before the log ${name} began, and the statement that it began ` +
        'with is not here; give by --epochs a copy of what /log/epochs served: the file log.epochs of ' +
        'another machine, or what a reader kept',
    );
  }
}

function unusable(what: string): LogRefused {
  return new LogRefused(
    'statements_unusable',
    `ending the log: ${what}; give by --epochs a copy of what /log/epochs of this hub served last`,
  );
}
