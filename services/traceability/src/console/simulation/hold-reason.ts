// Reads the reason of a hold from a form, by the rules for requests of programs.
import type { FormValues } from '@lothub/design/form-values';
import { toFieldProblems } from '@lothub/kit/http/field-problems';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { Type } from '@lothub/kit/json-schema';
import { fieldsProblem } from '@lothub/people/errors';
import { HoldsRequestSchema, type HoldsRequest } from '../../holds/schema.ts';

const checkHold = compileValueSchema<Pick<HoldsRequest, 'reason'>>(
  Type.Object({ reason: HoldsRequestSchema.properties.reason }),
);

/** @throws PeopleProblem `fields_invalid` */
export function readHoldReason(values: FormValues): string {
  const reason = (values['reason'] ?? '').trim();
  const checked = checkHold({ reason });
  if (checked.kind !== 'valid') throw fieldsProblem(toFieldProblems(checked.errors, 'body'));
  return reason;
}
