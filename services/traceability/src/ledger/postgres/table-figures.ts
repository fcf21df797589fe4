// Makes the server update its table statistics while a hub is young. The server keeps the plan of a
// statement; a plan that was made while a table held ten rows reads all of it when there are ten
// thousand. The server's own updates come once a minute at best, and a new hub can grow faster.
import type { PostgresConnection } from '@lothub/kit/postgres/connection';
import sql from 'sql-template-tag';

/** From this number of lines on, the statistics are updated each time the number has doubled. */
const FIRST_LINES = 64;
/** From this number of lines on, the server's own updates are often enough. */
const LAST_LINES = 2 ** 21;

/**
 * Returns whether the lines on the chain have doubled, counted from a number that is the same for
 * all processes.
 */
export function isDueAt({
  before,
  after,
}: {
  readonly before: number;
  readonly after: number;
}): boolean {
  if (after < FIRST_LINES || before >= LAST_LINES) return false;
  return Math.floor(Math.log2(Math.max(before, 1))) < Math.floor(Math.log2(after));
}

/**
 * Reads a sample of each table. No caller waits for it, and every process makes new plans
 * afterwards.
 */
export async function countTables(connection: PostgresConnection): Promise<void> {
  await connection.all(sql`
    analyze blocks, tenants, events, lines, lots, lot_quantities, lot_texts, provenances,
      corrections, import_keys`);
}
