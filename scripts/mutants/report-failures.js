// Runs test files one after the other and prints each test that fails, as one line of JSON, at once;
// at the end how many passed. Whoever reads it ends the process when it has read enough.
// Arguments: milliseconds that a test and a file may take, then the files.

import { run } from 'node:test';

const [timeoutMs, ...files] = process.argv.slice(2);
let passed = 0;
for await (const { type, data } of run({
  files,
  concurrency: 1,
  timeout: Number(timeoutMs),
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
