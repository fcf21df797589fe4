// Checks whether a field may have a value on the chain. Pure.
import type { FieldFacts } from './fields.ts';

/**
 * Decimal text: no exponent, and no sign but of a field whose minimum is below 0. The chain format has none,
 * so there is no such field (test/events/record-fields.test.ts).
 */
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** Returns whether a member of a stored text can be a value of this field. */
export function isChainValue(facts: FieldFacts, value: unknown): value is string {
  if (typeof value !== 'string') return false;
  switch (facts.kind) {
    case 'choice':
      return facts.choices.includes(value);
    case 'decimal':
      return DECIMAL.test(value) && (facts.minimum < 0 || !value.startsWith('-'));
    case 'text':
    case 'instant':
      return true;
  }
}

/** A text of the chain as answers show it: decimals as numbers, null when there is none. */
export function shownValue(facts: FieldFacts, text: string | null): string | number | null {
  return facts.kind === 'decimal' && text !== null ? Number(text) : text;
}
