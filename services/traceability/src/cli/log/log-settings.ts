// Checks the conditions of the commands that change the log: there is a log, and no service serves
// it.
import { CommandError } from '@lothub/kit/cli/command-error';
import sql from 'sql-template-tag';
import type { LogSettings } from '../../ledger/log/log-identity.ts';
import { LogRefused } from '../../ledger/operate/log-refused.ts';
import type { OperatedDatabase } from '../../ledger/operated-database.ts';
import type { Settings } from '../../settings.ts';

/** @throws LogRefused `log_off` */
export function getLogSettings({ log }: Settings): LogSettings {
  if (log !== undefined) return log;
  throw new LogRefused('log_off', 'changing the log: it is off; take LOG=off away');
}

/**
 * Several processes may serve a hub on PostgreSQL, and each of them that does renews a lease. A SQLite hub
 * is locked as a whole (`lockHub`).
 * @throws CommandError `hub_in_use`
 */
export async function assertNotServed({
  reader,
  witnesses,
  place,
}: OperatedDatabase): Promise<void> {
  if (witnesses === 'one') return;
  const lease = await reader.first<{ readonly holder: string }>(sql`
    select holder
    from leases
    where expires_at > now()
    limit 1`);
  if (lease === undefined) return;
  throw new CommandError(
    'hub_in_use',
    `ending the log in ${place}: a service is running on that database, or has ended within the last ` +
      'seconds without a word; stop every process of the hub and try again',
  );
}
