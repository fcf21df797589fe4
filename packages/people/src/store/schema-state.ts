// Whether there are people to be operated, and whether they are of this program.
import { readSchemaState, type SchemaPlace, type SchemaState } from '@lothub/kit/cli/schema-state';
import {
  POSTGRES_NAMESPACE as namespace,
  SCHEMA_NAME as service,
  postgresSchemaFolder,
  sqliteSchemaFolder,
} from './schema.ts';
import { databaseFile } from './sqlite/file.ts';

/** @throws DatabaseError when the database cannot be opened */
export async function findSchemaState(place: SchemaPlace): Promise<SchemaState> {
  return await readSchemaState(
    { service, namespace, sqliteSchemaFolder, postgresSchemaFolder, databaseFile },
    place,
  );
}
