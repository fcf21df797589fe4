// Finds the events of a tenant whose private notes may quote a customer, also events of other customers: as sealed,
// or in a correction. There is no index over notes, so all events of the tenant are gone through, in pages between
// which other requests get their turn: five seconds for a million sales of which half have notes, on two busy cores.
import { pagesInTurns, slicesInTurns } from '@lothub/kit/in-turns';
import { OPENED_PER_TURN } from '../ledger/private-values.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { PLACES_MAX } from './erasing-writes.ts';
import type { Customer } from './find-customer.ts';
import { changeQuotes, sealedQuotes } from './queries.ts';

/** Slices of heights, each height once; notes that hold the reference inside of another word are among them. */
export async function* eventsQuoting(
  reader: LedgerReader,
  { tenantNo, customerRef: text }: Customer,
): AsyncGenerator<readonly number[]> {
  const { height: through } = await reader.head();
  const found = new Set<number>();
  const range = { tenantNo, text, through };
  const pages = { start: { height: -1 }, limit: PLACES_MAX };
  const sealed = pagesInTurns({
    ...pages,
    read: ({ height: above }, limit) => sealedQuotes(reader.database, { ...range, above, limit }),
  });
  for await (const rows of sealed) {
    for (const { height, quotes } of rows) if (quotes === 1) found.add(height);
  }
  const changed = pagesInTurns({
    ...pages,
    read: ({ height: above }, limit) => changeQuotes(reader.database, { ...range, above, limit }),
  });
  for await (const rows of changed) {
    for (const { correctsHeight, quotes } of rows) if (quotes === 1) found.add(correctsHeight);
  }
  yield* slicesInTurns(found, OPENED_PER_TURN);
}
