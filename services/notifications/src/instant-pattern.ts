// The form of an instant, for schemas and for the command line.

/** RFC 3339 to the millisecond; whether the calendar has the day is another question. */
export const INSTANT_PATTERN =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,3})?(Z|[+-][0-9]{2}:[0-9]{2})$';
