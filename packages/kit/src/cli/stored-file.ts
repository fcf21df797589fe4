// Files that commands write: made under another name and put in place once they are whole and on
// disk, so that a crash leaves either the old file or none, never half of one.
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CommandError, formatReason } from './command-error.ts';

/** What commands write may hold hashes of keys and names of people: for its owner alone. */
const FILE_MODE = 0o600;

export interface NewFileOptions {
  readonly file: string;
  /** `refuse`: a file of that name is left alone. `replace`: it is replaced at the end. */
  readonly existing: 'refuse' | 'replace';
  /** Said of what is attempted in messages, such as `backing up`. */
  readonly attempt: string;
}

/**
 * Lets `fill` write a new file under a passing name, then puts it in place. When `fill` throws,
 * nothing is left behind.
 *
 * @throws CommandError `file_exists`, `file_unwritable`; whatever `fill` throws
 */
export async function storeFile<Result>(
  options: NewFileOptions,
  fill: (passingName: string) => Promise<Result>,
): Promise<Result> {
  const file = resolve(options.file);
  assertFree(options, file);
  const passingName = `${file}.${process.pid}.partial`;
  await attempt(options, async () => {
    const handle = await open(passingName, 'w', FILE_MODE);
    await handle.close();
  });
  try {
    const result = await fill(passingName);
    await attempt(options, async () => {
      await flush(passingName);
      assertFree(options, file);
      await rename(passingName, file);
      // The name itself is on disk only once the directory is.
      await flushDirectory(dirname(file));
    });
    return result;
  } finally {
    await rm(passingName, { force: true });
  }
}

/** @throws CommandError `file_exists` */
export function assertFree({ existing, attempt: attempted }: NewFileOptions, file: string): void {
  if (existing === 'replace' || !existsSync(file)) return;
  throw new CommandError(
    'file_exists',
    `${attempted} to ${file}: there is such a file; give another name, or --force to replace it`,
  );
}

async function attempt(options: NewFileOptions, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      'file_unwritable',
      `${options.attempt} to ${options.file}: ${formatReason(error)}; ` +
        'is there such a directory, with room, that this user may write to?',
      { cause: error },
    );
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Windows has no way to flush a directory, and flushes the name with the file. */
async function flushDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
