// Where the writer of a child process may be killed, and how the child is told.

/** Point at which the process kills itself; without it the process lives until it is killed. */
export const CRASH_POINT_VARIABLE = 'TEST_CRASH_POINT';
/** Groups of appended events that are let pass before. */
export const CRASH_GROUPS_VARIABLE = 'TEST_CRASH_GROUPS';

export const CRASH_POINTS = [
  'between-inserts',
  'before-commit',
  'after-commit',
  /** No kill: answers are given too early, so that any later kill loses what was answered. */
  'answer-before-commit',
] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

export function isCrashPoint(text: string | undefined): text is CrashPoint {
  return CRASH_POINTS.some((point) => point === text);
}
