// The connection that groups of events are written on: one after the other, each pipelined.
import { PostgresConnection } from '@lothub/kit/postgres/connection';

/**
 * Every statement of a group finds its rows by their keys, in the order of tables in which it is
 * written. A plan made while tables are small or have no statistics would begin with another table
 * and read whole tables, and the server keeps the plan.
 */
const SETTINGS = {
  join_collapse_limit: '1',
  from_collapse_limit: '1',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_seqscan: 'off',
  plan_cache_mode: 'force_generic_plan',
};

/** @throws DatabaseError when the server cannot be reached, or is not fit to hold a ledger */
export async function openWriteConnection(
  url: string,
  options: { readonly idleInTransactionTimeoutMs?: number } = {},
): Promise<PostgresConnection> {
  return await PostgresConnection.open(url, {
    ...options,
    connectionsMax: 1,
    pipeline: true,
    settings: SETTINGS,
  });
}
