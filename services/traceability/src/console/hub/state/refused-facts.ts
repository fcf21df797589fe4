// What the audit keeps of a key that was refused, out of its details.
import { Type } from '@lothub/kit/json-schema';
import { Value } from 'typebox/value';
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

/** An entry that somebody wrote by hand has none. */
export function refusedFacts({ details }: Pick<AuditRow, 'details'>): RefusedFacts {
  const read: unknown = JSON.parse(details);
  return Value.Check(Details, read) ? read : { client: '–', path: '–', reason: '–', count: 1 };
}
