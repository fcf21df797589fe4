// Finds lots by the codes of their suppliers: in every request for a lot, a supplier's lot code
// finds the lots that came in under it, when no own lot has the code
// (docs/interface/traceability.md#links).
import type { DatabaseReader } from '@lothub/kit/database';
import { at } from '@lothub/kit/present';
import { Refusal } from '../errors.ts';
import { lotsOfSupplierCode } from './chain/queries.ts';
import { findTenant, lotLabels } from './queries.ts';
import { noSuchLot } from './similar-codes.ts';

/** Own lots that a refusal names. */
const LOTS_NAMED_MAX = 20;

interface Asked {
  readonly tenantId: string;
  readonly lotCode: string;
}

/**
 * The one own lot that came in under a code that no own lot has.
 * @throws Refusal `not_found` when none did; `several_lots` when several did, with their codes
 */
export async function lotReceivedAs(database: DatabaseReader, asked: Asked): Promise<string> {
  const tenant = await findTenant(database, asked.tenantId);
  const lotNos =
    tenant === undefined
      ? []
      : await lotsOfSupplierCode(database, {
          tenantNo: tenant.tenantNo,
          supplierLotCode: asked.lotCode,
          limit: LOTS_NAMED_MAX,
        });
  if (lotNos.length === 0) throw await noSuchLot(database, asked);
  const codes = (await lotLabels(database, lotNos)).map(({ lotCode }) => lotCode);
  if (codes.length === 1) return at(codes, 0);
  const message = 'Several lots came in under this lot code of a supplier: ask for one of `lots`';
  throw new Refusal('several_lots', message, { lots: codes.sort() });
}
