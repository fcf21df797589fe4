// A hub moved from SQLite to PostgreSQL as an operator moves it, so that both engines answer from the
// same ledger.
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { copyToPostgres } from '@lothub/traceability/ledger/operate/copy-to-postgres';
import { migrateLedger } from '@lothub/traceability/ledger/postgres/migrate-ledger';
import sql from 'sql-template-tag';
import { openHub } from './hub.ts';

/** The copy of a million events takes minutes; the usual limit is that of one request. */
const STATEMENT_TIMEOUT_MS = 3_600_000;

/** @param databaseUrl of an empty database */
export async function copyHub(options: {
  readonly dataDir: string;
  readonly databaseUrl: string;
}): Promise<void> {
  await using from = openHub(options.dataDir);
  await using to = await PostgresConnection.open(options.databaseUrl, {
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  await migrateLedger(to);
  await copyToPostgres({ from, to });
  // What autovacuum does within minutes: the figures for plans, and which pages are seen by all.
  await to.all(sql`vacuum (analyze)`);
}
