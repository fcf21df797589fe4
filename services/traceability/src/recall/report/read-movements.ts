// Collects from the lines of a case's lots what the report needs besides their impact: how much of
// them is with customers who have responded, and which blocks prove it.
import { pagesInTurns, slicesInTurns } from '@lothub/kit/in-turns';
import Big from 'big.js';
import { accountKey } from '../../ledger/record/quantities.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import type { Counted } from '../trace/handovers.ts';
import type { ImpactLine } from '../trace/impact-lines.ts';
import type { ImpactListener } from '../trace/impact.ts';
import { respondedCustomers } from '../outbox/queries.ts';
import type { Sale } from '../trace/sales.ts';
import { mentionsOfLots } from './report-queries.ts';

/** Rows of one query: about a millisecond. */
const ROWS_PER_PAGE = 1_000;

/** Receives the lines of an impact as they are read. */
export class Movements implements ImpactListener {
  readonly #answering: ReadonlySet<string>;
  readonly #answered = new Map<string, Big>();
  readonly #heights = new Set<number>();

  private constructor(answering: ReadonlySet<string>) {
    this.#answering = answering;
  }

  static async ofCase(reader: LedgerReader, caseId: number): Promise<Movements> {
    return new Movements(await readAnswering(reader, caseId));
  }

  /** The amounts that customers who have responded bought of the lots, by `accountKey`. */
  get answered(): ReadonlyMap<string, Big> {
    return this.#answered;
  }

  addEvents(events: readonly { readonly height: number }[]): void {
    for (const { height } of events) this.#heights.add(height);
  }

  addSale(line: ImpactLine, { customerRef }: Sale, counted: Counted): void {
    if (customerRef === null || !this.#answering.has(customerRef)) return;
    const key = accountKey(line.productSku, line.unit);
    this.#answered.set(key, (this.#answered.get(key) ?? new Big(0)).plus(counted.toCustomer));
  }

  /** Heights of all blocks that carry the lots, or correct what does. */
  async heights(reader: LedgerReader, lotNos: readonly number[]): Promise<ReadonlySet<number>> {
    await addMentions(reader, lotNos, this.#heights);
    return this.#heights;
  }
}

/** Reads the customers who have responded. */
async function readAnswering(
  { database }: LedgerReader,
  caseId: number,
): Promise<ReadonlySet<string>> {
  const answering = new Set<string>();
  const pages = pagesInTurns({
    start: { notificationId: 0 },
    limit: ROWS_PER_PAGE,
    read: ({ notificationId: above }, limit) =>
      respondedCustomers(database, { caseId, above, limit }),
  });
  for await (const page of pages) {
    for (const { recipient } of page) if (recipient !== null) answering.add(recipient);
  }
  return answering;
}

async function addMentions(
  { database }: LedgerReader,
  lotNos: readonly number[],
  heights: Set<number>,
): Promise<void> {
  for await (const slice of slicesInTurns(lotNos)) {
    const pages = pagesInTurns({
      start: { lotNo: 0, height: 0 },
      limit: ROWS_PER_PAGE,
      read: (after, limit) => mentionsOfLots(database, { lotNos: slice, after, limit }),
    });
    for await (const page of pages) for (const { height } of page) heights.add(height);
  }
}
