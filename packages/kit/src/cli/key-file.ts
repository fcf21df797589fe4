// A key that a command sends: out of a file, never an argument, which other users of the machine could read in
// the list of processes.
import { readFile } from 'node:fs/promises';
import { CommandError, formatReason } from './command-error.ts';

/** What a header can hold, and no key is longer. */
const KEY_FORM = /^[\x21-\x7e]{1,512}$/;

/** @throws CommandError `usage_wrong`, `file_unreadable` */
export async function readKeyFile(file: string): Promise<string> {
  let key: string;
  try {
    key = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new CommandError(
      'file_unreadable',
      `reading the key in ${file}: ${formatReason(error)}`,
      {
        cause: error,
      },
    );
  }
  if (KEY_FORM.test(key)) return key;
  throw new CommandError(
    'usage_wrong',
    `reading the key in ${file}: it should hold the key, alone on one line`,
  );
}
