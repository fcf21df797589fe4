// Addresses of imports in the console.
import { brandPath } from '../paths.ts';

export function importPath(brand: string, importId: string): string {
  return `${brandPath(brand, 'imports')}/${encodeURIComponent(importId)}`;
}
