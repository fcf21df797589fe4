// The blocks whose private values were erased: the decision that seals an erasure, and its rows.
import { cutSlices, IN_LIST_MAX } from '@lothub/kit/in-list';
import sql, { join, type Sql } from 'sql-template-tag';
import { HEIGHTS_PER_BLOCK_MAX, type ErasureDecision } from '../record/decisions/contents.ts';
import { draftDecision, sealedHeight, type DecidedChange, type SealedHeight } from './draft.ts';
import type { DecisionKind } from './kind.ts';

export const ERASURE_KIND: DecisionKind<'erasure'> = {
  buildRows: ({ decision, height }) => erasedRows(decision.heights, height),
  clear: [sql`delete from erased_heights`],
};

function erasedRows(heights: readonly number[], erasure: number | SealedHeight): readonly Sql[] {
  return [...cutSlices(heights, IN_LIST_MAX)].map(
    (slice) => sql`
      insert into erased_heights (height, erasure_height)
      values ${join(slice.map((one) => sql`(cast(${one} as bigint), cast(${erasure} as bigint))`))}`,
  );
}

/**
 * The decisions that name blocks whose private values are erased, and their rows.
 * @param erasure.heights in any order, each any number of times
 * @param first index of the first of these decisions in the change
 */
export function eraseHeights(
  erasure: {
    readonly brand: string;
    readonly at: string;
    readonly heights: readonly number[];
    readonly migrated?: true;
  },
  first = 0,
): Pick<DecidedChange, 'decisions' | 'statements'> {
  const { brand, at, migrated } = erasure;
  const heights = [...new Set(erasure.heights)].sort((a, b) => a - b);
  const contents = [...cutSlices(heights, HEIGHTS_PER_BLOCK_MAX)].map((slice): ErasureDecision => ({
    at,
    heights: slice,
    ...(migrated === undefined ? {} : { migrated }),
  }));
  return {
    decisions: contents.map((content) => draftDecision({ brand, type: 'erasure', content })),
    statements: contents.flatMap((content, index) =>
      erasedRows(content.heights, sealedHeight(first + index)),
    ),
  };
}
