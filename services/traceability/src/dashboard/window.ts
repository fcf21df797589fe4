// Reads the newest events and lots of a tenant for the checks, however many there are behind them, in
// slices between which others get their turn.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { pagesInTurns, type Pages } from '@lothub/kit/in-turns';
import { LINKS_BY_REFERENCE } from '../ledger/record/link-basis.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { LOTS_PER_COMPOUND, accountsOfLots } from '../lots/record-queries.ts';
import { ONE_SIDED_MAX, type ComplianceWindow, type OneSided } from './compliance.ts';
import { readCustomers } from './customers.ts';
import { findLate } from './late-records.ts';
import { accountState, type LotAccountState } from './lot-accounts.ts';
import {
  REFERENCES_PER_COMPOUND,
  linesOfEvents,
  newestEvents,
  newestLotsOfTenant,
  oneSidedEvents,
} from './queries.ts';
import type { WindowEvent, WindowLine, WindowLot } from './queries.ts';

/** Newest events that are looked at. Reading them with their lines takes some 50 ms, in slices. */
export const EVENTS_MAX = 2_000;
/** Lines of them; an event of 1,000 lines is rare, a thousand such events would take seconds. */
export const LINES_MAX = 20_000;
/** Newest lots that are looked at. */
export const LOTS_MAX = 2_000;
/** SKUs and units that are looked at of a lot; nearly every lot has one. */
const ACCOUNTS_MAX = 20;
/** Rows read in one query: about a millisecond, so that others get their turn. */
const ROWS_PER_QUERY = 500;

export interface ReadWindow {
  readonly window: ComplianceWindow;
  readonly lookedAt: {
    readonly events: number;
    readonly lots: number;
    /** Nothing is left out. */
    readonly whole: boolean;
  };
}

export async function readWindow(
  reader: LedgerReader,
  tenant: {
    readonly tenantNo: number;
    readonly tenantId: string;
    readonly events: number;
    readonly lots: number;
  },
): Promise<ReadWindow> {
  const { database } = reader;
  const { tenantNo } = tenant;
  const events = withinLines(
    await readNewest(EVENTS_MAX, {
      start: { height: Number.MAX_SAFE_INTEGER },
      read: ({ height: below }, limit) => newestEvents(database, { tenantNo, below, limit }),
    }),
  );
  const lots = await readNewest(LOTS_MAX, {
    start: { lotNo: Number.MAX_SAFE_INTEGER },
    read: ({ lotNo: below }, limit) => newestLotsOfTenant(database, { tenantNo, below, limit }),
  });
  const counting = events.filter((event) => event.voided === 0);
  const linesOf = await readLines(database, counting);
  const window: ComplianceWindow = {
    events: counting,
    linesOf,
    lots,
    accountsOf: await readAccountStates(database, lots),
    oneSidedOf: await readOneSided(database, { tenantNo, events: counting }),
    late: await findLate(database, counting),
    hasCustomer: await readCustomers(reader, {
      tenantId: tenant.tenantId,
      events: counting,
      linesOf,
    }),
  };
  const whole = events.length >= tenant.events && lots.length >= tenant.lots;
  return { window, lookedAt: { events: events.length, lots: lots.length, whole } };
}

/** The newest rows, page by page. */
async function readNewest<Place, Row extends Place>(
  rowsMax: number,
  pages: Omit<Pages<Place, Row>, 'limit'>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const page of pagesInTurns({ ...pages, limit: ROWS_PER_QUERY })) {
    rows.push(...page);
    if (rows.length >= rowsMax) break;
  }
  return rows;
}

/** The newest events that have no more lines than are looked at. */
function withinLines(events: readonly WindowEvent[]): readonly WindowEvent[] {
  let lines = 0;
  const end = events.findIndex(({ lineCount }) => (lines += lineCount) > LINES_MAX);
  return end < 0 ? events : events.slice(0, end);
}

async function readLines(
  database: DatabaseReader,
  events: readonly WindowEvent[],
): Promise<ReadonlyMap<number, readonly WindowLine[]>> {
  const lines = await askForEach(database, slicesByLines(events), (one, slice) =>
    linesOfEvents(one, { heights: slice.map(({ height }) => height), limit: LINES_MAX }),
  );
  return Map.groupBy(lines.flat(), ({ height }) => height);
}

/** Events that have together about as many lines as are read in one query. */
function* slicesByLines(events: readonly WindowEvent[]): Generator<readonly WindowEvent[]> {
  let from = 0;
  let lines = 0;
  for (const [index, { lineCount }] of events.entries()) {
    lines += lineCount;
    if (lines < ROWS_PER_QUERY) continue;
    yield events.slice(from, index + 1);
    from = index + 1;
    lines = 0;
  }
  if (from < events.length) yield events.slice(from);
}

async function readAccountStates(
  database: DatabaseReader,
  lots: readonly WindowLot[],
): Promise<ReadonlyMap<number, LotAccountState>> {
  const slices = cutSlices(
    lots.map(({ lotNo }) => lotNo),
    LOTS_PER_COMPOUND,
  );
  const rows = await askForEach(database, slices, (one, lotNos) =>
    accountsOfLots(one, { lotNos, limit: ACCOUNTS_MAX }),
  );
  const byLot = Map.groupBy(rows.flat(), ({ lotNo }) => lotNo);
  return new Map([...byLot].map(([lotNo, accounts]) => [lotNo, accountState(accounts)]));
}

async function readOneSided(
  database: DatabaseReader,
  { tenantNo, events }: { readonly tenantNo: number; readonly events: readonly WindowEvent[] },
): Promise<ReadonlyMap<string, readonly OneSided[]>> {
  const linking = events.filter(({ linkBasis }) => linkBasis === LINKS_BY_REFERENCE);
  const references = [...new Set(linking.map(({ reference }) => reference))];
  const rows = await askForEach(
    database,
    cutSlices(references, REFERENCES_PER_COMPOUND),
    (one, slice) => oneSidedEvents(one, { tenantNo, references: slice, limit: ONE_SIDED_MAX + 1 }),
  );
  return Map.groupBy(rows.flat(), ({ reference }) => reference);
}
