// Has the server count its tables anew while a hub is young. The server keeps the plan of a statement;
// one that was made while a table held ten rows reads all of it when there are ten thousand. Its own
// housekeeping comes once a minute at best, and a new hub can grow faster.
import type { PostgresConnection } from '@lothub/kit/postgres/connection';
import sql from 'sql-template-tag';

/** From so many lines on the figures are made anew each time their number has doubled. */
const FIRST_LINES = 64;
/** From here on the server's own housekeeping is often enough. */
const LAST_LINES = 2 ** 21;

/** Whether the lines on the chain have doubled, counted from a number that all processes count from. */
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

/** Reads a sample of each table; nobody waits for it, and every process plans anew afterwards. */
export async function countTables(connection: PostgresConnection): Promise<void> {
  await connection.all(sql`
    analyze blocks, tenants, events, lines, lots, lot_quantities, lot_texts, provenances,
      corrections, import_keys`);
}
