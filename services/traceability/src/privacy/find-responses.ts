// Finds the blocks that say what became of notifications to a customer, a page at a time.
import { pagesInTurns } from '@lothub/kit/in-turns';
import type { LedgerReader } from '../ledger/read.ts';
import { PLACES_MAX } from './erasing-writes.ts';
import { responsesToCustomer } from './queries.ts';

/** Heights of each page, at least one. */
export async function* responsesTo(
  { database }: LedgerReader,
  customer: { readonly tenantId: string; readonly customerRef: string },
): AsyncGenerator<readonly number[]> {
  const pages = pagesInTurns({
    start: { height: 0 },
    limit: PLACES_MAX,
    read: ({ height: above }, limit) =>
      responsesToCustomer(database, { ...customer, above, limit }),
  });
  for await (const rows of pages) {
    if (rows.length > 0) yield rows.map(({ height }) => height);
  }
}
