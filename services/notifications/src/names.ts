// Names that people give to groups, keys, tokens and webhooks: one line of visible text.
import { Type } from 'typebox';

/** Code points. */
export const NAME_MAX = 100;

/**
 * No control character, half of a surrogate pair or line separator anywhere, and at least one
 * character that is neither a blank nor invisible.
 */
export const NAME_PATTERN =
  '^[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]*[^\\p{C}\\p{Z}][^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]*$';

export const nameText = (description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: NAME_MAX,
    pattern: NAME_PATTERN,
    description,
    examples: [example],
  });
