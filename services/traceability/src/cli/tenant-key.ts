// The tenant key a command uses against a hub: from the settings or a file, never an argument, which
// other users of the machine could read in the list of processes.
import { readFile } from 'node:fs/promises';
import { readSettings } from '../settings.ts';
import { CommandError, reasonOf } from '@lothub/kit/cli/command-error';
import type { Output } from '@lothub/kit/cli/terminal';

/** What a header can hold, and no key is longer. */
const KEY_FORM = /^[\x21-\x7e]{1,512}$/;

/** @throws CommandError `usage_wrong`, `file_unreadable`; SettingsError */
export async function getTenantKey(output: Output, keyFile: string | undefined): Promise<string> {
  if (keyFile !== undefined) return await keyIn(keyFile);
  const { tenantApiKey } = readSettings(output.terminal.environment);
  if (tenantApiKey !== undefined) return tenantApiKey;
  throw new CommandError(
    'usage_wrong',
    'asking the hub: there is no key; set TENANT_API_KEY, or give a file that holds the key ' +
      'with --key-file',
  );
}

async function keyIn(file: string): Promise<string> {
  let key: string;
  try {
    key = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new CommandError('file_unreadable', `reading the key in ${file}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
  if (KEY_FORM.test(key)) return key;
  throw new CommandError(
    'usage_wrong',
    `reading the key in ${file}: it should hold the key, alone on one line`,
  );
}
