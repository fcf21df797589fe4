// The path of the SQLite database of people.
import { join } from 'node:path';

export const DATABASE_FILE_NAME = 'people.db';

export function databaseFile(dataDir: string): string {
  return join(dataDir, DATABASE_FILE_NAME);
}
