// Folders for what an import puts aside: the uploaded file and the events on their way to the
// ledger. They hold private values, so only this user can read them and none outlives its import.
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseError } from '@lothub/kit/database';

const FOLDER_PREFIX = 'csv-import-';
/** The name contains the number of the importing process. */
const OWNER_FORM = new RegExp(`^${FOLDER_PREFIX}(\\d+)-`);
const PRIVATE_FOLDER_MODE = 0o700;

/** Makes a new folder of one import; disposing of it removes it with all its files. */
export async function openImportFolder(
  tempDir: string,
): Promise<{ readonly path: string } & AsyncDisposable> {
  await mkdir(tempDir, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  const path = await mkdtemp(join(tempDir, `${FOLDER_PREFIX}${process.pid}-`));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** Removes the folders of imports that a crash ended, but not those of other running processes. */
export async function sweepImportFolders(tempDir: string): Promise<void> {
  await mkdir(tempDir, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  for (const name of await readdir(tempDir)) {
    if (!name.startsWith(FOLDER_PREFIX)) continue;
    const owner = OWNER_FORM.exec(name)?.[1];
    if (owner !== undefined && isOtherProcess(Number(owner))) continue;
    await rm(join(tempDir, name), { recursive: true, force: true });
  }
}

function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs and belongs to another user; otherwise there is none.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Turns the error of a full disk into one that callers retry. Its code distinguishes it from
 * defects.
 */
export function asDiskFull(error: unknown): unknown {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  const message = 'the disk has no room for the file';
  return new DatabaseError('database_full', message, { cause: error });
}
