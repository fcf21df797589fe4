// Erasures of private values, as their blocks say them.
import { HEIGHTS_PER_BLOCK_MAX } from './contents.ts';
import type { ErasureDecision } from './contents.ts';
import { hasDecisionMembers, hasOnly, isCount } from './members.ts';
import type { Fields } from './members.ts';

const MEMBERS = ['at', 'committed', 'heights', 'migrated'] as const;

export function isErasureDecision(content: Fields): boolean {
  return hasDecisionMembers(content) && hasOnly(content, MEMBERS) && isHeights(content['heights']);
}

/** Returns whether a value is a list of at least one height, ascending. */
function isHeights(heights: unknown): boolean {
  return (
    Array.isArray(heights) &&
    heights.length > 0 &&
    heights.length <= HEIGHTS_PER_BLOCK_MAX &&
    heights.every(
      (height: unknown, index) =>
        isCount(height) && (index === 0 || height > Number(heights[index - 1])),
    )
  );
}

export function summaryOfErasure({ heights }: ErasureDecision, brand: string): string {
  const [first] = heights;
  const named = heights.length === 1 ? `block ${first}` : `${heights.length} blocks`;
  return `Private values of ${named} of ${brand} erased`;
}
