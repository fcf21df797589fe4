// Where the writer of a child process may be killed, and how the child gets it.

/** Point at which the process kills itself; without it the process lives until it is killed. */
export const CRASH_POINT_VARIABLE = 'TEST_CRASH_POINT';
/** Groups that are let pass before. */
export const CRASH_GROUPS_VARIABLE = 'TEST_CRASH_GROUPS';
/** How the first insert of a group begins that counts. */
export const CRASH_FIRST_VARIABLE = 'TEST_CRASH_FIRST';
/** How a write of the group begins that comes after it. */
export const CRASH_LATER_VARIABLE = 'TEST_CRASH_LATER';

/** How many such writes are let pass before, once they count. */
export const CRASH_WRITES_VARIABLE = 'TEST_CRASH_WRITES';
/** Not empty: in the thread that serves, too, which seals decisions on PostgreSQL. */
export const CRASH_EVERYWHERE_VARIABLE = 'TEST_CRASH_EVERYWHERE';

export const CRASH_POINTS = [
  /** Before the later write. */
  'between-writes',
  'before-commit',
  'after-commit',
  /** Before and after what was committed is signed, where a service signs it. */
  'before-signature',
  'after-signature',
  /** After the signature was verified, before an answer carries it. */
  'after-check',
  /** No kill: answers are given too early, so that any later kill loses what was answered. */
  'answer-before-commit',
] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

export function isCrashPoint(text: string | undefined): text is CrashPoint {
  return CRASH_POINTS.some((point) => point === text);
}
