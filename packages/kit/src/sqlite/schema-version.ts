// Which schema a SQLite database has, asked without making or changing one.
import { existsSync } from 'node:fs';
import { SqliteConnection, asDatabaseError } from './connection.ts';

/**
 * @param service the name under which it keeps its versions
 * @returns number of its newest schema file; 0 when there is no database, or none of the service
 * @throws DatabaseError when the file cannot be read
 */
export async function sqliteSchemaVersion({
  file,
  service,
}: {
  readonly file: string;
  readonly service: string;
}): Promise<number> {
  if (!existsSync(file)) return 0;
  try {
    await using connection = new SqliteConnection(file, 'read');
    return schemaVersionIn(connection, service);
  } catch (error) {
    throw asDatabaseError(error, `opening ${file}`);
  }
}

export function schemaVersionIn(connection: SqliteConnection, service: string): number {
  const table = connection
    .statement("select 1 from sqlite_schema where type = 'table' and name = 'schema_versions'")
    .get();
  if (table === undefined) return 0;
  const row = connection
    .statement('select coalesce(max(version), 0) as version from schema_versions where service = ?')
    .get(service);
  return Number(row?.['version'] ?? 0);
}
