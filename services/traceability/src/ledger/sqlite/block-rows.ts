// The rows of blocks and alarms in SQLite: inserts a sealed block, reads the last one, records a
// mismatch.
import type { SealedBlock } from '@lothub/chain';
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { Alarm, Head } from '../append/group-rows.ts';
import type { Tip } from '../draft.ts';
import { recordedAtOf } from '../append/recorded-at.ts';

// One text for each statement: made once, so that finding the prepared one costs next to nothing.
const INSERT_BLOCK =
  'insert into blocks (height, prev_height, prev_hash, hash, canonical) values (?, ?, ?, ?, ?)';
const FIND_TIP = 'select height, hash from blocks order by height desc limit 1';
const FIND_LAST_BLOCK = 'select height, hash, canonical from blocks order by height desc limit 1';
const INSERT_ALARM =
  'insert into chain_alarms (height, code, message, found_at) ' +
  'select ?, ?, ?, ? where not exists (' +
  'select 1 from chain_alarms where height = ? and code = ? and cleared_at is null)';

export function insertBlock(connection: SqliteConnection, block: SealedBlock): void {
  connection
    .statement(INSERT_BLOCK)
    .run(
      block.height,
      block.height === 0 ? null : block.height - 1,
      block.prevHash,
      block.blockHash,
      block.canonical,
    );
}

/** Height and hash of the last block as stored. */
export function readTip(connection: SqliteConnection): Tip {
  const block = connection.statement(FIND_TIP).get();
  return { height: Number(block?.['height']), hash: String(block?.['hash']) };
}

/** The last block as stored, with the time it carries. */
export function readHead(connection: SqliteConnection): Head {
  const block = connection.statement(FIND_LAST_BLOCK).get();
  return {
    height: Number(block?.['height']),
    hash: String(block?.['hash']),
    recordedAt: recordedAtOf(String(block?.['canonical'])),
  };
}

/** Records a mismatch once; an open alarm of the same height and code is not repeated. */
export function raiseAlarm(connection: SqliteConnection, alarm: Alarm): void {
  connection
    .statement(INSERT_ALARM)
    .run(alarm.height, alarm.code, alarm.message, alarm.foundAt, alarm.height, alarm.code);
}
