// Finds numbered schema files (`0001-name.sql`) in a folder, in order and without holes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Migration } from './database.ts';

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
