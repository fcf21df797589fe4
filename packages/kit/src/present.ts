// Values that cannot be absent: where one is, something promised is broken, and going on with an empty
// one would hide it. Browsers load it, too.

/** Something that is promised to be there is not. */
export class AbsentError extends Error {}

/**
 * @param what it is, for the error
 * @throws AbsentError when the value is absent
 */
export function present<Value>(value: Value | null | undefined, what: string): Value {
  if (value === undefined || value === null) throw new AbsentError(`${what} is absent`);
  return value;
}

/** The value at a place that is known to be inside of the list; in loops over millions, too. */
export function at<Value>(values: ArrayLike<Value>, index: number): Value {
  if (index < 0 || index >= values.length) {
    throw new AbsentError(`place ${index} of ${values.length} is absent`);
  }
  return values[index] as Value;
}
