// Writes the size of a file for readers.
import type { Reader } from '../../web/words/reader.ts';

const KIB = 1_024;
const UNITS = ['B', 'KiB', 'MiB', 'GiB'] as const;

export function sizeText(bytes: number, { formats }: Reader): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const value = bytes / KIB ** power;
  const rounded = value < 10 ? Math.round(value * 10) / 10 : Math.round(value);
  return `${formats.number(rounded)} ${UNITS[power] ?? ''}`;
}
