// The name of the log and its keys: chosen when the log begins, stored, and not changed by later
// settings.
import { isKeyName } from '@lothub/chain/log';
import { DatabaseError, type DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import { insertRow } from '@lothub/kit/rows/stored-table';
import { namingHost, type NoteKey } from '@lothub/note-key';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { LOG_EPOCHS, type LogEpochRow } from '../tables/log.ts';
import { findCurrentEpoch, parseVkeys } from './epochs/epochs.ts';
import { makeLogKey } from './log-key.ts';
import { pickKeys, readOwnKeys, settleNextKey, type KeyPlaces } from './epochs/own-keys.ts';
import type { LogIdentity } from './signed-log.ts';

/** Settings of the log; plain values, because they cross a thread. */
export interface LogSettings extends KeyPlaces {
  /** `LOG_ORIGIN`. */
  readonly origin: string | undefined;
  /** `PUBLIC_URL`, as far as it was set. */
  readonly publicUrl: string | undefined;
  /** Others than this hub can say what was signed. */
  readonly hasWitnesses: boolean;
}

const FIRST_EPOCH = 1;
/** Hexadecimal digits of the chain's id in the name of a log without a configured name. */
const CHAIN_ID_DIGITS = 16;

export interface LogOwner {
  readonly identity: LogIdentity;
  /** The keys in the order of the vkeys: two while one replaces the other. */
  readonly keys: readonly NoteKey[];
}

/** The stored identity of a log: its name and its keys. */
export interface StoredIdentity {
  readonly epoch: number;
  readonly origin: string;
  /** One vkey on each line. */
  readonly vkeys: string;
}

/**
 * Begins the log, or opens the one that was begun.
 * @throws DatabaseError when this process does not have each of the keys of the log
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
  const stored = await findCurrentEpoch(database);
  if (stored !== undefined) return openOwner(stored, settings);
  const origin = chooseOrigin(settings, { chainId: options.chainId, epoch: FIRST_EPOCH });
  const key = readOwnKeys(settings)[0] ?? makeLogKey(settings.keyFile, origin);
  if (key.name !== origin) {
    throw new DatabaseError(
      'database_failed',
      `beginning the log ${origin}: the key is of another name (${key.name}); set LOG_ORIGIN to ` +
        'that name, or give the hub a key of its own',
    );
  }
  await options.write(sql`
    ${insertRow(LOG_EPOCHS, newEpochRow({ epoch: FIRST_EPOCH, origin, vkeys: key.vkey, begunAt: options.nowText, statement: null }))}
    on conflict do nothing`);
  // If several processes begin the log at the same time, the first one has stored its identity.
  const begun = present(await findCurrentEpoch(database), 'the epoch that was just stored');
  return openOwner(begun, settings);
}

/** The row of a log that begins. */
export function newEpochRow(begun: {
  readonly epoch: number;
  readonly origin: string;
  readonly vkeys: string;
  readonly begunAt: string;
  readonly statement: string | null;
}): LogEpochRow {
  const { epoch, origin, vkeys, begunAt, statement } = begun;
  return {
    epoch,
    origin,
    vkeys,
    begun_at: begunAt,
    retired_vkeys: null,
    statement,
    signed_size: null,
    signed_root: null,
    ended_at: null,
    last_note: null,
    common_size: null,
    common_note: null,
  };
}

/**
 * Returns the keys of a log that this process has, after they were changed beside it. While one key
 * replaces another, each of them alone may sign.
 * @returns undefined when it has none
 */
export function findOwner(stored: StoredIdentity, places: KeyPlaces): LogOwner | undefined {
  const { epoch, origin } = stored;
  const vkeys = parseVkeys(stored.vkeys);
  settleNextKey(places, vkeys);
  const keys = pickKeys(readOwnKeys(places), vkeys);
  return keys.length === 0 ? undefined : { identity: { epoch, origin, vkeys }, keys };
}

/** @throws DatabaseError when a key is not here */
function openOwner(stored: StoredIdentity, settings: LogSettings): LogOwner {
  const owner = findOwner(stored, settings);
  const { origin } = stored;
  const missing = parseVkeys(stored.vkeys).filter(
    (vkey) => owner?.keys.some((key) => key.vkey === vkey) !== true,
  );
  if (owner !== undefined && missing.length === 0) return owner;
  const own = readOwnKeys(settings).map(({ vkey }) => vkey);
  const found = own.length === 0 ? 'this process has none' : `this process has ${own.join(', ')}`;
  throw new DatabaseError(
    'database_failed',
    `opening the log ${origin}: it is signed by the key ${missing.join(', ')}, and ${found}; put that ` +
      'key in place (LOG_KEY_FILE or LOG_KEY, the same for every process; the next one beside it as ' +
      '.next), or set LOG=off',
  );
}

/** Returns the default name of a log. */
export function chooseOrigin(
  { origin, publicUrl }: LogSettings,
  { chainId, epoch }: { readonly chainId: string; readonly epoch: number },
): string {
  if (origin !== undefined) return origin;
  const host = namingHost(publicUrl);
  const named = `${host}/log/${epoch}`;
  return host !== undefined && isKeyName(named)
    ? named
    : `lothub-${chainId.slice(0, CHAIN_ID_DIGITS)}/log/${epoch}`;
}
