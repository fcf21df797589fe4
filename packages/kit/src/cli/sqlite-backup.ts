// A consistent copy of a SQLite database, taken while a service writes to it, and examined before it gets
// its name.
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync, backup as copyDatabase } from 'node:sqlite';
import { systemClock } from '../clock.ts';
import { StopSignals } from '../lifecycle.ts';
import { SqliteConnection, asDatabaseError } from '../sqlite/connection.ts';
import { CommandError } from './command-error.ts';
import { showProgress, type Progress } from './progress.ts';
import { storeFile, type NewFileOptions } from './stored-file.ts';
import type { Output } from './terminal.ts';

/** Pages of 4 KiB copied at once: between two steps signals and the drawing of progress get in. */
const PAGES_PER_STEP = 1_000;

/** What a look at a copy found. */
export type Examined<Facts> =
  | { readonly kind: 'sound'; readonly facts: Facts }
  | { readonly kind: 'unsound'; readonly reason: string };

export interface SqliteBackup<Facts> {
  /** The database that the service writes to. */
  readonly live: string;
  readonly file: string;
  readonly existing: NewFileOptions['existing'];
  /** Looks at the copy, whose pages are whole; of an unsound one nothing is kept. */
  readonly examine: (copy: SqliteConnection) => Examined<Facts>;
  /** What to do when it is unsound: a sentence. */
  readonly advice: string;
}

/**
 * @throws CommandError `usage_wrong`, `file_exists`, `file_unwritable`, `backup_unsound`; DatabaseError;
 * StopRequested
 */
export async function backUpSqlite<Facts>(
  output: Output,
  { live, file, existing, examine, advice }: SqliteBackup<Facts>,
): Promise<{ readonly bytes: number; readonly facts: Facts }> {
  assertElsewhere(file, live);
  await using source = new SqliteConnection(live, 'read');
  using stop = new StopSignals({ clock: systemClock });
  using progress = showProgress(output, { label: 'copying', unit: 'pages', clock: systemClock });
  return await storeFile({ file, existing, attempt: 'backing up' }, async (passingName) => {
    await copyStill(source, passingName, { progress, signal: stop.signal });
    await using copy = new SqliteConnection(passingName, 'read');
    const damage = String(copy.statement('pragma quick_check(1)').get()?.['quick_check']);
    const found: Examined<Facts> =
      damage === 'ok'
        ? examine(copy)
        : { kind: 'unsound', reason: `the copy is damaged (${damage})` };
    if (found.kind === 'sound') return { bytes: countBytes(copy), facts: found.facts };
    throw new CommandError(
      'backup_unsound',
      `backing up to ${file}: ${found.reason}; nothing was kept. ${advice}`,
    );
  });
}

/** A name inside the data directory could, when it may be replaced, be what the service writes to. */
function assertElsewhere(file: string, live: string): void {
  if (resolveFile(file) !== resolveFile(live)) return;
  throw new CommandError(
    'usage_wrong',
    `backing up to ${file}: that is the database itself; give another name, best on another disk`,
  );
}

/** The file's real directory and name; the file itself need not be there. */
function resolveFile(file: string): string {
  const path = resolve(file);
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    // There is no such directory, which the attempt to write there will say.
    return path;
  }
}

/**
 * Copies what is stored now, however much is written meanwhile.
 * @throws DatabaseError when reading or writing fails; the signal's reason when it is aborted
 */
export async function copyStill(
  source: SqliteConnection,
  target: string,
  watch: { readonly progress: Progress; readonly signal: AbortSignal },
): Promise<void> {
  const { database } = source;
  // One read transaction around the whole copy: without it SQLite starts the copy again whenever the
  // service commits in between, and under load would never finish.
  database.exec('begin');
  try {
    source.statement('select name from sqlite_schema limit 1').get();
    await copyDatabase(database, target, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) => {
        watch.signal.throwIfAborted();
        watch.progress.update(totalPages - remainingPages, totalPages);
      },
    });
    closeLog(target);
  } catch (error) {
    watch.signal.throwIfAborted();
    throw asDatabaseError(error, `copying to ${target}`);
  } finally {
    database.exec('commit');
  }
}

/** The copy says of itself that it is written through a log beside it; one file is easier to keep. */
function closeLog(target: string): void {
  using database = new DatabaseSync(target);
  database.exec('pragma journal_mode = delete');
}

function countBytes(connection: SqliteConnection): number {
  const pages = Number(connection.statement('pragma page_count').get()?.['page_count']);
  return pages * Number(connection.statement('pragma page_size').get()?.['page_size']);
}
