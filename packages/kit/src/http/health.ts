// What the health checks of the services have in common.

/**
 * How long a health check waits for the database; then it says what it does not know. Two seconds are
 * promised for the answer.
 */
export const HEALTH_WAIT_MS = 1_500;
