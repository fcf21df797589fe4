// Tests of what is decided above the engines, beside others in the same file that an engine has a part in:
// PostgreSQL, which takes several times as long, has them in `npm run test:long` alone. A test file that
// imports this one belongs to the long run on PostgreSQL.
import { test } from 'node:test';
import { testEngine } from './engine.ts';
import { testInLongRun } from './rounds.ts';

/** As `test`. */
export function testAboveEngines(name: string, play: () => Promise<void>): void {
  if (testEngine === 'sqlite') void test(name, play);
  else testInLongRun(name, play);
}
