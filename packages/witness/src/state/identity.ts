/**
 * The key of a witness and the state that belongs to it: neither is used without the other, because a key
 * whose state is gone would cosign a second history.
 */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { WITNESS_KEY_TYPE } from '@lothub/chain/log';
import { readMigrations } from '@lothub/kit/migrations';
import { SqliteConnection, migrateSqlite } from '@lothub/kit/sqlite/connection';
import { makeNoteKey, readNoteKey, type NoteKey } from '@lothub/note-key';
import sql from 'sql-template-tag';
import { WitnessError } from '../witness-error.ts';
import { SERVICE_NAME, schemaFolder, stateFile } from './database.ts';

const KEY_FILE_NAME = 'witness.key';

export interface IdentityOptions {
  readonly dataDir: string;
  /** Of the key, when one is made. */
  readonly name: string;
  /** Whether a lost key or state is to be replaced by a new key. */
  readonly mayRenew: boolean;
}

/**
 * The key; made with its state when neither is there. Holds nothing open.
 *
 * A crash between the key and the row that names it leaves a key without state, which the next start
 * refuses: nobody can distinguish it from a state that was lost.
 *
 * @throws WitnessError when one of both is lost, or they are not each other's
 * @throws NoteKeyError when the key cannot be read or made
 */
export async function openIdentity(options: IdentityOptions): Promise<NoteKey> {
  const { dataDir, name, mayRenew } = options;
  const keyFile = join(dataDir, KEY_FILE_NAME);
  const key = readNoteKey(keyFile, WITNESS_KEY_TYPE);
  const known = await findVkey(stateFile(dataDir));
  const fault = findFault({ key, known, dataDir });
  if (fault === undefined && mayRenew && key !== undefined) throw needless(keyFile);
  if (fault === undefined && key !== undefined) return key;
  if (fault !== undefined && !mayRenew) throw fault;
  // Out of the way before there is a state that it could be taken for the key of. It is never deleted.
  if (key !== undefined) renameSync(keyFile, `${keyFile}.${key.keyId}`);
  const made = makeNoteKey(keyFile, { name, type: WITNESS_KEY_TYPE });
  await storeVkey(stateFile(dataDir), made.vkey);
  return made;
}

/** The key that the state belongs to; undefined when there is no state. */
async function findVkey(file: string): Promise<string | undefined> {
  if (!existsSync(file)) return undefined;
  await using connection = new SqliteConnection(file, 'write');
  const table = connection.firstNow(sql`
    select name
    from sqlite_schema
    where name = 'witness_identity'`);
  if (table === undefined) return undefined;
  return connection.firstNow<{ vkey: string }>(sql`
    select vkey
    from witness_identity`)?.vkey;
}

/** What was cosigned under an earlier key stays: the new one does not contradict it either. */
async function storeVkey(file: string, vkey: string): Promise<void> {
  await using connection = new SqliteConnection(file, 'write');
  migrateSqlite(connection, readMigrations(schemaFolder), SERVICE_NAME);
  connection.transaction(() => {
    connection.runNow(sql`
      insert into witness_identity (id, vkey)
      values (1, ${vkey})
      on conflict (id) do update set vkey = excluded.vkey`);
  });
}

function findFault(found: {
  readonly key: NoteKey | undefined;
  readonly known: string | undefined;
  readonly dataDir: string;
}): WitnessError | undefined {
  const { key, known, dataDir } = found;
  if (key === undefined && known === undefined) return undefined;
  if (known === undefined) {
    return new WitnessError(
      'state_lost',
      `starting the witness in ${dataDir}: it has a key and no state (witness.db), so nobody knows what ` +
        'was cosigned under this key; put the newest witness.db back if it only lies elsewhere, never a ' +
        'copy from before; else make a new key with `lothub witness --new` and give it to everybody',
    );
  }
  if (key === undefined) {
    return new WitnessError(
      'key_lost',
      `starting the witness in ${dataDir}: its key (witness.key) is gone; put ${known} back from your ` +
        'backup of secrets, or make a new key with `lothub witness --new` and give it to everybody',
    );
  }
  if (key.vkey === known) return undefined;
  return new WitnessError(
    'key_differs',
    `starting the witness in ${dataDir}: its state belongs to the key ${known}, and witness.key is ` +
      `${key.vkey}; put the right one back, or make a new key with \`lothub witness --new\``,
  );
}

function needless(keyFile: string): WitnessError {
  return new WitnessError(
    'key_sound',
    `making a new key for the witness: ${keyFile} and its state are both there and belong together; ` +
      'start it without --new',
  );
}
