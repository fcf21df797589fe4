// Refuses a change of a case that was meant for another state than the present one, even if the
// rules would allow it. Pages send a mark of the state that they showed.
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { Refusal } from '../errors.ts';

/** Characters of a mark. It distinguishes states of one case and is no protection. */
const MARK_LENGTH = 16;

/** Makes the mark of these values as they were shown. */
export function computeMark(values: readonly (string | null)[]): string {
  return sha256Hex(JSON.stringify(values)).slice(0, MARK_LENGTH);
}

/**
 * @param seen undefined: the caller does not send what it saw
 * @throws Refusal `rule_broken`
 */
export function refuseUnlessSeen(
  seen: string | undefined,
  now: { readonly values: readonly (string | null)[]; readonly what: string },
): void {
  if (seen === undefined || seen === computeMark(now.values)) return;
  throw new Refusal('rule_broken', `${now.what} was changed meanwhile: look at it again`);
}
