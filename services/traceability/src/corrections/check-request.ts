// A correction as it came in, checked as far as that goes without the event: its shape, and each new
// value against the rules of its field. All errors at once, as for events.
import { FIELD_ERRORS_MAX, INEXACT_NUMBER, toFieldErrors } from '@lothub/kit/http/field-errors';
import type { FieldError, Loc } from '@lothub/kit/http/field-errors';
import { CODE_INVALID } from '../events/prepare.ts';
import { codeFault } from '../ledger/record/code-text.ts';
import { INEXACT_VALUE } from '@lothub/kit/number-literal';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { readField } from './fields.ts';
import { CHANGES_MAX, CorrectionSchema, type CorrectionInput } from './schema.ts';
import { newValueErrors, type ValueError } from './values.ts';

const checkShape = compileValueSchema<CorrectionInput>(CorrectionSchema);

export type CheckedRequest =
  | { readonly kind: 'valid'; readonly request: CorrectionInput }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

/** @param root path of the correction in the request */
export function checkRequest(body: unknown, root: Loc = ['body']): CheckedRequest {
  const checked = checkShape(body);
  const values = [...keyErrors(body), ...valueErrors(body)].map(({ loc, ...error }) => ({
    loc: [...root, ...loc],
    ...error,
  }));
  if (checked.kind === 'valid' && values.length === 0) {
    return { kind: 'valid', request: checked.value };
  }
  // The schema has only the rules of any value; the errors of the field are more exact.
  const named = new Set(values.map(({ loc }) => loc.join('/')));
  const shapes = checked.kind === 'valid' ? [] : toFieldErrors(checked.errors, root);
  const errors = [...shapes.filter(({ loc }) => !named.has(loc.join('/'))), ...values];
  return { kind: 'invalid', errors: errors.slice(0, FIELD_ERRORS_MAX) };
}

/** An external id is compared with others: new ones obey `codeFault`. */
function keyErrors(body: unknown): readonly FieldError[] {
  const sent =
    typeof body === 'object' && body !== null ? findMember(body, 'external_id') : undefined;
  const msg = typeof sent === 'string' ? codeFault(sent) : undefined;
  return msg === undefined ? [] : [{ loc: ['external_id'], msg, type: CODE_INVALID }];
}

function valueErrors(body: unknown): readonly FieldError[] {
  if (typeof body !== 'object' || body === null || !('changes' in body)) return [];
  if (!Array.isArray(body.changes)) return [];
  const changes: readonly unknown[] = body.changes.slice(0, CHANGES_MAX);
  return changes.flatMap((change, index) => {
    if (typeof change !== 'object' || change === null) return [];
    const at = (name: string, errors: readonly ValueError[]): readonly FieldError[] =>
      errors.map((error) => ({ loc: ['changes', index, name], ...error }));
    const field: unknown = findMember(change, 'field');
    const named = typeof field === 'string' ? readField(field) : undefined;
    const isCorrectable = named !== undefined && named.kind !== 'fixed' && named.kind !== 'unknown';
    const newValue = findMember(change, 'new_value');
    return [
      ...at('old_value', kindErrors(findMember(change, 'old_value'))),
      ...at(
        'new_value',
        isCorrectable ? newValueErrors(named.field, newValue) : kindErrors(newValue),
      ),
    ];
  });
}

function findMember(change: object, name: string): unknown {
  return Object.hasOwn(change, name) ? Reflect.get(change, name) : undefined;
}

const NO_VALUE: ValueError = {
  msg: 'Input should be a string, a number or null',
  type: 'type_error',
};

/** Lists the faults of a value whose field is unknown. */
function kindErrors(value: unknown): readonly ValueError[] {
  if (value === undefined || value === null || typeof value === 'string') return [];
  if (typeof value !== 'number') return [NO_VALUE];
  return value === INEXACT_VALUE ? [INEXACT_NUMBER] : [];
}
