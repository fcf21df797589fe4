// Which schema a PostgreSQL database has, asked without making or changing one.
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import sql from 'sql-template-tag';
import { POSTGRES_NAMESPACE, SERVICE_NAME } from '../schema.ts';

/**
 * @returns number of its newest schema file; 0 when it has none of ours
 * @throws DatabaseError when the server cannot be reached, or is not fit
 */
export async function postgresSchemaVersion(url: string): Promise<number> {
  await using connection = await PostgresConnection.open(url, {
    connectionsMax: 1,
    settings: { search_path: POSTGRES_NAMESPACE },
  });
  const table = await connection.first<{ readonly name: string | null }>(
    sql`select cast(to_regclass('schema_versions') as text) as name`,
  );
  if (typeof table?.name !== 'string') return 0;
  const row = await connection.first<{ readonly version: number }>(sql`
    select coalesce(max(version), 0) as version
    from schema_versions
    where service = ${SERVICE_NAME}`);
  return row?.version ?? 0;
}
