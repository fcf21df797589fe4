// Finds the events of a tenant whose private notes may quote a customer, whoever bought: as sealed, or in
// a correction. There is no index over notes, so all events of the tenant are gone through, in pages
// between which other requests get their turn: five seconds for a million sales of which half have notes,
// on two busy cores.
import { setImmediate } from 'node:timers/promises';
import { slicesOf } from '@lothub/kit/in-list';
import type { LedgerReader } from '../ledger/read.ts';
import { PLACES_MAX } from './erasing-writes.ts';
import { BLOCKS_PER_SLICE } from './find-customer.ts';
import type { Customer } from './find-customer.ts';
import { changeQuotes, sealedQuotes } from './queries.ts';

/** Slices of heights, each height once; notes that hold the reference inside of another word are among them. */
export async function* eventsQuoting(
  reader: LedgerReader,
  { tenantNo, customerRef: text }: Customer,
): AsyncGenerator<readonly number[]> {
  const { height: through } = await reader.head();
  const found = new Set<number>();
  const page = { tenantNo, text, through, limit: PLACES_MAX };
  for (let above = -1; above < through;) {
    const rows = await sealedQuotes(reader.database, { ...page, above });
    for (const { height, quotes } of rows) if (quotes === 1) found.add(height);
    above = rows.length < PLACES_MAX ? through : (rows.at(-1)?.height ?? through);
    await setImmediate();
  }
  for (let above = -1; above < through;) {
    const rows = await changeQuotes(reader.database, { ...page, above });
    for (const { correctsHeight, quotes } of rows) if (quotes === 1) found.add(correctsHeight);
    above = rows.length < PLACES_MAX ? through : (rows.at(-1)?.height ?? through);
    await setImmediate();
  }
  yield* slicesOf([...found], BLOCKS_PER_SLICE);
}
