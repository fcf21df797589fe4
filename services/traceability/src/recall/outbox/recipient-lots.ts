// Finds which lots of a case reached one recipient, and how much of each: the message to that
// recipient contains this. Messages to an authority and to quality assurance contain how much of
// each lot reached any customer.
import { at } from '@lothub/kit/present';
import type { LedgerReader } from '../../ledger/read.ts';
import { channelClass } from '../../events/channel-class.ts';
import { lotItems } from '../../lots/record.ts';
import type { Audience } from '../notification-status.ts';
import { HandoverCount, isHandedOver, mayHandOver } from '../trace/handovers.ts';
import { pagesOfLines } from '../trace/impact-lines.ts';
import { QuantityTally, type Quantity, type Reach } from '../trace/reach.ts';
import { readSales, type Sale } from '../trace/sales.ts';

/** Lots that a message names; of more it says how many there are. */
export const MESSAGE_LOTS_MAX = 100;
/**
 * Maximum number of lines of these lots that are read, some tens of milliseconds; above it the
 * response has no amounts.
 */
const LINES_MAX = 5_000;

export interface LotOfRecipient {
  readonly lotCode: string;
  readonly productSku: string;
  /** The amounts by unit; none for a supplier, and none when the lots have too many lines. */
  readonly quantities: readonly Quantity[];
}

/** @param notified.reach of the lots of the case */
export async function lotsOfRecipient(
  reader: LedgerReader,
  notified: {
    readonly reach: Reach;
    readonly audience: Audience;
    readonly recipient: string | null;
  },
): Promise<readonly LotOfRecipient[]> {
  const { reach, audience, recipient } = notified;
  if (recipient === null) return [];
  const lotNos = reach.listFirstLots(audience, recipient, MESSAGE_LOTS_MAX);
  if (lotNos.length === 0) return [];
  const items = await lotItems(reader.database, lotNos);
  const tallies = audience === 'supplier' ? undefined : await findTallies(reader, notified, lotNos);
  return items.map(({ lot_code: lotCode, product_sku: productSku }, index) => ({
    ...{ lotCode, productSku },
    quantities: tallies?.get(at(lotNos, index))?.reached().quantities ?? [],
  }));
}

/** @returns undefined when there are too many lines */
async function findTallies(
  reader: LedgerReader,
  { audience, recipient }: { readonly audience: Audience; readonly recipient: string | null },
  lotNos: readonly number[],
): Promise<ReadonlyMap<number, QuantityTally> | undefined> {
  const { database } = reader;
  const tallies = new Map(lotNos.map((lotNo) => [lotNo, new QuantityTally()]));
  const handovers = await HandoverCount.ofLots(database, lotNos);
  const sought = { lotNos, linesMax: LINES_MAX, wanted: mayHandOver };
  for await (const { lines, isCut } of pagesOfLines(database, sought)) {
    if (isCut) return undefined;
    const sold = lines.filter(isHandedOver);
    for (const [index, sale] of (await readSales(reader, sold)).entries()) {
      const line = sold[index];
      if (line === undefined) continue;
      // Lines to all recipients are counted, because one may represent another one.
      const counted = handovers.count(line, sale);
      if (!isTo(sale, audience, recipient)) continue;
      const quantity = hasAllLots(audience)
        ? counted.total
        : audience === 'customer'
          ? counted.toCustomer
          : line.quantity;
      tallies.get(line.lotNo)?.add(line, quantity);
    }
  }
  return tallies;
}

function isTo({ customerRef, channel }: Sale, audience: Audience, recipient: string | null) {
  if (hasAllLots(audience)) return true;
  if (audience === 'customer') return customerRef === recipient;
  return channel !== null && (channel === recipient || channelClass(channel) === recipient);
}

/** Whether an audience is notified about every lot of a case, also lots that reached others. */
export function hasAllLots(audience: Audience): boolean {
  return audience === 'internal_qa' || audience === 'regulator';
}
