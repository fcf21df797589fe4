// SKUs, locations and suppliers of a brand's newest events that have no name yet. It reads only as many
// events as take some milliseconds, no matter how many there are.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { compareTexts } from '@lothub/kit/text-order';
import { applyCorrections, isEventBlock, readCorrections } from '../../ledger/effective-reader.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import { findTenant } from '../../lots/queries.ts';
import { placesAt, productsOfSkus } from '../../lots/profiles/queries.ts';
import {
  linkedNames,
  readNewestEvents,
  skusOfNewestLots,
  suppliersOfNewestReceipts,
} from './queries.ts';

const LOTS_LOOKED_AT = 2_000;
const RECEIPTS_LOOKED_AT = 500;
/** Events that are read. A block with a few lines takes some 30 microseconds to read and hash. */
const EVENTS_LOOKED_AT = 200;
/** Lines of these events: large events make fewer of them. */
const LINES_LOOKED_AT = 2_000;

/** In the order of their codes. */
export async function unnamedSkus(
  database: DatabaseReader,
  tenantId: string,
): Promise<readonly string[]> {
  const tenant = await findTenant(database, tenantId);
  if (tenant === undefined) return [];
  const { tenantNo } = tenant;
  const used = await skusOfNewestLots(database, { tenantNo, limit: LOTS_LOOKED_AT });
  const named = await askForEach(database, cutSlices(used), (one, skus) =>
    productsOfSkus(one, { tenantId, skus }),
  );
  return without(
    used,
    named.flat().map(({ sku }) => sku),
  );
}

/** In the order of their codes. */
export async function unnamedLocations(
  reader: LedgerReader,
  tenantId: string,
): Promise<readonly string[]> {
  const { database } = reader;
  const tenant = await findTenant(database, tenantId);
  if (tenant === undefined) return [];
  const { tenantNo } = tenant;
  const newest = await readNewestEvents(database, { tenantNo, limit: EVENTS_LOOKED_AT });
  let lines = 0;
  const heights = newest
    .filter(({ lineCount }) => (lines += lineCount) <= LINES_LOOKED_AT)
    .map(({ height }) => height);
  const corrections = await readCorrections(reader, heights);
  const blocks = (await reader.blocks(heights)).filter(isEventBlock);
  const used = blocks.map((block) => applyCorrections(block, corrections).event.location);
  const codes = [...new Set(used)].sort(compareTexts);
  const named = await askForEach(database, cutSlices(codes), (one, locations) =>
    placesAt(one, { tenantId, locations }),
  );
  return without(
    codes,
    named.flat().map(({ location }) => location),
  );
}

/** In the order of their names. */
export async function unlinkedSuppliers(
  database: DatabaseReader,
  tenantId: string,
): Promise<readonly string[]> {
  const tenant = await findTenant(database, tenantId);
  if (tenant === undefined) return [];
  const { tenantNo } = tenant;
  const used = await suppliersOfNewestReceipts(database, { tenantNo, limit: RECEIPTS_LOOKED_AT });
  const linked = await askForEach(database, cutSlices(used), (one, names) =>
    linkedNames(one, { tenantId, names }),
  );
  return without(used, linked.flat());
}

function without(used: readonly string[], named: readonly string[]): readonly string[] {
  const known = new Set(named);
  return used.filter((code) => !known.has(code));
}
