// Finds numbered schema files (`0001-name.sql`) in a folder, in order and without holes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseError, type Migration } from './database.ts';

export function readMigrations(folder: string): readonly Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return names.map((name, index) => {
    const version = Number(name.slice(0, 4));
    if (version !== index + 1) {
      throw new Error(`reading schema files in ${folder}: ${name} should be number ${index + 1}`);
    }
    return { version, name, text: readFileSync(join(folder, name), 'utf8') };
  });
}

/**
 * The schema files that a database does not have yet.
 * @param database how many it has of the service
 * @throws DatabaseError `database_too_new` when the database was written by a newer program
 */
export function missingMigrations(
  migrations: readonly Migration[],
  database: { readonly present: number; readonly service: string },
): readonly Migration[] {
  const { present, service } = database;
  if (present > migrations.length) {
    throw new DatabaseError(
      'database_too_new',
      `the database has schema ${present} of ${service}, this program knows ${migrations.length}: ` +
        'run the newer program, or restore a backup made before the upgrade',
    );
  }
  return migrations.slice(present);
}

/** Whether files are missing in a database that has some, and not in one that is begun just now. */
export function isUpgrade(database: {
  readonly present: number;
  readonly missing: readonly Migration[];
}): boolean {
  return database.present > 0 && database.missing.length > 0;
}
