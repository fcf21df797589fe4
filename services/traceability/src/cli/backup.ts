// `lothub backup`: a consistent copy of the database, taken while the service runs and verified
// before it gets its name.
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync, backup as copyDatabase } from 'node:sqlite';
import { systemClock } from '@lothub/kit/clock';
import { sha256Hex } from '@lothub/kit/hash';
import { StopSignals } from '@lothub/kit/lifecycle';
import { SqliteConnection, asDatabaseError } from '@lothub/kit/sqlite/connection';
import type { Command } from 'commander';
import type { Tip } from '../ledger/draft.ts';
import { schemaOf } from '../ledger/sqlite/operated-database.ts';
import { databaseFile } from '../ledger/sqlite/store.ts';
import { readSettings } from '../settings.ts';
import { CommandError, EXIT } from '@lothub/kit/cli/command-error';
import type { ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand } from '@lothub/kit/cli/define-command';
import type { Invocation } from '@lothub/kit/cli/define-command';
import { assertSchema, openHub } from './operated-hub.ts';
import { showProgress } from '@lothub/kit/cli/progress';
import type { Progress } from '@lothub/kit/cli/progress';
import { storeFile } from './stored-file.ts';
import { answer, countText } from '@lothub/kit/cli/terminal';
import type { Output } from '@lothub/kit/cli/terminal';

/** Pages of 4 KiB copied at once: between two steps signals and the drawing of progress get in. */
const PAGES_PER_STEP = 1_000;

interface BackupOptions {
  readonly force?: true;
}

const ABOUT =
  'Copies the database to FILE while the service runs: everything that was stored when the backup\n' +
  'began, and nothing later. FILE is a plain SQLite database; docs/operating.md says how to restore\n' +
  'it. It holds private values and the hashes of keys: keep it as safe as DATA_DIR.';

export function addBackup(program: Command, { output, finish }: Invocation): void {
  defineCommand(program, {
    name: 'backup <FILE>',
    summary: 'copy the database while the service runs',
    description: ABOUT,
    examples: ['lothub backup /backup/lothub-$(date +%F).db'],
  })
    .option('--force', 'replace FILE when there is one')
    .action(async (file: string, options: BackupOptions) => {
      finish(await backup(output, file, options));
    });
}

async function backup(output: Output, file: string, options: BackupOptions): Promise<ExitCode> {
  const startedMs = systemClock.nowMs();
  const { dataDir, databaseUrl } = readSettings(output.terminal.environment);
  if (databaseUrl !== undefined) throw serversOwn();
  assertElsewhere(file, dataDir);
  // Only to say in plain words that there is no hub, or one of another version.
  await (await openHub({ dataDir }))[Symbol.asyncDispose]();
  await using source = new SqliteConnection(databaseFile(dataDir), 'read');
  using stop = new StopSignals({ clock: systemClock });
  using progress = showProgress(output, { label: 'copying', unit: 'pages', clock: systemClock });
  const existing = options.force === true ? 'replace' : 'refuse';
  const { head, bytes } = await storeFile(
    { file, existing, attempt: 'backing up' },
    async (passingName) => {
      await copyStill(source, passingName, { progress, signal: stop.signal });
      return await examine(passingName, file);
    },
  );
  await answer(output, {
    json: { ok: true, file, bytes, head, elapsed_ms: systemClock.nowMs() - startedMs },
    text: [
      `Backed up ${countText(head.height + 1, 'block')} to ${file} (${bytes.toLocaleString('en')} bytes).`,
      `Tip: ${head.height}:${head.hash}`,
    ].join('\n'),
  });
  return EXIT.ok;
}

/** A copy of a server's data that fits all it holds can only be made by the server. */
function serversOwn(): CommandError {
  return new CommandError(
    'backup_elsewhere',
    'backing up: DATABASE_URL is set, and PostgreSQL makes its own copies while it runs, with ' +
      'pg_dump or as a base backup; see "Backups of PostgreSQL" in docs/operating.md',
  );
}

/** With `--force`, a name inside the data directory would replace what the service writes to. */
function assertElsewhere(file: string, dataDir: string): void {
  const live = databaseFile(dataDir);
  if (!samePlace(file, live)) return;
  throw new CommandError(
    'usage_wrong',
    `backing up to ${file}: that is the database itself; give another name, best on another disk`,
  );
}

function samePlace(a: string, b: string): boolean {
  return placeOf(a) === placeOf(b);
}

/** The file's real directory and name; the file itself need not be there. */
function placeOf(file: string): string {
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
  // One read transaction around the whole copy: without it SQLite begins anew whenever the service
  // commits in between, and under load would never come to an end.
  database.exec('begin');
  try {
    source.statement('select height from blocks limit 1').get();
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

/** @throws CommandError `backup_unsound` when the copy does not read back as a hub */
async function examine(copied: string, file: string): Promise<{ head: Tip; bytes: number }> {
  await using connection = new SqliteConnection(copied, 'read');
  assertSchema(schemaOf(connection), file);
  const damage = String(connection.statement('pragma quick_check(1)').get()?.['quick_check']);
  if (damage !== 'ok') throw unsound(file, `the copy is damaged (${damage})`);
  const block = connection
    .statement('select height, hash, canonical from blocks order by height desc limit 1')
    .get();
  const head = connection.statement('select height, hash from head where id = 1').get();
  const height = Number(block?.['height'] ?? -1);
  const hash = String(block?.['hash']);
  if (height < 0 || head?.['height'] !== height || head['hash'] !== hash) {
    throw unsound(file, 'the head of the copy is not its last block');
  }
  if (sha256Hex(String(block?.['canonical'])) !== hash) {
    throw unsound(file, `the text of block ${height} does not hash to its hash`);
  }
  return { head: { height, hash }, bytes: bytesOf(connection) };
}

function bytesOf(connection: SqliteConnection): number {
  const pages = Number(connection.statement('pragma page_count').get()?.['page_count']);
  return pages * Number(connection.statement('pragma page_size').get()?.['page_size']);
}

function unsound(file: string, reason: string): CommandError {
  return new CommandError(
    'backup_unsound',
    `backing up to ${file}: ${reason}; nothing was kept. Run \`lothub verify\` on the hub itself`,
  );
}
