// The statements that logs began with, kept beside the database too: if an operator restores a
// database from before the last statement, a log that has ended must not continue. The text is what
// `/log/epochs` serves.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LogError, epochListText, parseEpochList } from '@lothub/chain/log';
import { DatabaseError } from '@lothub/kit/database';
import type { StoredStatement } from './epochs.ts';

/** Everybody may read it: it is public. */
const FILE_MODE = 0o644;

export function statementsFile(dataDir: string): string {
  return join(dataDir, 'log.epochs');
}

/**
 * Reads the statements in their order; none when there is no such file.
 * @throws DatabaseError when the file cannot be read, or is no such list
 */
export function readStatementsFile(file: string): readonly StoredStatement[] {
  try {
    return parseEpochList(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    const isList = !(error instanceof LogError);
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(
      'database_failed',
      `reading the statements of the logs in ${file}: ${reason}` +
        (isList ? '' : '; put a copy of what /log/epochs served in its place'),
      { cause: error },
    );
  }
}

/**
 * Replaces the whole file, so that a crash leaves the old one or the new one. A file that contains
 * a later log is not replaced: the database is older.
 * @throws DatabaseError when it cannot be written
 */
export function writeStatementsFile(file: string, statements: readonly StoredStatement[]): void {
  const known = readStatementsFile(file);
  const text = epochListText(statements);
  if (getNewestEpoch(known) > getNewestEpoch(statements) || text === epochListText(known)) return;
  const passingName = `${file}.${process.pid}.partial`;
  try {
    flushed(passingName, 'w', (open) => writeSync(open, text));
    renameSync(passingName, file);
    // The name is on disk only when the folder is.
    flushed(dirname(file), 'r');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(
      'database_failed',
      `writing the statements of the logs beside the database: ${reason}`,
      { cause: error },
    );
  }
}

function getNewestEpoch(statements: readonly StoredStatement[]): number {
  return statements.at(-1)?.epoch ?? 0;
}

function flushed(
  path: string,
  flags: 'r' | 'w',
  fill: (open: number) => void = () => undefined,
): void {
  const open = openSync(path, flags, FILE_MODE);
  try {
    fill(open);
    fsyncSync(open);
  } finally {
    closeSync(open);
  }
}
