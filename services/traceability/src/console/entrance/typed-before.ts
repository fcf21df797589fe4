// Values that were typed into a form before a log-in. The log-in page contains them under other names, so
// that no form acts on them by itself.
import type { FormValues } from '@lothub/design/form-values';

/** Marks fields that were typed before the log-in. Names of fields of the console have no dot. */
export const BEFORE = 'before.';
export const IS_BEFORE = `${BEFORE}log-in`;

/** Returns whether a form was sent by the log-in page. */
export function isTypedBefore(values: FormValues): boolean {
  return values[IS_BEFORE] !== undefined;
}

/** Returns the values that were typed before the log-in, by the names of the form. */
export function typedBefore(values: FormValues): FormValues {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => name.startsWith(BEFORE) && name !== IS_BEFORE)
      .map(([name, value]) => [name.slice(BEFORE.length), value]),
  );
}
