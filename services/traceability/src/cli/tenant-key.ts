// The tenant key a command uses against a hub: from the settings or a file, never an argument, which
// other users of the machine could read in the list of processes.
import { readSettings } from '../settings.ts';
import { CommandError } from '@lothub/kit/cli/command-error';
import { readKeyFile } from '@lothub/kit/cli/key-file';
import type { Output } from '@lothub/kit/cli/terminal';

/** @throws CommandError `usage_wrong`, `file_unreadable`; SettingsError */
export async function getTenantKey(output: Output, keyFile: string | undefined): Promise<string> {
  if (keyFile !== undefined) return await readKeyFile(keyFile);
  const { tenantApiKey } = readSettings(output.terminal.environment);
  if (tenantApiKey !== undefined) return tenantApiKey;
  throw new CommandError(
    'usage_wrong',
    'asking the hub: there is no key; set TENANT_API_KEY, or give a file that holds the key ' +
      'with --key-file',
  );
}
