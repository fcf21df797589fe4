// Compiles the schemas of a service when a request first needs them. A service has a hundred routes, and
// compiling the schemas of all took half the time of opening it.

/**
 * A function that is made when it is first called. What `make` throws is thrown then, and not at the
 * start: a test of each service compiles the schemas of all its routes.
 */
export function atFirstCall<Value, Result>(
  make: () => (value: Value) => Result,
): (value: Value) => Result {
  let made: ((value: Value) => Result) | undefined;
  return (value) => (made ??= make())(value);
}
