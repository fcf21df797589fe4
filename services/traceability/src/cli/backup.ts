// `lothub backup`: a consistent copy of the database, taken while the service runs and verified
// before it gets its name.
import { systemClock } from '@lothub/kit/clock';
import { CommandError, EXIT, type ExitCode } from '@lothub/kit/cli/command-error';
import { assertKnownSchema } from '@lothub/kit/cli/known-schema';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { backUpSqlite, type Examined } from '@lothub/kit/cli/sqlite-backup';
import { answer, countText, type Output } from '@lothub/kit/cli/terminal';
import { assertPeopleCopyFree, backUpPeople, backedUpPeopleText } from '@lothub/people/cli/backup';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { Command } from 'commander';
import type { Tip } from '../ledger/draft.ts';
import { readSchema } from '../ledger/sqlite/operated-database.ts';
import { databaseFile } from '../ledger/sqlite/store.ts';
import { readSettings } from '../settings.ts';
import { openHub } from './operated-hub.ts';

interface BackupOptions {
  readonly force?: true;
}

const ABOUT =
  'Copies the database to FILE while the service runs: everything that was stored when the backup\n' +
  'began, and nothing later; and beside it, to FILE with .people.db, the people who may log in. Both\n' +
  'are plain SQLite databases; docs/operating.md says how to restore them. They hold private values\n' +
  'and the hashes of keys and passwords: keep them as safe as DATA_DIR.';

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
  // This only reports in plain words that there is no hub, or one of another version.
  await (await openHub({ dataDir }))[Symbol.asyncDispose]();
  const existing = options.force === true ? 'replace' : 'refuse';
  assertPeopleCopyFree({ beside: file, existing });
  const { bytes, facts: head } = await backUpSqlite(output, {
    ...{ live: databaseFile(dataDir), file, existing },
    examine: (copy) => examine(copy, file),
    advice: 'Run `lothub verify` on the hub itself',
  });
  const people = await backUpPeople(output, { dataDir, beside: file, existing });
  await answer(output, {
    json: {
      ...{ ok: true, file, bytes, head },
      ...(people === undefined ? {} : { people }),
      elapsed_ms: systemClock.nowMs() - startedMs,
    },
    text: [
      `Backed up ${countText(head.height + 1, 'block')} to ${file} (${bytes.toLocaleString('en')} bytes).`,
      `Tip: ${head.height}:${head.hash}`,
      ...(people === undefined ? [] : [backedUpPeopleText(people)]),
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

/** @throws CommandError `hub_outdated` */
function examine(copy: SqliteConnection, file: string): Examined<Tip> {
  assertKnownSchema(readSchema(copy), file);
  const block = copy
    .statement('select height, hash, canonical from blocks order by height desc limit 1')
    .get();
  const head = copy.statement('select height, hash from head where id = 1').get();
  const height = Number(block?.['height'] ?? -1);
  const hash = String(block?.['hash']);
  if (height < 0 || head?.['height'] !== height || head['hash'] !== hash) {
    return { kind: 'unsound', reason: 'the head of the copy is not its last block' };
  }
  if (sha256Hex(String(block?.['canonical'])) !== hash) {
    return { kind: 'unsound', reason: `the text of block ${height} does not hash to its hash` };
  }
  return { kind: 'sound', facts: { height, hash } };
}
