// What was typed into a form before a log-in, as the log-in page carries it: under other names, so that no form
// does anything with it by itself.
import type { FormValues } from '@lothub/design/form-values';

/** Marks fields that were typed before the log-in; what a form of the console itself sends has no dot. */
export const BEFORE = 'before.';
export const IS_BEFORE = `${BEFORE}log-in`;

/** Whether a form comes by way of the log-in page. */
export function isTypedBefore(values: FormValues): boolean {
  return values[IS_BEFORE] !== undefined;
}

/** What was typed before the log-in, by the names of the form. */
export function typedBefore(values: FormValues): FormValues {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => name.startsWith(BEFORE) && name !== IS_BEFORE)
      .map(([name, value]) => [name.slice(BEFORE.length), value]),
  );
}
