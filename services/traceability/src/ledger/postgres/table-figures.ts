// Has the server count its tables anew while a hub is young. The server keeps the plan of a statement;
// one that was made while a table held ten rows reads all of it when there are ten thousand. Its own
// housekeeping comes once a minute at best, and a new hub can grow faster.
import type { PostgresConnection } from '@lothub/kit/postgres/connection';
import sql from 'sql-template-tag';

/** From the first height on the figures are made anew each time the chain has doubled. */
const FIRST_HEIGHT = 64;
/** From here on the server's own housekeeping is often enough. */
const LAST_HEIGHT = 2 ** 20;

/** Whether the chain has doubled, counted from a height that all processes count from. */
export function isDueAt(before: number, after: number): boolean {
  if (after < FIRST_HEIGHT || before >= LAST_HEIGHT) return false;
  return Math.floor(Math.log2(Math.max(before, 1))) < Math.floor(Math.log2(after));
}

/** Reads a sample of each table; nobody waits for it, and every process plans anew afterwards. */
export async function countTables(connection: PostgresConnection): Promise<void> {
  await connection.all(sql`
    analyze blocks, tenants, events, lines, lots, lot_quantities, lot_texts, provenances,
      corrections, import_keys`);
}
