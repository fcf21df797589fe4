// How a test says which file holds the shift of a service's clock.

/** Names the file: milliseconds that the clock is ahead. */
export const CLOCK_FILE_VARIABLE = 'TEST_CLOCK_FILE';
