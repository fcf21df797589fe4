// Labels of keys: the name that the audit gives to users of a key.

/** Characters of a label. */
export const LABEL_MAX = 200;

/** Whether a text can be a label: printable, so that it brings nothing to terminals, logs and pages. */
export function isKeyLabel(text: string): boolean {
  return text.length <= LABEL_MAX && text.trim() !== '' && !UNPRINTABLE.test(text);
}

/** Control characters, halves of surrogate pairs, and what turns the direction of the text around it. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Bidi_Control}]/u;
