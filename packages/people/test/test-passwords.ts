// Passwords at a cost that takes no time, for tests of something else than the cost.
import { Passwords } from '../src/passwords/passwords.ts';
import type { PasswordCost } from '../src/passwords/deriving.ts';

export const TEST_COST: PasswordCost = { memoryKib: 8, passes: 1, lanes: 1 };

/** Those of all services that a test file boots: they share the threads. */
export const testPasswords = new Passwords({ cost: TEST_COST });
