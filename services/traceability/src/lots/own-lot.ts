// A tenant's lot by its code. Whether another tenant has the code is never told.
import type { DatabaseReader } from '@lothub/kit/database';
import { Refusal } from '../errors.ts';
import { findLot } from './queries.ts';
import type { LotRow } from './queries.ts';

/** @throws Refusal `not_found` when the tenant has no lot of this code */
export async function getOwnLot(
  database: DatabaseReader,
  asked: { readonly tenantId: string; readonly lotCode: string },
): Promise<LotRow> {
  const lot = await findLot(database, asked);
  if (lot === undefined) throw unknownLot();
  return lot;
}

export function unknownLot(): Refusal {
  return new Refusal('not_found', 'No lot of this code is known');
}
