// The common parts of the paths below `/log`: the number of the log, the media type of texts, and
// how long a response may be cached.
import { Type } from '@lothub/kit/json-schema';

export const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Never changes: a year. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Continues a response whose first part was read early, so that an error comes before its head. */
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
