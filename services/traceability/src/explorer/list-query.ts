// The query of a list of blocks: its filters, and the end at which it starts.
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { FieldsRefusal } from '../errors.ts';
import { LimitQuery, OffsetQuery, PAGE_DEFAULT } from '../http.ts';
import { BlockFilterQuery, readBlockFilter, type BlockFilter } from './filter.ts';
import { BeforeHeight } from './schema.ts';

/** Below the genesis block. */
export const BELOW_ALL = -1;
/** Above every block. */
export const ABOVE_ALL = Number.MAX_SAFE_INTEGER;

export interface ListQuery {
  readonly filter: BlockFilter;
  /** Newest first, only smaller heights than `behind`; oldest first, only larger ones. */
  readonly end: 'newest' | 'oldest';
  readonly behind: number;
  readonly limit: number;
  readonly offset: number;
}

export const BlocksQuery = Type.Object({
  ...BlockFilterQuery,
  limit: LimitQuery,
  before: BeforeHeight,
  after: Type.Optional(
    Type.Integer({
      minimum: BELOW_ALL,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Only blocks above this height, oldest first; not together with `before`. -1: from the genesis ' +
        'block on',
      examples: [4711],
    }),
  ),
  offset: OffsetQuery,
});

/**
 * Reads the query of a list of blocks.
 * @throws FieldsRefusal when parameters exclude each other, or a day is in no calendar
 */
export function readBlocksQuery(query: Static<typeof BlocksQuery>): ListQuery {
  const { before, after } = query;
  if (before !== undefined && after !== undefined) {
    throw FieldsRefusal.of(
      ['query', 'after'],
      'Input should not be given together with before',
      'value_error',
    );
  }
  return {
    filter: readBlockFilter(query),
    ...(after === undefined
      ? { end: 'newest', behind: before ?? ABOVE_ALL }
      : { end: 'oldest', behind: after }),
    limit: query.limit ?? PAGE_DEFAULT,
    offset: query.offset ?? 0,
  };
}
