// Lists of a report: the beginning of something, and how long it is as a whole. Pure.
import type { Listed } from './case-report.ts';

/** Makes a list that is known as a whole. */
export function listed<Item>(items: readonly Item[], shownMax: number): Listed<Item> {
  return { items: items.slice(0, shownMax), total: items.length, isExact: true };
}

/** Makes a list that was read to one item more than is shown. */
export function cutListed<Item>(items: readonly Item[], shownMax: number): Listed<Item> {
  const isExact = items.length <= shownMax;
  const shown = items.slice(0, shownMax);
  return { items: shown, total: shown.length, isExact };
}
