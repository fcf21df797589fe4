// How many rounds a test plays of what it repeats: as many in `npm test` as notice a planted defect,
// and many more in `npm run test:long`; and tests that this one has alone. A test file that imports this one
// belongs to the long run.
import { test, type TestContext } from 'node:test';

/** Set by the long run. */
const LONG_VARIABLE = 'LOTHUB_TEST_LONG';

/** Whether this is the long run. */
export const isLongRun = process.env[LONG_VARIABLE] === '1';

export function chooseRounds(rounds: { readonly usual: number; readonly long: number }): number {
  return isLongRun ? rounds.long : rounds.usual;
}

/** Set by the long run for a file from which `npm test` leaves out whole tests, and nothing else. */
const ONLY_ADDED_VARIABLE = 'LOTHUB_TEST_ONLY_ADDED';

/**
 * As `test`, for a test that varies another one of its file: `npm test` plays that one alone. Where nothing
 * else of the file differs, the long run plays what `npm test` leaves out, and not the rest again.
 */
export function testInLongRun(name: string, play: (t: TestContext) => Promise<void>): void {
  // Node leaves out a test with `only: false`.
  const options = process.env[ONLY_ADDED_VARIABLE] === '1' ? { only: true } : {};
  if (isLongRun) void test(name, options, play);
}
