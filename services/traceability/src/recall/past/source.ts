// The source of a trace at an earlier block. It leaves out what was recorded after that block, and
// it undoes what was corrected after it. Holds are those of the moment at which the block was
// sealed; recalls are absent, because no block contains them.
import { askInOrder } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { buildRecord } from '@lothub/kit/build-record';
import { inTurns } from '@lothub/kit/in-turns';
import { compareTexts } from '@lothub/kit/text-order';
import { LotTally, type Account } from '../../ledger/record/quantities.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import { computeBalance, type Balance } from '../../lots/balances.ts';
import type { DeliveryRow } from '../../lots/genealogy/queries.ts';
import { toLotState } from '../../lots/state.ts';
import type { DeliveryOverlay } from '../../lots/genealogy/supplier-lots.ts';
import { HandoverCount, isHandedOver, readDeliveredLots } from '../trace/handovers.ts';
import { byPlace, pagesOfLines } from '../trace/impact-lines.ts';
import type { ImpactLine, LinesPage, SoughtLines } from '../trace/impact-lines.ts';
import type { ImpactEventRow } from '../trace/impact-queries.ts';
import { readPastEvents, type PastEvent } from './events.ts';
import { PastLinks } from './links.ts';
import { lotsAtMoment } from './queries.ts';
import { ownSkuFirst, type LotStanding, type LotStandings } from '../trace/standings.ts';
import type { TraceSource } from '../trace/source.ts';
import { PARTS } from '../../ledger/record/event-types.ts';

/** Maximum number of lines of the lots that are read. */
const LINES_MAX = 1_000_000;

/**
 * Makes the source of a trace of what a tenant had recorded at a block.
 * @param past.moment when the block was sealed
 * @throws Refusal `rule_broken` when too much was corrected since
 */
export async function pastSource(
  reader: LedgerReader,
  past: { readonly tenantNo: number; readonly height: number; readonly moment: string },
): Promise<TraceSource> {
  const { height, moment } = past;
  const events = await readPastEvents(reader, past);
  const links = new PastLinks({ height, events });
  const lines = new PastLines(links, events);
  return {
    atMost: height,
    links,
    deliveries: buildOverlay(links, events),
    standings: (one, lotNos) => readStandings(one, { lotNos, moment, lines }),
    handovers: async (one, lotNos) => new HandoverCount(await lines.deliveredLots(one, lotNos)),
    pagesOfLines: (one, sought) => lines.pages(one, sought),
  };
}

function buildOverlay(links: PastLinks, events: ReadonlyMap<number, PastEvent>): DeliveryOverlay {
  const all = [...events.values()].flatMap((event) => event.deliveries);
  const select = (isSought: (row: DeliveryRow) => boolean): readonly DeliveryRow[] =>
    all.filter(isSought);
  return {
    counts: (height) => links.counts(height),
    intoLots: (lotNos) => {
      const sought = new Set(lotNos);
      return select((row) => sought.has(row.lotNo));
    },
    ofCode: (supplierLotCode) => select((row) => row.supplier_lot_code === supplierLotCode),
  };
}

class PastLines {
  readonly #links: PastLinks;
  readonly #ofLot: ReadonlyMap<
    number,
    readonly { readonly event: PastEvent; readonly line: ImpactLine }[]
  >;

  constructor(links: PastLinks, events: ReadonlyMap<number, PastEvent>) {
    this.#links = links;
    const lines = [...events.values()].flatMap((event) =>
      event.lines.map((line) => ({ event, line })),
    );
    this.#ofLot = Map.groupBy(lines, ({ line }) => line.lotNo);
  }

  /** Yields pages by height and line, in the order of the stored ones. */
  async *pages({ database }: LedgerReader, sought: SoughtLines): AsyncGenerator<LinesPage> {
    const { wanted } = sought;
    const stored = {
      ...sought,
      wanted: (event: ImpactEventRow) => this.#counts(event) && wanted(event),
    };
    let past = this.#listEvents(sought.lotNos);
    let isCut = false;
    for await (const page of pagesOfLines(database, stored)) {
      const through = page.events.reduce((last, { height }) => Math.max(last, height), 0);
      const due = past.filter(({ event }) => event.height <= through);
      past = past.slice(due.length);
      isCut = page.isCut;
      const events = page.events.filter((event) => this.#counts(event));
      yield buildPage({ events, lines: page.lines, past: due, wanted, isCut });
    }
    yield buildPage({ events: [], lines: [], past, wanted, isCut });
  }

  /** Finds lots with a delivery among their lines, as they count now or as they counted then. */
  async deliveredLots({ database }: LedgerReader, lotNos: readonly number[]): Promise<Set<number>> {
    const lots = await readDeliveredLots(database, lotNos);
    for (const lotNo of lotNos) {
      const isDelivered = this.#ofLot.get(lotNo)?.some(({ line }) => line.isDelivery === 1);
      if (isDelivered === true) lots.add(lotNo);
    }
    return lots;
  }

  #counts({ height }: ImpactEventRow): boolean {
    return this.#links.counts(height);
  }

