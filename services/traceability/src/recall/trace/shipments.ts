// Reads the shipments of lots and their places of origin; a place is only in the blocks.
import { slicesInTurns, sortInTurns } from '@lothub/kit/in-turns';
import {
  applyCorrections,
  correctionsThrough,
  isEventBlock,
  readCorrections,
} from '../../ledger/effective-reader.ts';
import { comparableInstant } from '../../ledger/record/quantities.ts';
import { BLOCKS_PER_TURN, type LedgerReader } from '../../ledger/read.ts';
import type { ImpactLine } from './impact-lines.ts';

/** One line of a SHIP event, as it counts now. */
export interface Shipment {
  readonly height: number;
  readonly lineNo: number;
  readonly occurredAt: string;
  readonly location: string;
  readonly reference: string;
  readonly lotCode: string;
  readonly productSku: string;
  /** Decimal text. */
  readonly quantity: string;
  readonly unit: string;
}

type Place = Pick<Shipment, 'location' | 'reference'>;

/** The shipments of these lines, by when they occurred. */
export async function readShipments(
  reader: LedgerReader,
  request: {
    readonly lines: readonly ImpactLine[];
    readonly getCode: (lotNo: number) => string;
    /** Corrections above this height do not count. */
    readonly atMost: number;
  },
): Promise<readonly Shipment[]> {
  const places = await readPlaces(reader, request);
  const shipments = request.lines.map((line): Shipment => {
    const { height, lineNo, occurredAt, productSku, quantity, unit } = line;
    return {
      height,
      lineNo,
      occurredAt,
      ...(places.get(height) ?? { location: '', reference: '' }),
      lotCode: request.getCode(line.lotNo),
      productSku,
      quantity,
      unit,
    };
  });
  return await sortInTurns(shipments, byOccurrence);
}

async function readPlaces(
  reader: LedgerReader,
  { lines, atMost }: { readonly lines: readonly ImpactLine[]; readonly atMost: number },
): Promise<ReadonlyMap<number, Place>> {
  const corrections = new Map(lines.map((line) => [line.height, line.corrections]));
  const places = new Map<number, Place>();
  for await (const heights of slicesInTurns(corrections.keys(), BLOCKS_PER_TURN)) {
    const blocks = await reader.blocks(heights);
    const corrected = heights.filter((height) => (corrections.get(height) ?? 0) > 0);
    const found = correctionsThrough(atMost, await readCorrections(reader, corrected));
    for (const block of blocks) {
      if (!isEventBlock(block)) continue;
      const { location, reference } = applyCorrections(block, found).event;
      places.set(block.height, { location, reference });
    }
  }
  return places;
}

function byOccurrence(a: Shipment, b: Shipment): number {
  const [instantA, instantB] = [comparableInstant(a.occurredAt), comparableInstant(b.occurredAt)];
  if (instantA !== instantB) return instantA < instantB ? -1 : 1;
  return a.height - b.height || a.lineNo - b.lineNo;
}
