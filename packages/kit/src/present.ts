// Values that cannot be absent: where one is, something promised is broken, and going on with an empty
// one would hide it.
import assert from 'node:assert/strict';

/**
 * @param what it is, for the error
 * @throws AssertionError when the value is absent
 */
export function present<Value>(value: Value | null | undefined, what: string): Value {
  assert(value !== undefined && value !== null, `${what} is absent`);
  return value;
}

/** The value at a place that is known to be inside of the list; in loops over millions, too. */
export function at<Value>(values: ArrayLike<Value>, index: number): Value {
  if (index < 0 || index >= values.length) {
    assert.fail(`place ${index} of ${values.length} is absent`);
  }
  return values[index] as Value;
}
