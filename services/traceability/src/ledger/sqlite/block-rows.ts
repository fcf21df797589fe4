// The last block as SQLite stores it.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { readRecordedAt } from '../append/recorded-at.ts';
import { storedFrontier } from '../log/stored-frontier.ts';
import type { Head } from '../append/group-rows.ts';
import type { Tip } from '../draft.ts';

// Each text is made once, so that the look-up of its prepared statement costs almost nothing.
const FIND_TIP = 'select height, hash from blocks order by height desc limit 1';
const FIND_LAST_BLOCK = 'select height, hash, canonical from blocks order by height desc limit 1';
const FIND_FRONTIER = 'select frontier from head where hash = ? and height = ?';

/** Height and hash of the last block as stored. */
export function readTip(connection: SqliteConnection): Tip {
  const block = connection.statement(FIND_TIP).get();
  return { height: Number(block?.['height']), hash: String(block?.['hash']) };
}

/** The last block as stored, with the time it carries. */
export function readHead(connection: SqliteConnection): Head {
  const block = connection.statement(FIND_LAST_BLOCK).get();
  const height = Number(block?.['height']);
  const hash = String(block?.['hash']);
  // A head row of another block has no frontier of this block's tree.
  const stored = connection.statement(FIND_FRONTIER).get(hash, height)?.['frontier'];
  return {
    height,
    hash,
    recordedAt: readRecordedAt(String(block?.['canonical'])),
    frontier: storedFrontier(height, stored),
  };
}
