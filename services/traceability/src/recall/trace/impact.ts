// Computes what a recall of lots means: their state, how much of them is where, the customers to
// which they were shipped and sold, and the suppliers that they came from
// (docs/interface/traceability.md#impact). Simulation, cases, notifications and reports read it.
// Large parts are read in slices between which other requests continue.
import { slicesInTurns, sortInTurns } from '@lothub/kit/in-turns';
import { compareTexts } from '@lothub/kit/text-order';
import { present } from '@lothub/kit/present';
import type { LedgerReader } from '../../ledger/read.ts';
import { findPart, leavesHouse } from '../../ledger/record/event-types.ts';
import { PAGE_SIZES } from '../../lots/genealogy/link-reader.ts';
import type { RelatedLot } from '../../lots/genealogy/links.ts';
import { deliveriesInto, type SupplierLot } from '../../lots/genealogy/supplier-lots.ts';
import type { ChannelClass } from '../../terms.ts';
import { isHandedOver, type Counted } from './handovers.ts';
import type { ImpactLine } from './impact-lines.ts';
import type { ImpactEventRow } from './impact-queries.ts';
import { addDeliveries, type Reach } from './reach.ts';
import { SalesTally, type CustomerImpact, type UnnamedSales } from './sales-tally.ts';
import { readSales, type Sale } from './sales.ts';
import { pickOverlay } from './scope.ts';
import { readShipments, type Shipment } from './shipments.ts';
import type { LotStanding, LotStandings } from './standings.ts';
import { NOW, type TraceSource } from './source.ts';

export { findScope, findSeed } from './scope.ts';
export type { Scope, Seed } from './scope.ts';
export type { CustomerImpact, UnnamedSales } from './sales-tally.ts';
export type { Shipment } from './shipments.ts';

/**
 * Maximum number of lines of the lots that are read: ten times those of the largest measured
 * recall.
 */
const LINES_MAX = 1_000_000;
/** Shipments in an impact; the block of each is read. */
const SHIPMENTS_MAX = 10_000;
/** Different customers in an impact. */
const CUSTOMERS_MAX = 200_000;
/** Maximum number of lines that are read to find the origins of lots. */
const DELIVERY_LINES_MAX = 500_000;

export interface ImpactLot extends LotStanding, RelatedLot {}

/** A supplier's lot, and the lots of the impact that it came into. */
export interface SupplierImpact extends SupplierLot {
  readonly lotCodes: readonly string[];
}

export interface Impact {
  /** The lots in the order in which they were requested. */
  readonly lots: readonly ImpactLot[];
  /** SKUs of the lots, in the order of their texts. */
  readonly products: readonly string[];
  /** Shipments of the lots, by the time at which they occurred. */
  readonly shipments: readonly Shipment[];
  /** Customers who bought of the lots or received deliveries, by their texts; erased ones last. */
  readonly customers: readonly CustomerImpact[];
  /** Sales of the lots without a customer, by unit. */
  readonly unnamedSales: readonly UnnamedSales[];
  /** Channels as the tenant sent them; the public class of an erased one. */
  readonly channels: readonly string[];
  readonly channelClasses: readonly ChannelClass[];
  /** Suppliers of the lots, by their texts. */
  readonly suppliers: readonly SupplierImpact[];
  /** Events that count and name one of the lots. */
  readonly eventCount: number;
  /** Includes those that are not in `shipments` because there are too many. */
  readonly shipmentsTotal: number;
  /** True when a bound was met: there is more than is listed here. */
  readonly truncated: boolean;
}

/** Receives the lines while they are read, so that no line is read twice. */
export interface ImpactListener {
  /** Events that name one of the lots, also those that did not happen. */
  addEvents(events: readonly ImpactEventRow[]): void;
  /** A line to a customer. */
  addSale(line: ImpactLine, sale: Sale, counted: Counted): void;
}

export interface ImpactOptions {
  readonly tenantNo: number;
  readonly lots: readonly RelatedLot[];
  /** Receives the amounts of each recipient while they are read. */
  readonly reach?: Reach;
  readonly listener?: ImpactListener;
}

/** The impact of lots of one tenant, as it is now unless the source says otherwise. */
export async function traceImpact(
  reader: LedgerReader,
  scope: ImpactOptions,
  source = NOW,
): Promise<Impact> {
  const { reach, listener } = scope;
  const lotNos = scope.lots.map(({ lotNo }) => lotNo);
  const standings = await source.standings(reader, lotNos);
  const lines = await readLines(reader, { lotNos, source, reach, listener });
  const lots = await impactLots(scope.lots, standings);
  const getCode = (lotNo: number): string =>
    present(standings.ofLots.get(lotNo), 'a lot of the impact').lotCode;
  const { shipped, sales, eventCount, shipmentsTotal } = lines;
  const { atMost } = source;
  const shipments = await readShipments(reader, { lines: shipped, getCode, atMost });
  const suppliers = await readSuppliers(reader, { lotNos, getCode, source, reach });
  return {
    lots,
    products: listProducts(lots),
    shipments,
    customers: await sales.customers(),
    unnamedSales: sales.unnamed(),
    channels: sales.channels(),
    channelClasses: sales.channelClasses(),
    suppliers: suppliers.list,
    eventCount,
    shipmentsTotal,
    truncated: standings.isCut || lines.isCut || suppliers.isCut,
  };
}

