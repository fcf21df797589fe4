// Reads the events that were corrected after a block, as they counted when it was the newest. They
// replace their stored rows, which contain what counts now.
import { askForEach } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { present } from '@lothub/kit/present';
import { pagesInTurns, slicesInTurns } from '@lothub/kit/in-turns';
import { Refusal } from '../../errors.ts';
import type { EffectiveEvent } from '../../ledger/record/effective.ts';
import {
  applyCorrections,
  correctionsThrough,
  isEventBlock,
  readCorrections,
} from '../../ledger/effective-reader.ts';
import { deriveEffectiveLinkBasis, type LinkBasis } from '../../ledger/record/link-basis.ts';
import { isDelivery } from '../../ledger/record/delivery.ts';
import { findCustomer, readSealedValues, type SealedValues } from '../../ledger/private-values.ts';
import { listProvenances } from '../../ledger/record/provenance.ts';
import { BLOCKS_PER_TURN, type LedgerReader } from '../../ledger/read.ts';
import type { DeliveryRow } from '../../lots/genealogy/queries.ts';
import type { ImpactLine } from '../trace/impact-lines.ts';
import type { ImpactEventRow } from '../trace/impact-queries.ts';
import { correctionsAbove, lotsOfCodes } from './queries.ts';

/** Events corrected since; with more, the request is refused. They are read in about a second. */
const EVENTS_MAX = 20_000;
const CORRECTIONS_PER_PAGE = 1_000;

export interface PastEvent {
  readonly height: number;
  readonly linkBasis: LinkBasis;
  readonly reference: string;
  /** The lines in the order of the event. */
  readonly lines: readonly ImpactLine[];
  readonly eventType: EffectiveEvent['event']['event_type'];
  /** The row that would have been stored then. */
  readonly row: ImpactEventRow;
  readonly deliveries: readonly DeliveryRow[];
}

/**
 * Reads the events up to a height that were corrected above it, by their heights.
 * @throws Refusal `rule_broken` when there are too many
 */
export async function readPastEvents(
  reader: LedgerReader,
  past: { readonly tenantNo: number; readonly height: number },
): Promise<ReadonlyMap<number, PastEvent>> {
  const heights = await correctedSince(reader, past);
  const events = new Map<number, PastEvent>();
  for await (const slice of slicesInTurns(heights, BLOCKS_PER_TURN)) {
    for (const event of await readSlice(reader, { ...past, heights: slice })) {
      events.set(event.height, event);
    }
  }
  return events;
}

async function correctedSince(
  { database }: LedgerReader,
  { tenantNo, height }: { readonly tenantNo: number; readonly height: number },
): Promise<readonly number[]> {
  const corrected = new Set<number>();
  const pages = pagesInTurns({
    start: { height },
    limit: CORRECTIONS_PER_PAGE,
    read: ({ height: above }, limit) => correctionsAbove(database, { tenantNo, above, limit }),
  });
  for await (const page of pages) {
    for (const { correctsHeight } of page)
      if (correctsHeight <= height) corrected.add(correctsHeight);
    if (corrected.size > EVENTS_MAX) {
      throw new Refusal(
        'rule_broken',
        `More than ${EVENTS_MAX} events were corrected since block ${height}: ` +
          'simulate at a later block',
      );
    }
  }
  return [...corrected].sort((a, b) => a - b);
}

async function readSlice(
  reader: LedgerReader,
  slice: {
    readonly tenantNo: number;
    readonly height: number;
    readonly heights: readonly number[];
  },
): Promise<readonly PastEvent[]> {
  const { database } = reader;
  const blocks = (await reader.blocks(slice.heights)).filter(isEventBlock);
  const corrections = correctionsThrough(
    slice.height,
    await readCorrections(reader, slice.heights),
  );
  const sealed = await readSealedValues(database, slice.heights);
  const effective = blocks.map((block) => ({
    height: block.height,
    event: applyCorrections(block, corrections),
  }));
  const codes = new Set(
    effective.flatMap(({ event }) => event.event.lines.map((line) => line.lot_code)),
  );
  const lots = await askForEach(database, cutSlices([...codes]), (one, lotCodes) =>
    lotsOfCodes(one, { tenantNo: slice.tenantNo, lotCodes }),
  );
  const lotNos = new Map(lots.flat().map(({ lotCode, lotNo }) => [lotCode, lotNo]));
  return effective.map(({ height, event }) => pastEvent({ height, event, lotNos, sealed }));
}

function pastEvent(stored: {
  readonly height: number;
  readonly event: EffectiveEvent;
  readonly lotNos: ReadonlyMap<string, number>;
  readonly sealed: SealedValues;
}): PastEvent {
  const { height, event: effective, lotNos } = stored;
  const { event, voided, correctedBy } = effective;
  const secrets = stored.sealed.get(height)?.lines;
  const lines = event.lines.map((line, lineNo): ImpactLine => {
    const secret = secrets?.get(lineNo);
    return {
      lotNo: present(lotNos.get(line.lot_code), 'the lot of a line'),
      height,
      lineNo,
      eventType: voided ? null : event.event_type,
      occurredAt: event.occurred_at,
      reference: event.reference,
      corrections: correctedBy.length,
      isDelivery: isDelivery(event.event_type, line) ? 1 : 0,
      productSku: line.product_sku,
      direction: line.direction,
      quantity: line.quantity,
      unit: line.unit,
      customerRef: findCustomer(secret),
      channel: secret?.channel ?? null,
      isOpen: secret === undefined ? 0 : 1,
    };
  });
  const deliveries = listProvenances(effective).map((provenance): DeliveryRow => {
    const { lotCode, isLeaf, ...values } = provenance;
    return {
      ...values,
      lotNo: present(lotNos.get(lotCode), 'the lot of a delivery'),
      height,
      productSku: present(event.lines[values.lineNo], 'the line of a delivery').product_sku,
      isLeaf: isLeaf ? 1 : 0,
    };
  });
  return {
    height,
    linkBasis: deriveEffectiveLinkBasis(effective),
    reference: event.reference,
    lines,
    eventType: event.event_type,
    row: {
      height,
      eventType: voided ? null : event.event_type,
      occurredAt: event.occurred_at,
      reference: event.reference,
      corrections: correctedBy.length,
      lines: lines.length,
    },
    deliveries,
  };
}
