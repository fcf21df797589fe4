// Finds the notifications to a customer, and the blocks of recall cases that commit to it as their recipient.
import { pagesInTurns } from '@lothub/kit/in-turns';
import type { LedgerReader } from '../ledger/read.ts';
import { findParts, isPublicStep } from '../ledger/record/decisions/confidential.ts';
import { findPayload } from '../ledger/record/payload-shape.ts';
import { PLACES_MAX } from './erasing-writes.ts';
import { blocksWithRecipients, notificationsToCustomer, responsesToCustomer } from './queries.ts';
import type { BlockWithRecipients, CustomerNotificationRow } from './queries.ts';

/** Blocks in memory at once: each names at most a thousand recipients, in some 100 kB. */
const BLOCKS_PER_PAGE = 20;

interface Customer {
  readonly tenantId: string;
  readonly tenantNo: number;
  readonly customerRef: string;
}

export interface CustomerNotifications {
  readonly ids: readonly number[];
  /** Blocks that commit to the recipient of one of them, in any order. */
  readonly heights: readonly number[];
}

/** Page by page, each of at least one notification. */
export async function* notificationsTo(
  reader: LedgerReader,
  customer: Customer,
): AsyncGenerator<CustomerNotifications> {
  const pages = pagesInTurns({
    start: { id: 0 },
    limit: PLACES_MAX,
    read: ({ id: above }, limit) =>
      notificationsToCustomer(reader.database, { ...customer, above, limit }),
  });
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    const heights = await heightsNaming(reader, customer.tenantId, rows);
    yield { ids: rows.map(({ id }) => id), heights };
  }
}

async function heightsNaming(
  { database }: LedgerReader,
  tenantId: string,
  notifications: readonly CustomerNotificationRow[],
): Promise<readonly number[]> {
  const heights: number[] = [];
  for (const [caseNo, rows] of Map.groupBy(notifications, (row) => row.caseNo)) {
    const ids = new Set(rows.map(({ id }) => id));
    const pages = pagesInTurns({
      start: { height: -1 },
      limit: BLOCKS_PER_PAGE,
      read: ({ height: above }, limit) =>
        blocksWithRecipients(database, { tenantId, caseNo, above, limit }),
    });
    for await (const blocks of pages) {
      for (const block of blocks) if (namesAny(block, ids)) heights.push(block.height);
    }
  }
  return heights;
}

/** Whether a block was the first to commit to the recipient of a notification: one that discloses was not. */
function namesAny({ canonical, parts }: BlockWithRecipients, ids: ReadonlySet<number>): boolean {
  const payload = findPayload(canonical);
  if (payload?.type !== 'recall') return false;
  const { decision } = payload;
  const confidential = parts === null ? undefined : findParts(parts);
  const steps = isPublicStep(decision) ? [decision] : (confidential ?? []);
  const concerned = steps.flatMap((step) => step.concerned ?? []);
  return concerned.some(({ id, commitment }) => commitment !== undefined && ids.has(id));
}

/** Finds the blocks that say what became of notifications to a customer: heights of each page, at least one. */
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
