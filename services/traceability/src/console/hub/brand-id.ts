// Reads the id of a brand that an operator types. The brand may not have written anything yet.
import type { FormValues } from '@lothub/design/form-values';
import { fieldsProblem } from '@lothub/people/errors';
import { TENANT_ID_PATTERN } from '../../http.ts';

const TENANT_ID = new RegExp(TENANT_ID_PATTERN);

/** @throws PeopleProblem of the field `brand` when it is not an id */
export function readBrandId(values: FormValues): string {
  const brand = (values['brand'] ?? '').trim();
  if (TENANT_ID.test(brand)) return brand;
  const code = brand === '' ? 'required' : 'wrong_form';
  throw fieldsProblem([{ pointer: '/brand', code, limit: null, actual: null }]);
}
