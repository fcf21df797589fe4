// What the log is called and who signs for it: decided when the log begins, stored, and the same ever
// after, whatever the settings say later.
import { isKeyName } from '@lothub/chain/log';
import { DatabaseError } from '@lothub/kit/database';
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import { insertRow, selectList } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { LOG_EPOCHS } from '../tables/log.ts';
import type { LogEpochRow } from '../tables/log.ts';
import { makeLogKey, parseLogKey, readLogKey } from './log-key.ts';
import type { LogKey } from './log-key.ts';
import type { LogIdentity } from './signed-log.ts';

/** Settings of the log; plain values, because they cross a thread. */
export interface LogSettings {
  /** `LOG_ORIGIN`. */
  readonly origin: string | undefined;
  /** `LOG_KEY`: the line of a key. */
  readonly key: string | undefined;
  /** `LOG_KEY_FILE`. */
  readonly keyFile: string;
  /** `PUBLIC_URL`, as far as it was set. */
  readonly publicUrl: string | undefined;
}

const FIRST_EPOCH = 1;
/** Names that every machine has for itself: none of a log. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
/** Hexadecimal digits of the chain's id in the name of a log that nobody has named. */
const CHAIN_ID_DIGITS = 16;

export interface LogOwner {
  readonly identity: LogIdentity;
  readonly key: LogKey;
}

/**
 * Begins the log, or opens the one that was begun.
 * @throws DatabaseError when this process has no key, or another one than the log
 */
export async function openIdentity(options: {
  readonly settings: LogSettings;
  /** `block_hash` of block 0. */
  readonly chainId: string;
  readonly database: Pick<DatabaseReader, 'first'>;
  readonly write: (statement: Sql) => Promise<unknown>;
  readonly nowText: string;
}): Promise<LogOwner> {
  const { settings, database } = options;
  const stored = await findEpoch(database);
  if (stored !== undefined) return ownerOf(stored, ownKey(settings));
  const origin = originOf(settings, options.chainId);
  const key = ownKey(settings) ?? makeLogKey(settings.keyFile, origin);
  if (key.name !== origin) {
    throw new DatabaseError(
      'database_failed',
      `beginning the log ${origin}: the key is of another name (${key.name}); set LOG_ORIGIN to ` +
        'that name, or give the hub a key of its own',
    );
  }
  const row = { epoch: FIRST_EPOCH, origin, vkeys: key.vkey, begun_at: options.nowText };
  await options.write(sql`${insertRow(LOG_EPOCHS, row)} on conflict do nothing`);
  // Of several processes that begin at the same time one was first.
  return ownerOf(present(await findEpoch(database), 'the epoch that was just stored'), key);
}

function findEpoch(
  database: Pick<DatabaseReader, 'first'>,
): Promise<Pick<LogEpochRow, 'origin' | 'vkeys'> | undefined> {
  return database.first(sql`
    select ${selectList(LOG_EPOCHS)}
    from log_epochs
    where epoch = ${FIRST_EPOCH}`);
}

function ownKey({ key, keyFile }: LogSettings): LogKey | undefined {
  return key === undefined ? readLogKey(keyFile) : parseLogKey(key, 'LOG_KEY');
}

function ownerOf(
  { origin, vkeys }: Pick<LogEpochRow, 'origin' | 'vkeys'>,
  key: LogKey | undefined,
): LogOwner {
  const known = vkeys.split('\n');
  if (key === undefined || !known.includes(key.vkey)) {
    const found = key === undefined ? 'this process has none' : `this process has ${key.vkey}`;
    throw new DatabaseError(
      'database_failed',
      `opening the log ${origin}: it is signed by the key ${known[0]}, and ${found}; put that key ` +
        'in place (LOG_KEY_FILE or LOG_KEY, the same for every process), or set LOG=off',
    );
  }
  return { identity: { epoch: FIRST_EPOCH, origin, vkeys: known }, key };
}

function originOf({ origin, publicUrl }: LogSettings, chainId: string): string {
  if (origin !== undefined) return origin;
  const address = publicUrl === undefined ? undefined : new URL(publicUrl);
  const named = `${address?.host}/log/${FIRST_EPOCH}`;
  return address !== undefined && !LOOPBACK.test(address.hostname) && isKeyName(named)
    ? named
    : `lothub-${chainId.slice(0, CHAIN_ID_DIGITS)}/log/${FIRST_EPOCH}`;
}
