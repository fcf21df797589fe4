// The copy of the people that each backup of a service brings along, beside its own file.
import { existsSync } from 'node:fs';
import { backUpSqlite, type Examined } from '@lothub/kit/cli/sqlite-backup';
import { assertFree, type NewFileOptions } from '@lothub/kit/cli/stored-file';
import { countText, type Output } from '@lothub/kit/cli/terminal';
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { databaseFile } from '../store/sqlite/file.ts';

export interface PeopleBackup {
  readonly dataDir: string;
  /** The copy of the service's own database. */
  readonly beside: string;
  readonly existing: NewFileOptions['existing'];
}

export interface BackedUpPeople {
  readonly file: string;
  readonly bytes: number;
  readonly accounts: number;
}

/** `/backup/hub.people.db` beside `/backup/hub.db`. */
export function toPeopleCopyPath(file: string): string {
  return `${file.replace(/\.db$/, '')}.people.db`;
}

/**
 * To be asked before the copy of the service is made: of two copies that fit none is left alone.
 * @throws CommandError `file_exists`
 */
export function assertPeopleCopyFree({ beside, existing }: Omit<PeopleBackup, 'dataDir'>): void {
  const file = toPeopleCopyPath(beside);
  assertFree({ file, existing, attempt: 'backing up' }, file);
}

/**
 * Call it after the copy of the service, so that every member of a group in that copy has an account in this one.
 * @returns undefined when there is no database of people yet
 * @throws CommandError `file_exists`, `file_unwritable`, `backup_unsound`; DatabaseError; StopRequested
 */
export async function backUpPeople(
  output: Output,
  { dataDir, beside, existing }: PeopleBackup,
): Promise<BackedUpPeople | undefined> {
  const live = databaseFile(dataDir);
  if (!existsSync(live)) return undefined;
  const file = toPeopleCopyPath(beside);
  const { bytes, facts } = await backUpSqlite(output, {
    ...{ live, file, existing, examine },
    advice: 'Look at the disk of DATA_DIR, and restore an older backup if the database is damaged',
  });
  return { file, bytes, accounts: facts.accounts };
}

/** What the command says of it. */
export function backedUpPeopleText({ file, bytes, accounts }: BackedUpPeople): string {
  return (
    `Backed up ${countText(accounts, 'account')} of people to ${file} ` +
    `(${bytes.toLocaleString('en')} bytes).`
  );
}

function examine(copy: SqliteConnection): Examined<{ readonly accounts: number }> {
  const row = copy
    .statement(
      'select (select count(*) from accounts) as accounts, (select count(*) from head) as heads',
    )
    .get();
  if (row?.['heads'] !== 1) return { kind: 'unsound', reason: 'the copy has no head' };
  return { kind: 'sound', facts: { accounts: Number(row['accounts']) } };
}
