// What the paths below `/log` have in common: the number of the log, the media type of texts, and how long
// an answer may be kept.
import { Type } from '@lothub/kit/json-schema';

export const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Never changes: a year. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** What remains of an answer whose first part was read, so that an error comes before the head of the answer. */
export async function* withFirst(
  first: IteratorResult<string, unknown>,
  rest: AsyncIterable<string>,
): AsyncGenerator<string> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

export const EpochParams = Type.Object({
  epoch: Type.String({
    description: 'Number of the log, the last part of its origin',
    examples: ['1'],
  }),
});
