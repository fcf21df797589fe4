// `lothub notifications backup`: a consistent copy of the database, taken while the service runs.
import { CommandError, EXIT, type ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { answer, countText, type Output } from '@lothub/kit/cli/terminal';
import type { Examined } from '@lothub/kit/cli/sqlite-backup';
import { systemClock } from '@lothub/kit/clock';
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { Command } from 'commander';
import { readSettings } from '../settings.ts';
import { assertOperable } from './operated-store.ts';

interface BackupOptions {
  readonly force?: true;
}

const ABOUT =
  'Copies the database to FILE while the service runs: everything that was stored when the backup\n' +
  'began, and nothing later; and beside it, to FILE with .people.db, the people. Both are plain SQLite\n' +
  'databases; docs/notifications/operating.md says how to restore them. They hold notifications, names,\n' +
  'hashes of passwords and secrets of webhooks: keep them as safe as DATA_DIR.';

export function addBackup(parent: Command, { output, finish }: Invocation): void {
  defineCommand(parent, {
    name: 'backup <FILE>',
    summary: 'copy the database while the service runs',
    description: ABOUT,
    examples: ['lothub notifications backup /backup/notifications-$(date +%F).db'],
  })
    .option('--force', 'replace FILE when there is one')
    .action(async (file: string, options: BackupOptions) => {
      finish(await backup(output, file, options));
    });
}

async function backup(output: Output, file: string, options: BackupOptions): Promise<ExitCode> {
  const startedMs = systemClock.nowMs();
  const settings = readSettings(output.terminal.environment);
  if (settings.databaseUrl !== undefined) throw serversOwn();
  await assertOperable(settings);
  const [
    { backUpSqlite },
    { assertPeopleCopyFree, backUpPeople, backedUpPeopleText },
    { databaseFile },
  ] = await Promise.all([
    import('@lothub/kit/cli/sqlite-backup'),
    import('@lothub/people/cli/backup'),
    import('../store/sqlite/store.ts'),
  ]);
  const existing = options.force === true ? 'replace' : 'refuse';
  assertPeopleCopyFree({ beside: file, existing });
  const { bytes, facts } = await backUpSqlite(output, {
    ...{ live: databaseFile(settings.dataDir), file, existing, examine },
    advice: 'Look at the disk of DATA_DIR, and restore an older backup if the database is damaged',
  });
  const { dataDir } = settings;
  const people = await backUpPeople(output, { dataDir, beside: file, existing });
  const { notifications, position } = facts;
  await answer(output, {
    json: {
      ok: true,
      file,
      bytes,
      notifications,
      position,
      ...(people === undefined ? {} : { people }),
      elapsed_ms: systemClock.nowMs() - startedMs,
    },
    text: [
      `Backed up ${countText(notifications, 'notification')} to ${file} ` +
        `(${bytes.toLocaleString('en')} bytes), up to position ${position}.`,
      ...(people === undefined ? [] : [backedUpPeopleText(people)]),
    ].join('\n'),
  });
  return EXIT.ok;
}

/** A copy of a server's data that fits all it holds can only be made by the server. */
function serversOwn(): CommandError {
  return new CommandError(
    'backup_elsewhere',
    'backing up: the notifications are in PostgreSQL, which makes its own copies while it runs, with ' +
      'pg_dump or as a base backup; see "Backup and restore" in docs/notifications/operating.md',
  );
}

interface Copied {
  readonly notifications: number;
  /** The newest in the feed. */
  readonly position: number;
}

function examine(copy: SqliteConnection): Examined<Copied> {
  const row = copy
    .statement(
      `select
        (select count(*) from notifications) as notifications,
        (select coalesce(max(id), 0) from notifications) as newest,
        (select position from feed_head where id = 1) as position`,
    )
    .get();
  const [notifications, newest, position] = ['notifications', 'newest', 'position'].map((name) =>
    Number(row?.[name] ?? Number.NaN),
  );
  if (notifications === undefined || newest === undefined || position === undefined) {
    return { kind: 'unsound', reason: 'the copy has no feed' };
  }
  if (!(newest <= position)) {
    return { kind: 'unsound', reason: 'the feed of the copy ends before its newest notification' };
  }
  return { kind: 'sound', facts: { notifications, position } };
}
