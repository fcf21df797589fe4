// Replaces the key of the log under the same name: for a time both keys sign, then only the new
// one.
import type { NoteKey } from '@lothub/note-key';
import sql from 'sql-template-tag';
import { listAllVkeys, parseVkeys } from '../log/epochs/epochs.ts';
import type { LogSettings } from '../log/log-identity.ts';
import { makeNextKey, pickKeys, readOwnKeys, settleNextKey } from '../log/epochs/own-keys.ts';
import type { OperatedDatabase } from '../operated-database.ts';
import type { LogEpochRow } from '../tables/log.ts';
import { getCurrentEpoch } from './begin-epoch.ts';
import { LogRefused } from './log-refused.ts';

export interface Rotation {
  readonly epoch: number;
  readonly origin: string;
  /** The keys that sign from now on, the current one first. */
  readonly vkeys: readonly string[];
}

interface RotationOptions {
  readonly database: OperatedDatabase;
  readonly log: LogSettings;
}

/**
 * Makes the new key beside the old one, and makes both sign. An interrupted run may have left a key
 * that signs nothing; the next run uses it.
 * @throws LogRefused, DatabaseError
 */
export async function beginRotation({ database, log }: RotationOptions): Promise<Rotation> {
  const current = await getCurrentEpoch(database.reader);
  const [oldVkey, ...others] = parseVkeys(current.vkeys);
  if (others.length > 0) {
    throw new LogRefused(
      'rotation_open',
      `replacing the key of ${current.origin}: that has begun; end it by \`lothub log rotate-key --finish\``,
    );
  }
  if (oldVkey === undefined) throw new Error(`the log ${current.origin} is stored without a key`);
  getOwnKey(current, { log, vkey: oldVkey });
  const key = makeNextKey(log.keyFile, { name: current.origin, known: listAllVkeys(current) });
  const vkeys = [key.vkey, oldVkey];
  await storeKeys(database, { current, vkeys, retired: parseVkeys(current.retired_vkeys) });
  return { epoch: current.epoch, origin: current.origin, vkeys };
}

/**
 * Makes the new key the only one. It replaces the old one, whose public half stays in the database.
 * @throws LogRefused, DatabaseError
 */
export async function finishRotation({ database, log }: RotationOptions): Promise<Rotation> {
  const current = await getCurrentEpoch(database.reader);
  const { epoch, origin } = current;
  const [newVkey, ...oldVkeys] = parseVkeys(current.vkeys);
  if (newVkey === undefined) throw new Error(`the log ${origin} is stored without a key`);
  const vkeys = [newVkey];
  if (oldVkeys.length === 0) {
    // A run that was cut short has changed the database already.
    if (settleNextKey(log, vkeys)) return { epoch, origin, vkeys };
    throw new LogRefused(
      'rotation_not_open',
      `ending the replacement of a key of ${origin}: none is being replaced; begin by \`lothub log rotate-key\``,
    );
  }
  getOwnKey(current, { log, vkey: newVkey });
  const retired = [...parseVkeys(current.retired_vkeys), ...oldVkeys];
  await storeKeys(database, { current, vkeys, retired });
  settleNextKey(log, vkeys);
  return { epoch, origin, vkeys };
}

/** @throws LogRefused `log_key_missing` */
function getOwnKey(
  { origin }: LogEpochRow,
  by: { readonly log: LogSettings; readonly vkey: string },
): NoteKey {
  const [key] = pickKeys(readOwnKeys(by.log), [by.vkey]);
  if (key !== undefined) return key;
  throw new LogRefused(
    'log_key_missing',
    `replacing the key of ${origin}: the key ${by.vkey} is not here; run the command where it is, or put ` +
      'it in place (LOG_KEY_FILE or LOG_KEY, the next one beside it as .next)',
  );
}

/** @throws LogRefused `hub_changed` */
async function storeKeys(
  database: OperatedDatabase,
  change: {
    readonly current: LogEpochRow;
    readonly vkeys: readonly string[];
    readonly retired: readonly string[];
  },
): Promise<void> {
  const { current, vkeys, retired } = change;
  const [changed] = await database.write([
    sql`
      update log_epochs
      set
        vkeys = ${vkeys.join('\n')},
        retired_vkeys = ${retired.length === 0 ? null : retired.join('\n')}
      where epoch = ${current.epoch} and vkeys = ${current.vkeys} and ended_at is null
      returning epoch`,
  ]);
  if (changed?.length === 1) return;
  throw new LogRefused(
    'hub_changed',
    `replacing the key of ${current.origin}: somebody else has changed its keys; run the command again`,
  );
}
