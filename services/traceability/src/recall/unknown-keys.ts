// Finds the keys of a request to move a case or a notification that are unknown: they are accepted
// and named in a warning.
import { shownName } from '@lothub/kit/http/field-errors';
import type { Static, TObject } from 'typebox';
import type { WarningSchema } from '../events/schema.ts';

/** Keys named in a warning; the rest is counted. */
const KEYS_NAMED_MAX = 10;

type Warnings = { readonly warnings?: Static<typeof WarningSchema>[] };

/** The member `warnings` of an answer to a body, when it has keys that its schema does not name. */
export function warnOfUnknownKeys(body: object, { properties }: TObject): Warnings {
  const unknown = Object.keys(body).filter((key) => !Object.hasOwn(properties, key));
  if (unknown.length === 0) return {};
  const named = unknown.slice(0, KEYS_NAMED_MAX).map(shownName).join(', ');
  const more =
    unknown.length > KEYS_NAMED_MAX ? ` and ${unknown.length - KEYS_NAMED_MAX} more` : '';
  const keys = Object.keys(properties).join(', ');
  const message = `not understood and ignored: ${named}${more}; this request has the keys ${keys}`;
  return { warnings: [{ code: 'unknown_keys', message }] };
}
