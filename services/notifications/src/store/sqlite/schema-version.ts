// Which schema a SQLite database has, asked without making or changing one.
import { existsSync } from 'node:fs';
import { SqliteConnection, asDatabaseError } from '@lothub/kit/sqlite/connection';
import { SERVICE_NAME } from '../schema.ts';
import { databaseFile } from './store.ts';

/**
 * @returns number of its newest schema file; 0 when there is no database, or none of ours
 * @throws DatabaseError when the file cannot be read
 */
export async function sqliteSchemaVersion(dataDir: string): Promise<number> {
  const file = databaseFile(dataDir);
  if (!existsSync(file)) return 0;
  try {
    await using connection = new SqliteConnection(file, 'read');
    return schemaVersionIn(connection);
  } catch (error) {
    throw asDatabaseError(error, `opening ${file}`);
  }
}

export function schemaVersionIn(connection: SqliteConnection): number {
  const table = connection
    .statement("select 1 from sqlite_schema where type = 'table' and name = 'schema_versions'")
    .get();
  if (table === undefined) return 0;
  const row = connection
    .statement('select coalesce(max(version), 0) as version from schema_versions where service = ?')
    .get(SERVICE_NAME);
  return Number(row?.['version'] ?? 0);
}
