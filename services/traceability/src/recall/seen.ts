// What a person saw of a case before changing it: a change that was meant for another state is refused, even when
// the rules would allow it. Pages send a mark of what they showed.
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { Refusal } from '../errors.ts';

/** Characters of a mark: it tells states of one case apart, and guards nothing. */
const MARK_LENGTH = 16;

/** Stands for these values as they were shown. */
export function markOf(values: readonly (string | null)[]): string {
  return sha256Hex(JSON.stringify(values)).slice(0, MARK_LENGTH);
}

/**
 * @param seen undefined: the caller does not say what it saw
 * @throws Refusal `rule_broken`
 */
export function refuseUnlessSeen(
  seen: string | undefined,
  now: { readonly values: readonly (string | null)[]; readonly what: string },
): void {
  if (seen === undefined || seen === markOf(now.values)) return;
  throw new Refusal('rule_broken', `${now.what} was changed meanwhile: look at it again`);
}
