// Private values of decisions that are kept.
import type { PrivateDecisionRow } from '../tables/private.ts';

/** Private values of each block, by name. */
export function openedBy(
  rows: readonly Pick<PrivateDecisionRow, 'height' | 'name' | 'value'>[],
): ReadonlyMap<number, Readonly<Record<string, string>>> {
  const opened = new Map<number, Record<string, string>>();
  for (const { height, name, value } of rows) {
    const known = opened.get(height);
    if (known === undefined) opened.set(height, { [name]: value });
    else known[name] = value;
  }
  return opened;
}
