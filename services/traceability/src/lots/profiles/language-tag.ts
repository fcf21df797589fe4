// Reads tags of BCP 47 of requests and makes the form that is stored.

/** Characters of a language tag: the longest that RFC 5646, section 4.4.1, has in mind. */
export const TAG_CHARS_MAX = 35;
/** The message for a text that is no language tag. */
export const NO_TAG = 'should be a language tag of BCP 47, such as en or pt-BR';

/** `en-gb` is `en-GB`; undefined of a text that is no tag. */
export function findCanonicalTag(tag: string): string | undefined {
  if (tag.length > TAG_CHARS_MAX) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
