// What the audit keeps of a key that was refused, out of its details.
import { compileFirstErrorSchema } from '@lothub/kit/http/schemas/request-validation';
import { Type } from '@lothub/kit/json-schema';
import type { AuditRow } from '../../../ledger/audit-reader.ts';

/** As keys/refused-keys.ts writes it. */
const Details = Type.Object({
  client: Type.String(),
  path: Type.String(),
  reason: Type.String(),
  count: Type.Integer(),
});

export interface RefusedFacts {
  readonly client: string;
  readonly path: string;
  readonly reason: string;
  readonly count: number;
}

const checkDetails = compileFirstErrorSchema<RefusedFacts>(Details);

/** An entry that was written by hand has none. */
export function refusedFacts({ details }: Pick<AuditRow, 'details'>): RefusedFacts {
  const read: unknown = JSON.parse(details);
  const checked = checkDetails(read);
  if (checked.kind === 'valid') return checked.value;
  return { client: '–', path: '–', reason: '–', count: 1 };
}
