// Finds the sales of a tenant that ever named a customer, as sealed or through a correction, and the events whose
// notes may quote the customer, a slice at a time. Posts in the meantime add rounds, up to a limit.
import { pagesInTurns, slicesInTurns } from '@lothub/kit/in-turns';
import { isCorrectionBlock } from '../ledger/effective-reader.ts';
import { findFieldPath } from '../ledger/record/field-path.ts';
import { OPENED_PER_TURN, isCustomerField } from '../ledger/private-values.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { PLACES_MAX } from './erasing-writes.ts';
import type { LinePlace } from './plan-erasure.ts';
import { changeQuotes, changesOfCustomer, linesOfCustomer, sealedQuotes } from './queries.ts';
import type { ChangeSide, CustomerChangeRow } from './queries.ts';

/** What is posted after the last of them is a later sale. */
const ROUNDS_MAX = 3;

export interface Customer {
  readonly tenantNo: number;
  readonly customerRef: string;
}

export interface CustomerSlice {
  /** Lines of events without corrections, at most PLACES_MAX. */
  readonly plain: readonly LinePlace[];
  /** Lines of events that were corrected, by event; at most OPENED_PER_TURN events. */
  readonly corrected: ReadonlyMap<number, readonly number[]>;
}

/** A line comes once in each round that finds it. */
export async function* slicesOfCustomer(
  reader: LedgerReader,
  customer: Customer,
): AsyncGenerator<CustomerSlice> {
  let before = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { height: through } = await reader.head();
    if (through === before) return;
    const range = { ...customer, before, through };
    const seen = new SeenLines();
    for (const side of ['from', 'to'] as const) {
      for await (const slice of changedLines(reader, { ...range, side })) yield seen.takeNew(slice);
    }
    for await (const slice of sealedLines(reader, range)) yield seen.takeNew(slice);
    before = through;
  }
}

interface Range extends Customer {
  /** A block that was looked at already. */
  readonly before: number;
  readonly through: number;
}

async function* changedLines(
  reader: LedgerReader,
  range: Range & { readonly side: ChangeSide },
): AsyncGenerator<CustomerSlice> {
  const { customerRef, side, through, tenantNo } = range;
  const pages = pagesInTurns({
    start: { height: range.before, changeNo: Number.MAX_SAFE_INTEGER },
    limit: PLACES_MAX,
    read: (after, limit) =>
      changesOfCustomer(reader.database, { customerRef, side, after, through, limit }),
  });
  for await (const rows of pages) {
    const own = rows.filter((row) => row.tenantNo === tenantNo);
    for await (const slice of slicesInTurns(own, OPENED_PER_TURN)) {
      yield { plain: [], corrected: await linesOfChanges(reader, slice) };
    }
  }
}

/** The lines whose customer these changes are about; a channel or a note may be the same text. */
async function linesOfChanges(
  reader: LedgerReader,
  rows: readonly CustomerChangeRow[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const blocks = await reader.blocks(rows.map((row) => row.height));
  const corrections = new Map(blocks.filter(isCorrectionBlock).map((one) => [one.height, one]));
  const lines = new Map<number, number[]>();
  for (const { height, changeNo, correctsHeight } of rows) {
    const change = corrections.get(height)?.payload.correction.changes[changeNo];
    const path = change === undefined ? undefined : findFieldPath(change.field);
    if (path?.kind !== 'line' || !isCustomerField(path.field)) continue;
    addLine(lines, correctsHeight, path.lineNo);
  }
  return lines;
}

async function* sealedLines(reader: LedgerReader, range: Range): AsyncGenerator<CustomerSlice> {
  const { customerRef, through, tenantNo } = range;
  const pages = pagesInTurns({
    start: { height: range.before, lineNo: Number.MAX_SAFE_INTEGER },
    limit: PLACES_MAX,
    read: (after, limit) =>
      linesOfCustomer(reader.database, { customerRef, after, through, limit }),
  });
  for await (const rows of pages) {
    const own = rows.filter((row) => row.tenantNo === tenantNo);
    const plain = own.filter((row) => row.corrections === 0);
    if (plain.length > 0) yield { plain, corrected: new Map() };
    const corrected = new Map<number, number[]>();
    for (const { height, lineNo, corrections } of own) {
      if (corrections > 0) addLine(corrected, height, lineNo);
    }
    for await (const slice of slicesInTurns(corrected, OPENED_PER_TURN)) {
      yield { plain: [], corrected: new Map(slice) };
    }
  }
}

/** Lines of corrected events, which more than one search may find. */
class SeenLines {
  readonly #seen = new Map<number, Set<number>>();

  takeNew({ plain, corrected }: CustomerSlice): CustomerSlice {
    const fresh = new Map<number, readonly number[]>();
    for (const [height, lineNos] of corrected) {
      const seen = this.#seen.get(height) ?? new Set();
      this.#seen.set(height, seen);
      const some = lineNos.filter((lineNo) => !seen.has(lineNo));
      for (const lineNo of some) seen.add(lineNo);
      if (some.length > 0) fresh.set(height, some);
    }
    return { plain, corrected: fresh };
  }
}

function addLine(lines: Map<number, number[]>, height: number, lineNo: number): void {
  const ofEvent = lines.get(height);
  if (ofEvent === undefined) lines.set(height, [lineNo]);
  else if (!ofEvent.includes(lineNo)) ofEvent.push(lineNo);
}

/**
 * Finds the events of a tenant whose private notes may quote a customer, also events of other customers: as sealed, or
 * in a correction. There is no index over notes, so all events of the tenant are gone through, in pages between which
 * other requests get their turn: five seconds for a million sales of which half have notes, on two busy cores.
 *
 * @returns slices of heights, each height once; notes that hold the reference inside of another word are among them.
 */
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
