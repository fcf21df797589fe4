// What a name may hold, for schemas and for the command line.

/** Code points. */
export const NAME_MAX = 100;

/**
 * No control character, half of a surrogate pair or line separator anywhere, and at least one
 * character that is neither a blank nor invisible.
 */
export const NAME_PATTERN =
  '^[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]*[^\\p{C}\\p{Z}][^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]*$';
