// Connections of the store on PostgreSQL: all names are looked for in the service's own namespace.
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { POSTGRES_NAMESPACE } from '../schema.ts';

/** Every query goes through an index whatever its values are: each is planned once for a connection. */
const READ_SETTINGS = {
  search_path: POSTGRES_NAMESPACE,
  plan_cache_mode: 'force_generic_plan',
};

/**
 * Every statement of a group finds its rows by their keys. Planned while tables are small or have no
 * figures yet, it would read the whole of them, and the plan is kept.
 */
const WRITE_SETTINGS = {
  ...READ_SETTINGS,
  join_collapse_limit: '1',
  from_collapse_limit: '1',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_seqscan: 'off',
};

/** How long a paused process may hold the lock of the feed's head before the server ends its transaction. */
const HEAD_TIMEOUT_MS = 5_000;

/** For reads and small writes. @throws DatabaseError as `PostgresConnection.open` */
export async function openConnections(url: string): Promise<PostgresConnection> {
  return await PostgresConnection.open(url, { pipeline: true, settings: READ_SETTINGS });
}

/** For groups of posts, one after the other. @throws DatabaseError as `PostgresConnection.open` */
export async function openWriteConnection(url: string): Promise<PostgresConnection> {
  return await PostgresConnection.open(url, {
    connectionsMax: 1,
    pipeline: true,
    idleInTransactionTimeoutMs: HEAD_TIMEOUT_MS,
    settings: WRITE_SETTINGS,
  });
}
