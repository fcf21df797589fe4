// Runs test files one after the other and prints each test that fails, as one line of JSON, at once;
// at the end how many passed. Whoever reads it ends the process when it has read enough.
// Arguments: milliseconds that a test and a file may take, names of the only tests to run as a list in
// JSON (an empty one: all), then the files.

import { run } from 'node:test';

const [timeoutMs, names, ...files] = process.argv.slice(2);
const only = JSON.parse(names);
let passed = 0;
for await (const { type, data } of run({
  files,
  concurrency: 1,
  timeout: Number(timeoutMs),
  ...(only.length === 0
    ? {}
    : { testNamePatterns: only.map((name) => new RegExp(`^${RegExp.escape(name)}$`, 'u')) }),
})) {
  if (type === 'test:pass') passed += 1;
  if (type === 'test:fail') print(describeFailure(data));
}
print({ passed });

function print(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/**
 * A file that does not load fails as a test named after it, and one with a subtest that failed fails
 * for that reason alone: neither says what is wrong.
 */
function describeFailure({ name, file, details: { error } }) {
  const { cause } = error;
  const isError = typeof cause === 'object' && cause !== null;
  return {
    test: name,
    file,
    isFile: name === file,
    isOfSubtest: error.failureType === 'subtestsFailed',
    code: (isError ? cause.code : undefined) ?? error.failureType,
    message: isError ? `${cause.name}: ${cause.message}` : String(cause),
  };
}
