// Reads the recipients of lines to customers (sales and deliveries), as they count after
// corrections, and whether they were erased since (docs/interface/traceability.md#private-values).
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { slicesInTurns } from '@lothub/kit/in-turns';
import {
  applyCorrections,
  correctionsThrough,
  isEventBlock,
  readCorrections,
} from '../../ledger/effective-reader.ts';
import type { CorrectionBlock } from '../../ledger/effective-reader.ts';
import { findFieldPath } from '../../ledger/record/field-path.ts';
import type { ChainEvent } from '../../ledger/record/payload.ts';
import { commitmentOfLine } from '../../ledger/record/commitment.ts';
import { OPENED_PER_TURN, isCustomerField } from '../../ledger/private-values.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import { committingBlocks, privateChangesAt } from './impact-queries.ts';
import type { ImpactLine } from './impact-lines.ts';

/** The recipient of a sale or a delivery. */
export interface Sale {
  /** Null when it was not sent, or when it was erased. */
  readonly customerRef: string | null;
  readonly isErased: boolean;
  /**
   * The channel as the tenant sent it; only its class when the text was erased with the customer.
   */
  readonly channel: string | null;
}

type SoldLine = Pick<
  ImpactLine,
  'height' | 'lineNo' | 'corrections' | 'customerRef' | 'channel' | 'isOpen'
>;

/**
 * The recipients of some lines to customers, in their order.
 * @param atMost corrections above this height do not count
 */
export async function readSales(
  reader: LedgerReader,
  lines: readonly SoldLine[],
  atMost = Number.MAX_SAFE_INTEGER,
): Promise<readonly Sale[]> {
  const unclear = await blocksToOpen(reader.database, lines);
  if (unclear.length === 0) return lines.map(asSent);
  const opened = new Map<number, OpenedEvent>();
  for await (const slice of slicesInTurns(unclear, OPENED_PER_TURN)) {
    for (const event of await openEvents(reader, slice, atMost)) opened.set(event.height, event);
  }
  return lines.map((line) => {
    const event = opened.get(line.height);
    return event === undefined ? asSent(line) : buildSale(line, event);
  });
}

/** Private values that were sent, not erased and never corrected count unchanged. */
function asSent({ customerRef, channel }: SoldLine): Sale {
  return { customerRef, channel, isErased: false };
}

/**
 * Finds the blocks that have to be read: those of corrected events, and of lines that may be
 * erased.
 */
async function blocksToOpen(
  database: DatabaseReader,
  lines: readonly SoldLine[],
): Promise<readonly number[]> {
  const corrected = new Set<number>();
  const silent = new Set<number>();
  for (const { height, corrections, isOpen } of lines) {
    if (corrections > 0) corrected.add(height);
    else if (isOpen === 0) silent.add(height);
  }
  if (silent.size === 0) return [...corrected];
  const committing = await askForEach(database, cutSlices([...silent]), committingBlocks);
  return [...corrected, ...committing.flat()];
}

/** An event with its private values after corrections. */
interface OpenedEvent {
  readonly height: number;
  readonly sealed: ChainEvent;
  readonly effective: ChainEvent;
  /** The values of the last correction of each private field, by line. */
  readonly corrected: ReadonlyMap<number, Partial<Values>>;
}

/** The private values of one line: null when there is none, undefined when it was erased. */
interface Values {
  customerRef: string | null | undefined;
  channel: string | null | undefined;
}

async function openEvents(
  reader: LedgerReader,
  heights: readonly number[],
  atMost: number,
): Promise<readonly OpenedEvent[]> {
  const blocks = (await reader.blocks(heights)).filter(isEventBlock);
  const corrections = correctionsThrough(atMost, await readCorrections(reader, heights));
  const correcting = [...corrections.values()].flat().map((block) => block.height);
  const rows = await askForEach(reader.database, cutSlices(correcting), privateChangesAt);
  const texts = new Map(
    rows.flat().map((row) => [changeKey(row.height, row.changeNo), row.toText]),
  );
  return blocks.map((block) => ({
    height: block.height,
    sealed: block.payload.event,
    effective: applyCorrections(block, corrections).event,
    corrected: correctedValues(corrections.get(block.height) ?? [], texts),
  }));
}

/** @param texts by correction and number of the change; a change that is not here was erased */
function correctedValues(
  corrections: readonly CorrectionBlock[],
  texts: ReadonlyMap<string, string | null>,
): ReadonlyMap<number, Partial<Values>> {
  const ofLines = new Map<number, Partial<Values>>();
  for (const { height, payload } of corrections) {
    for (const [changeNo, change] of payload.correction.changes.entries()) {
      const path = findFieldPath(change.field);
      if (change.private === undefined || path?.kind !== 'line') continue;
      const values = ofLines.get(path.lineNo) ?? {};
      ofLines.set(path.lineNo, values);
      values[isCustomerField(path.field) ? 'customerRef' : 'channel'] = texts.get(
        changeKey(height, changeNo),
      );
    }
  }
  return ofLines;
}

function changeKey(height: number, changeNo: number): string {
  return `${height}.${changeNo}`;
}

function buildSale(line: SoldLine, { sealed, effective, corrected }: OpenedEvent): Sale {
  const { lineNo, isOpen } = line;
  const wasErased = commitmentOfLine(sealed.lines[lineNo]) !== undefined && isOpen === 0;
  const { customerRef, channel }: Values = {
    ...(wasErased
      ? { customerRef: undefined, channel: undefined }
      : { customerRef: line.customerRef, channel: line.channel }),
    ...corrected.get(lineNo),
  };
  return {
    customerRef: customerRef ?? null,
    isErased: customerRef === undefined,
    channel: channel === undefined ? (effective.lines[lineNo]?.channel ?? null) : channel,
  };
}