  /** Ascending by height. */
  #listEvents(lotNos: readonly number[]): readonly PastEventOfLots[] {
    const lines = new Map<PastEvent, ImpactLine[]>();
    for (const lotNo of lotNos) {
      for (const { event, line } of this.#ofLot.get(lotNo) ?? []) {
        const known = lines.get(event);
        if (known === undefined) lines.set(event, [line]);
        else known.push(line);
      }
    }
    return [...lines]
      .map(([event, ofLots]) => ({ event, lines: ofLots }))
      .sort((a, b) => a.event.height - b.event.height);
  }
}

/** An event with its lines that name some lots. */
interface PastEventOfLots {
  readonly event: PastEvent;
  readonly lines: readonly ImpactLine[];
}

function buildPage(found: {
  readonly events: readonly ImpactEventRow[];
  readonly lines: readonly ImpactLine[];
  readonly past: readonly PastEventOfLots[];
  readonly wanted: SoughtLines['wanted'];
  readonly isCut: boolean;
}): LinesPage {
  const { isCut } = found;
  if (found.past.length === 0) return { events: found.events, lines: found.lines, isCut };
  const past = found.past.map(({ event, lines }) => ({ row: event.row, lines }));
  const wanted = past.filter(({ row }) => found.wanted(row)).flatMap(({ lines }) => lines);
  return {
    events: [...found.events, ...past.map(({ row }) => row)],
    lines: [...found.lines, ...wanted].sort(byPlace),
    isCut,
  };
}

async function readStandings(
  reader: LedgerReader,
  query: { readonly lotNos: readonly number[]; readonly moment: string; readonly lines: PastLines },
): Promise<LotStandings> {
  const { lotNos, moment } = query;
  const tallies = new Map<number, LotTally>();
  let isCut = false;
  const delivered = await query.lines.deliveredLots(reader, lotNos);
  const sought = { lotNos, linesMax: LINES_MAX, wanted: () => true };
  for await (const page of query.lines.pages(reader, sought)) {
    isCut = page.isCut;
    for (const line of page.lines) {
      const { eventType } = line;
      if (eventType === null) continue;
      const tally = tallies.get(line.lotNo) ?? new LotTally();
      tallies.set(line.lotNo, tally);
      const isDelivery = line.isDelivery === 1;
      const isMatched = delivered.has(line.lotNo) && isHandedOver(line);
      const handoverReference = isMatched ? line.reference : null;
      tally.add({ ...line, eventType, isDelivery, handoverReference });
    }
  }
  const ofLots = new Map<number, LotStanding>();
  const pages = askInOrder(reader.database, cutSlices(lotNos), (database, slice) =>
    lotsAtMoment(database, { lotNos: slice, moment }),
  );
  for await (const rows of inTurns(pages)) {
    for (const { lotNo, lotCode, firstSku, onHold } of rows) {
      const tally = tallies.get(lotNo) ?? new LotTally();
      const { status } = tally.standing;
      const productSku = tally.accounts[0]?.productSku ?? firstSku;
      const balances = tally.accounts.map(balanceOfAccount).sort(byAccount);
      const quantities = ownSkuFirst(productSku, balances);
      const state = toLotState({ status, onHold });
      ofLots.set(lotNo, { lotCode, productSku, quantityStatus: status, quantities, ...state });
    }
  }
  return { ofLots, isCut };
}

function balanceOfAccount({ productSku, unit, sums }: Account): Balance {
  return computeBalance({
    productSku,
    unit,
    ...buildRecord(PARTS, (part) => sums[part]?.toFixed() ?? null),
  });
}

function byAccount(a: Balance, b: Balance): number {
  return compareTexts(a.productSku, b.productSku) || compareTexts(a.unit, b.unit);
}
