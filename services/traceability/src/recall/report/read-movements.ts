// What the lines of a case's lots tell the report besides their impact: what reached whom, how much of it
// is with customers who have answered, and which blocks prove all that.
import { setImmediate } from 'node:timers/promises';
import { slicesOf } from '@lothub/kit/in-list';
import Big from 'big.js';
import { accountKey } from '../../ledger/quantities.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import type { LotPlace } from '../../lots/queries.ts';
import { pagesOfLines } from '../impact-lines.ts';
import type { SoughtLines } from '../impact-lines.ts';
import { respondedCustomers } from '../notification-queries.ts';
import { Reach } from '../reach.ts';
import { salesOf } from '../sales.ts';
import { mentionsOfLots } from './report-queries.ts';

/** Lines of the lots looked at: as many as for the impact. */
const LINES_MAX = 1_000_000;
/** Rows of one query: about a millisecond. */
const ROWS_PER_PAGE = 1_000;

export interface Movements {
  readonly reach: Reach;
  /** What customers who have answered bought of the lots, by `accountKey`. */
  readonly answered: ReadonlyMap<string, Big>;
  /** Of all blocks that carry the lots, or correct what does. */
  readonly heights: ReadonlySet<number>;
}

export async function readMovements(
  reader: LedgerReader,
  of: { readonly caseId: number; readonly lotNos: readonly number[] },
): Promise<Movements> {
  const { database } = reader;
  const { caseId, lotNos } = of;
  const answering = await readAnswering(reader, caseId);
  const reach = new Reach(lotNos.length);
  const answered = new Map<string, Big>();
  const heights = new Set<number>();
  const sought: SoughtLines = {
    lotNos,
    linesMax: LINES_MAX,
    wanted: ({ eventType }) => eventType === 'SELL',
  };
  for await (const { events, lines: sold } of pagesOfLines(database, sought)) {
    for (const { height } of events) heights.add(height);
    for (const [index, sale] of (await salesOf(reader, sold)).entries()) {
      const line = sold[index];
      if (line === undefined) continue;
      reach.addSale(line, sale);
      if (sale.customerRef === null || !answering.has(sale.customerRef)) continue;
      const key = accountKey(line.productSku, line.unit);
      answered.set(key, (answered.get(key) ?? new Big(0)).plus(line.quantity));
    }
  }
  await addMentions(reader, lotNos, heights);
  return { reach, answered, heights };
}

/** Customers who said what became of their goods. */
async function readAnswering(
  { database }: LedgerReader,
  caseId: number,
): Promise<ReadonlySet<string>> {
  const answering = new Set<string>();
  for (let above: number | undefined = 0; above !== undefined;) {
    const page: Awaited<ReturnType<typeof respondedCustomers>> = await respondedCustomers(
      database,
      { caseId, above, limit: ROWS_PER_PAGE },
    );
    for (const { recipient } of page) if (recipient !== null) answering.add(recipient);
    above = page.length < ROWS_PER_PAGE ? undefined : page.at(-1)?.notificationId;
    await setImmediate();
  }
  return answering;
}

async function addMentions(
  { database }: LedgerReader,
  lotNos: readonly number[],
  heights: Set<number>,
): Promise<void> {
  for (const slice of slicesOf(lotNos)) {
    let after: LotPlace | undefined = { lotNo: 0, height: 0 };
    while (after !== undefined) {
      const page: readonly LotPlace[] = await mentionsOfLots(database, {
        lotNos: slice,
        after,
        limit: ROWS_PER_PAGE,
      });
      for (const { height } of page) heights.add(height);
      after = page.length < ROWS_PER_PAGE ? undefined : page.at(-1);
      await setImmediate();
    }
  }
}
