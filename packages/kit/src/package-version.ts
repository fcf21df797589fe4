// The version of a program, as its package.json has it.
import { readFileSync } from 'node:fs';

/** @param file the package.json */
export function packageVersion(file: URL): string {
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) return '0';
  return String(manifest.version);
}
