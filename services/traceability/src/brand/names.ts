// Names by language: keys are tags of BCP 47 in their canonical form.
import { shownName, type FieldError, type Loc } from '@lothub/kit/http/field-errors';
import { NO_TAG, findCanonicalTag } from '../lots/profiles/language-tag.ts';
import type { Names } from '../lots/profiles/names.ts';

export type ReadNames =
  | { readonly kind: 'valid'; readonly names: Names }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

/** Languages that a product has names in. */
export const LANGUAGES_MAX = 50;

/** `en-gb` becomes `en-GB`; two tags that become the same are an error of the second. */
export function readNames(sent: Names, root: Loc): ReadNames {
  const tags = Object.keys(sent);
  if (tags.length === 0 || tags.length > LANGUAGES_MAX) {
    const type = tags.length === 0 ? 'too_short' : 'too_long';
    const msg = `Object should have 1 to ${LANGUAGES_MAX} members`;
    return { kind: 'invalid', errors: [{ loc: root, msg, type }] };
  }
  const names = new Map<string, string>();
  const errors: FieldError[] = [];
  for (const [tag, name] of Object.entries(sent)) {
    const canonical = findCanonicalTag(tag);
    const loc = [...root, shownName(tag)];
    if (canonical === undefined) {
      const msg = `Name of the member ${NO_TAG}`;
      errors.push({ loc, msg, type: 'language_tag' });
    } else if (names.has(canonical)) {
      errors.push({ loc, msg: 'Each language should be there once', type: 'language_tag' });
    } else {
      names.set(canonical, name);
    }
  }
  return errors.length > 0
    ? { kind: 'invalid', errors }
    : { kind: 'valid', names: Object.fromEntries(names) };
}
