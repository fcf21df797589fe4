// Connections of people on PostgreSQL: all names are looked for in their own namespace.
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { POSTGRES_NAMESPACE } from '../schema.ts';

/** Of one process: log-ins are bounded by their passwords, and each page reads one session. */
const CONNECTIONS_MAX = 4;
/** Every query goes through an index whatever its values are: each is planned once for a connection. */
const SETTINGS = { search_path: POSTGRES_NAMESPACE, plan_cache_mode: 'force_generic_plan' };

/** @throws DatabaseError as `PostgresConnection.open` */
export async function openConnections(url: string): Promise<PostgresConnection> {
  return await PostgresConnection.open(url, {
    connectionsMax: CONNECTIONS_MAX,
    pipeline: true,
    settings: SETTINGS,
  });
}
