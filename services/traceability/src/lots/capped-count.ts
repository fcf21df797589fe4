// Counts that could be large are counted up to a limit, and the answer says when there are more.

/** Makes a count of at most `max`, with a field that marks a larger one. */
export function cappedCount<Name extends string>(
  name: Name,
  count: number,
  max: number,
): Readonly<Record<Name, number>> & { readonly [Field in `${Name}_is_exact`]?: false };
export function cappedCount(
  name: string,
  count: number,
  max: number,
): Readonly<Record<string, unknown>> {
  return count <= max ? { [name]: count } : { [name]: max, [`${name}_is_exact`]: false };
}
