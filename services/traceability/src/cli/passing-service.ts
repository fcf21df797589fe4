// Runs a service over the hub of the settings during one command, with a tenant key for it.
import { systemClock } from '@lothub/kit/clock';
import { issueKey, revokeKey, type IssuedKey } from '../keys/key-store.ts';
import type { LedgerPlace } from '../ledger/operated-database.ts';
import type { Service } from '../server.ts';
import { readSettings } from '../settings.ts';
import { CommandError } from '@lothub/kit/cli/command-error';
import { lockHub } from './hub-lock.ts';
import { explained, findHub, openHub } from './operated-hub.ts';
import type { Output } from '@lothub/kit/cli/terminal';

export interface PassingService {
  readonly service: Service;
  /** Serves any tenant. */
  readonly key: string;
  /** The address of the hub once it is served. */
  readonly publicUrl: string;
}

/**
 * Opens the service, without listening, and always closes it.
 * @throws CommandError `hub_in_use` when a service runs over DATA_DIR; SettingsError
 */
export async function withPassingService<Result>(
  output: Output,
  work: (passing: PassingService) => Promise<Result>,
): Promise<Result> {
  const settings = readSettings(output.terminal.environment);
  using _lock = lockHub(settings);
  const failed = Promise.withResolvers<never>();
  // Reported to the waiting code below; a failure before that shows in what fails then.
  failed.promise.catch(() => undefined);
  // Makes a key for this command alone, unless the settings have one.
  const ownKey = settings.tenantApiKey === undefined ? await issueOwnKey(settings) : undefined;
  try {
    // Imported here and not at the top: commands that need no service start in half the time
    // without it.
    const { openService } = await import('../server.ts');
    await using service = await openService({
      settings: { ...settings, logLevel: 'warn' },
      logStream: { write: (line) => void output.terminal.stderr.write(line) },
      onFatal: failed.reject,
    }).catch((error: unknown) => {
      throw explained(error, settings);
    });
    const firstKey = service.firstKeys.find(({ record }) => record.role === 'tenant');
    const key = settings.tenantApiKey ?? firstKey?.key ?? ownKey?.key;
    if (key === undefined) {
      throw new CommandError(
        'usage_wrong',
        'opening the hub: set TENANT_API_KEY to its tenant key',
      );
    }
    const passing = { service, key, publicUrl: settings.publicUrl };
    return await Promise.race([work(passing), failed.promise]);
  } finally {
    if (ownKey !== undefined) await revokeOwnKey(settings, ownKey);
  }
}

/** Undefined when there is no hub yet: the first start makes keys of its own. */
async function issueOwnKey(place: LedgerPlace): Promise<IssuedKey | undefined> {
  await using hub = await findHub(place);
  if (hub === undefined) return undefined;
  return await issueKey(hub, {
    role: 'tenant',
    label: 'lothub demo',
    tenantId: null,
    nowMs: systemClock.nowMs(),
  });
}

async function revokeOwnKey(place: LedgerPlace, { record }: IssuedKey): Promise<void> {
  await using hub = await openHub(place);
  await revokeKey(hub, {
    keyId: record.key_id,
    nowMs: systemClock.nowMs(),
  });
}
