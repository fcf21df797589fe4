// What people refuse, by its code, for tests that compare attempts.
import { PeopleProblem } from '../src/errors.ts';

/** @returns `done` for what is not refused */
export async function codeOfRefusal(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
    return 'done';
  } catch (error) {
    if (error instanceof PeopleProblem) return error.code;
    throw error;
  }
}
