// The rows of the tree in the database of a hub: taken away, as they are missing in a hub of before the log,
// and measured.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';

export interface TreeRows extends AsyncDisposable {
  readonly database: DatabaseReader;
  /** While no service has the hub open. */
  drop(): Promise<void>;
  /** On disk, with what the pages of the tiles leave empty. */
  bytes(): Promise<number>;
}

/** What both engines forget alike. */
export async function dropTree(database: DatabaseReader): Promise<void> {
  await database.all(sql`delete from log_tiles`);
  await database.all(sql`update head set frontier = null`);
}

/** @param ofTiles asks for `bytes` of the tiles */
export async function bytesOfTree(
  database: DatabaseReader,
  ofTiles: Parameters<DatabaseReader['first']>[0],
): Promise<number> {
  const ofFrontier = sql`select octet_length(frontier) as bytes from head`;
  let sum = 0;
  for (const question of [ofTiles, ofFrontier]) {
    const row = await database.first<{ readonly bytes: number }>(question);
    if (row === undefined) throw new Error('the database does not say how large the tree is');
    sum += Number(row.bytes);
  }
  return sum;
}
