// The names of the commits at which a child process has to kill itself.

/** `before` or `after`, and a text that a statement of the transaction contains. */
export const KILL_VARIABLE = 'TEST_KILL_AT_COMMIT';
