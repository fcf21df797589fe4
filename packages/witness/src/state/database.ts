/** The database of a witness: where it lies, and its schema. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILE_NAME = 'witness.db';

/** What its migrations are counted under. */
export const SERVICE_NAME = 'witness';

export const schemaFolder = fileURLToPath(new URL('./schema', import.meta.url));

export function stateFile(dataDir: string): string {
  return join(dataDir, FILE_NAME);
}