/** All SKUs of lots, in the order of their texts. */
export function listProducts(lots: readonly ImpactLot[]): readonly string[] {
  const products = new Set<string>();
  for (const lot of lots) {
    products.add(lot.productSku);
    for (const { productSku } of lot.quantities) products.add(productSku);
  }
  return [...products].sort(compareTexts);
}

async function impactLots(
  related: readonly RelatedLot[],
  { ofLots }: LotStandings,
): Promise<readonly ImpactLot[]> {
  const lots: ImpactLot[] = [];
  for await (const slice of slicesInTurns(related)) {
    for (const lot of slice) {
      const standing = ofLots.get(lot.lotNo);
      if (standing !== undefined) lots.push({ ...lot, ...standing });
    }
  }
  return lots;
}

interface LinesOfImpact {
  readonly shipped: readonly ImpactLine[];
  readonly shipmentsTotal: number;
  readonly sales: SalesTally;
  readonly eventCount: number;
  readonly isCut: boolean;
}

/** Reads what left the house with the lots. */
async function readLines(
  reader: LedgerReader,
  query: {
    readonly lotNos: readonly number[];
    readonly source: TraceSource;
    readonly reach: Reach | undefined;
    readonly listener: ImpactListener | undefined;
  },
): Promise<LinesOfImpact> {
  const { lotNos, source, reach, listener } = query;
  const shipped: ImpactLine[] = [];
  const sales = new SalesTally(CUSTOMERS_MAX);
  const handovers = await source.handovers(reader, lotNos);
  let [eventCount, shipmentsTotal, isCut] = [0, 0, false];
  const sought = { lotNos, linesMax: LINES_MAX, wanted: leaves };
  for await (const page of source.pagesOfLines(reader, sought)) {
    listener?.addEvents(page.events);
    for (const { eventType } of page.events) if (eventType !== null) eventCount += 1;
    const sold: ImpactLine[] = [];
    for (const line of page.lines) {
      const part = line.eventType === null ? null : findPart(line.eventType, line.direction);
      if (isHandedOver(line)) sold.push(line);
      if (part !== 'shipped') continue;
      shipmentsTotal += 1;
      if (shipped.length < SHIPMENTS_MAX) shipped.push(line);
    }
    for (const [index, sale] of (await readSales(reader, sold, source.atMost)).entries()) {
      const line = sold[index];
      if (line === undefined) continue;
      const counted = handovers.count(line, sale);
      sales.add(line, sale, counted);
      reach?.addSale(line, sale, counted);
      listener?.addSale(line, sale, counted);
    }
    isCut = page.isCut;
  }
  isCut ||= shipmentsTotal > shipped.length || sales.isCut;
  return { shipped, shipmentsTotal, sales, eventCount, isCut };
}

/** Whether something may have left the house with the event. */
function leaves({ eventType }: Pick<ImpactLine, 'eventType'>): boolean {
  return eventType !== null && leavesHouse(eventType);
}

async function readSuppliers(
  { database }: LedgerReader,
  query: {
    readonly lotNos: readonly number[];
    readonly getCode: (lotNo: number) => string;
    readonly source: TraceSource;
    readonly reach: Reach | undefined;
  },
): Promise<{ readonly list: readonly SupplierImpact[]; readonly isCut: boolean }> {
  const { lotNos, getCode, source, reach } = query;
  const found = await deliveriesInto({
    database,
    lotNos,
    linesMax: DELIVERY_LINES_MAX,
    pages: PAGE_SIZES,
    ...pickOverlay(source),
  });
  if (reach !== undefined) await addDeliveries(reach, found.list);
  const codesOf = new Map<SupplierLot, string[]>();
  for (const { supplierLot, lotNo } of found.list) {
    const codes = codesOf.get(supplierLot);
    if (codes === undefined) codesOf.set(supplierLot, [getCode(lotNo)]);
    else codes.push(getCode(lotNo));
  }
  const suppliers: SupplierImpact[] = [];
  for (const [supplierLot, codes] of codesOf) {
    suppliers.push({ ...supplierLot, lotCodes: await sortInTurns(codes, compareTexts) });
  }
  const list = await sortInTurns(suppliers, bySupplier);
  return { list, isCut: found.unfinished.length > 0 };
}

function bySupplier(a: SupplierLot, b: SupplierLot): number {
  return (
    compareTexts(a.supplier_name ?? '', b.supplier_name ?? '') ||
    compareTexts(a.supplier_lot_code ?? '', b.supplier_lot_code ?? '') ||
    compareTexts(a.origin_facility ?? '', b.origin_facility ?? '')
  );
}
