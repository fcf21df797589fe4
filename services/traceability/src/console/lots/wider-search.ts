// Further meanings of a searched text: the name of a product, and the reference of an event. Neither is in
// the index of the search: there both would take more room than all else.
import { pagesInTurns } from '@lothub/kit/in-turns';
import type { DatabaseReader } from '@lothub/kit/database';
import { textAbovePrefix } from '../../explorer/prefix.ts';
import type { AlsoMeant } from '../../lots/list.ts';
import { searchable } from '../../ledger/record/lot-text.ts';
import { findTenant } from '../../lots/queries.ts';
import { parseNames } from '../../lots/profiles/names.ts';
import { lotsOfReferences, namedSkus, type NamedSku } from './queries.ts';

/** Products whose lots are also searched; each takes a search of its own. */
export const NAMED_PRODUCTS_MAX = 8;
/** Products whose names are scanned: some 15 milliseconds. */
const LOOKED_THROUGH_MAX = 10_000;
const PRODUCTS_PER_PAGE = 1_000;
/** Events whose reference begins with the text, and lots of these events. */
const EVENTS_MAX = 200;
const LOTS_MAX = 200;
/** A shorter text is the beginning of a reference by chance. */
const REFERENCE_CHARS_MIN = 3;

export async function findAlsoMeant(
  database: DatabaseReader,
  { tenantId, q }: { readonly tenantId: string; readonly q: string },
): Promise<AlsoMeant> {
  const tenant = await findTenant(database, tenantId);
  if (tenant === undefined) return { skus: [], lotNos: new Set() };
  const { tenantNo } = tenant;
  const skus = await skusNamed(database, tenantId, searchable(q));
  const lotNos =
    q.length < REFERENCE_CHARS_MIN
      ? []
      : await lotsOfReferences(database, {
          ...{ tenantNo, prefix: q, above: textAbovePrefix(q) },
          ...{ events: EVENTS_MAX, limit: LOTS_MAX },
        });
  return { skus, lotNos: new Set(lotNos) };
}

async function skusNamed(
  database: DatabaseReader,
  tenantId: string,
  text: string,
): Promise<readonly string[]> {
  const found: string[] = [];
  const pages = pagesInTurns<{ readonly sku: string }, NamedSku>({
    start: { sku: '' },
    limit: PRODUCTS_PER_PAGE,
    read: ({ sku: after }, limit) => namedSkus(database, { tenantId, after, limit }),
  });
  let lookedThrough = 0;
  for await (const page of pages) {
    for (const product of page) {
      if (isNamed(product, text)) found.push(product.sku);
      if (found.length === NAMED_PRODUCTS_MAX) return found;
    }
    lookedThrough += page.length;
    if (lookedThrough >= LOOKED_THROUGH_MAX) break;
  }
  return found;
}

function isNamed(product: NamedSku, text: string): boolean {
  // Most names can be excluded by their JSON text, in a tenth of the time of parsing it.
  if (!searchable(product.names).includes(JSON.stringify(text).slice(1, -1))) return false;
  return Object.values(parseNames(product)).some((name) => searchable(name).includes(text));
}
