// An event as it came in, checked and prepared: its shape and its values, all errors at once. The
// one way in for single posts and batches.
import { toFieldErrors, type FieldError, type Loc } from '@lothub/kit/http/field-errors';
import {
  compileFirstErrorSchema,
  compileValueSchema,
} from '@lothub/kit/http/schemas/request-validation';
import type { LineFieldName } from '../ledger/record/fields.ts';
import { readOccurredAt } from './occurred-at.ts';
import { DECIMAL_FIELDS, inexactNumber, invalidOccurredAt, prepareEvent } from './prepare.ts';
import type { PrepareOptions, Prepared } from './prepare.ts';
import { decimalText } from '../ledger/record/decimal-text.ts';
import { EventSchema, LINES_MAX, type EventInput } from './schema.ts';

const checkShape = compileValueSchema<EventInput>(EventSchema);
const checkShapeToFirstError = compileFirstErrorSchema<EventInput>(EventSchema);

export interface CheckOptions extends PrepareOptions {
  /** `first`: one error is enough, because the response contains no more. */
  readonly errors: 'all' | 'first';
}

export function checkEvent(value: unknown, options: CheckOptions): Prepared {
  const checked = options.errors === 'all' ? checkShape(value) : checkShapeToFirstError(value);
  if (checked.kind === 'valid') return prepareEvent(checked.value, options);
  const errors = toFieldErrors(checked.errors, options.root);
  if (options.errors === 'first') return { kind: 'invalid', errors };
  const named = new Set(errors.map((error) => error.loc.join('/')));
  const others = valueErrors(value, options.root).filter(
    (error) => !named.has(error.loc.join('/')),
  );
  return { kind: 'invalid', errors: [...errors, ...others] };
}

/** Lists the faulty values of an event whose shape has other faults. */
function valueErrors(value: unknown, root: Loc): readonly FieldError[] {
  if (typeof value !== 'object' || value === null) return [];
  const errors: FieldError[] = [];
  if ('occurred_at' in value && typeof value.occurred_at === 'string' && value.occurred_at !== '') {
    const occurredAt = readOccurredAt(value.occurred_at);
    if (occurredAt.kind === 'invalid') errors.push(invalidOccurredAt(root, occurredAt.msg));
  }
  if (!('lines' in value) || !Array.isArray(value.lines)) return errors;
  const lines: readonly unknown[] = value.lines.slice(0, LINES_MAX);
  lines.forEach((line, index) => {
    if (typeof line !== 'object' || line === null) return;
    const sent: Readonly<Partial<Record<LineFieldName, unknown>>> = line;
    for (const { name } of DECIMAL_FIELDS) {
      const number = sent[name];
      if (typeof number !== 'number' || !Number.isFinite(number)) continue;
      if (decimalText(number) === undefined) errors.push(inexactNumber(root, index, name));
    }
  });
  return errors;
}
