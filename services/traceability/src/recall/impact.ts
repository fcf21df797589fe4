// What a recall of lots means: what they are and how much of them is where, whom they were shipped and
// sold to, and which suppliers they came from (service page, section 7). Read by simulation, cases,
// notifications and reports; whatever is large is read in slices between which other requests go on.
import { setImmediate } from 'node:timers/promises';
import { slicesOf } from '@lothub/kit/in-list';
import { compareTexts } from '@lothub/kit/text-order';
import { askForEach } from '@lothub/kit/database';
import type { ChannelClass } from '../events/channel-class.ts';
import type { LotStatus } from '../ledger/quantities.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { Balance } from '../lots/balances.ts';
import { balanceOf } from '../lots/balances.ts';
import { PAGE_SIZES } from '../lots/link-reader.ts';
import type { RelatedLot, Relation } from '../lots/links.ts';
import { sortInTurns } from '../lots/pace.ts';
import { stateOf } from '../lots/state.ts';
import type { HoldStatus } from '../lots/state.ts';
import { deliveriesInto } from '../lots/supplier-lots.ts';
import type { SupplierLot } from '../lots/supplier-lots.ts';
import { accountsPage, impactLines, impactLots } from './impact-queries.ts';
import type { AccountPlace, ImpactLineRow, ImpactLotRow, LinePlace } from './impact-queries.ts';
import { SalesTally } from './sales-tally.ts';
import type { CustomerImpact, UnnamedSales } from './sales-tally.ts';
import { salesOf } from './sales.ts';
import { readShipments } from './shipments.ts';
import type { Shipment } from './shipments.ts';

export { findScope, findSeed } from './scope.ts';
export type { RecallDirection, Scope, Seed } from './scope.ts';
export type { CustomerImpact, UnnamedSales } from './sales-tally.ts';
export type { Shipment } from './shipments.ts';

/** How far one impact goes. */
export interface ImpactBounds {
  /** Lines of the lots looked at. */
  readonly linesMax: number;
  /** SKUs and units of all lots together. */
  readonly accountsMax: number;
  readonly shipmentsMax: number;
  /** Customers, each once for each unit. */
  readonly customersMax: number;
  /** Lines that say where a lot came from. */
  readonly deliveryLinesMax: number;
}

/** Ten times what the largest recall that is measured needs: lots in hundreds of thousands of lines. */
export const IMPACT_BOUNDS: ImpactBounds = {
  linesMax: 1_000_000,
  accountsMax: 500_000,
  shipmentsMax: 10_000,
  customersMax: 200_000,
  deliveryLinesMax: 500_000,
};
/** Lots, accounts and lines of one query: some milliseconds with SQLite. */
const ACCOUNTS_PER_PAGE = 500;
const LINES_PER_PAGE = 500;

export interface ImpactLot {
  readonly lotNo: number;
  readonly lotCode: string;
  readonly productSku: string;
  readonly relation: Relation;
  readonly distance: number;
  /** As it is shown: `recalled` wins. */
  readonly status: LotStatus;
  readonly holdStatus: HoldStatus;
  /** What its quantities say: a lot that is recalled may be disposed besides. */
  readonly quantityStatus: Exclude<LotStatus, 'recalled'>;
  /** By SKU and unit, `productSku` first. */
  readonly quantities: readonly Balance[];
}

/** A supplier's lot, and the lots of the impact that it came into. */
export interface SupplierImpact extends SupplierLot {
  readonly lotCodes: readonly string[];
}

export interface Impact {
  /** In the order in which they were asked for. */
  readonly lots: readonly ImpactLot[];
  /** SKUs of the lots, in the order of their texts. */
  readonly products: readonly string[];
  /** What was shipped of the lots, by when it occurred. */
  readonly shipments: readonly Shipment[];
  /** Who bought of the lots, by their texts; those that were erased last. */
  readonly customers: readonly CustomerImpact[];
  /** What was sold of the lots without saying to whom, by unit. */
  readonly unnamedSales: readonly UnnamedSales[];
  /** Channels as the tenant sent them; of what was erased, the class that stays. */
  readonly channels: readonly string[];
  readonly channelClasses: readonly ChannelClass[];
  readonly suppliers: readonly SupplierImpact[];
  /** Events that count and name one of the lots. */
  readonly eventCount: number;
  /** Also of those that are not in `shipments` because there are too many. */
  readonly shipmentsTotal: number;
  /** True when a bound was met: there is more than is told here. */
  readonly truncated: boolean;
}

/** The impact of lots of one tenant, as it is now. */
export async function impactOf(
  reader: LedgerReader,
  of: { readonly tenantNo: number; readonly lots: readonly RelatedLot[] },
  bounds = IMPACT_BOUNDS,
): Promise<Impact> {
  const { database } = reader;
  const lotNos = of.lots.map(({ lotNo }) => lotNo);
  const rows = new Map<number, ImpactLotRow>();
  for (const row of (await askForEach(database, slicesOf(lotNos), impactLots)).flat()) {
    rows.set(row.lotNo, row);
  }
  const accounts = await readAccounts(reader, lotNos, bounds);
  const lines = await readLines(reader, lotNos, bounds);
  const lots: ImpactLot[] = [];
  for (const slice of slicesOf(of.lots)) {
    for (const related of slice) {
      const row = rows.get(related.lotNo);
      if (row !== undefined) lots.push(impactLot(related, row, accounts.ofLots));
    }
    await setImmediate();
  }
  const codeOf = (lotNo: number): string => rows.get(lotNo)?.lotCode ?? '';
  const [shipments, suppliers] = [
    await readShipments(reader, { lines: lines.shipped, codeOf }),
    await readSuppliers(reader, { lotNos, codeOf, linesMax: bounds.deliveryLinesMax }),
  ];
  const products = new Set<string>();
  for (const lot of lots) {
    products.add(lot.productSku);
    for (const { productSku } of lot.quantities) products.add(productSku);
  }
  return {
    lots,
    products: [...products].sort(compareTexts),
    shipments,
    customers: await lines.sales.customers(),
    unnamedSales: lines.sales.unnamed(),
    channels: lines.sales.channels(),
    channelClasses: lines.sales.channelClasses(),
    suppliers: suppliers.list,
    eventCount: lines.eventCount,
    shipmentsTotal: lines.shipmentsTotal,
    truncated: accounts.isCut || lines.isCut || suppliers.isCut,
  };
}

function impactLot(
  { lotNo, relation, distance }: RelatedLot,
  row: ImpactLotRow,
  accounts: ReadonlyMap<number, readonly Balance[]>,
): ImpactLot {
  const { lotCode, productSku, quantityStatus } = row;
  const balances = accounts.get(lotNo) ?? [];
  const quantities =
    balances.length < 2
      ? balances
      : [
          ...balances.filter((balance) => balance.productSku === productSku),
          ...balances.filter((balance) => balance.productSku !== productSku),
        ];
  return {
    lotNo,
    lotCode,
    productSku,
    relation,
    distance,
    quantityStatus,
    quantities,
    ...stateOf(row),
  };
}

async function readAccounts(
  { database }: LedgerReader,
  lotNos: readonly number[],
  { accountsMax }: ImpactBounds,
): Promise<{ readonly ofLots: ReadonlyMap<number, readonly Balance[]>; readonly isCut: boolean }> {
  const ofLots = new Map<number, Balance[]>();
  let read = 0;
  for (const slice of slicesOf(lotNos)) {
    let after: AccountPlace | undefined = { lotNo: 0, productSku: '', unit: '' };
    while (after !== undefined) {
      const page: Awaited<ReturnType<typeof accountsPage>> = await accountsPage(database, {
        lotNos: slice,
        after,
        limit: ACCOUNTS_PER_PAGE,
      });
      for (const row of page) {
        const known = ofLots.get(row.lotNo);
        if (known === undefined) ofLots.set(row.lotNo, [balanceOf(row)]);
        else known.push(balanceOf(row));
      }
      read += page.length;
      if (read > accountsMax) return { ofLots, isCut: true };
      after = page.length < ACCOUNTS_PER_PAGE ? undefined : page.at(-1);
      await setImmediate();
    }
  }
  return { ofLots, isCut: false };
}

interface LinesOfImpact {
  readonly shipped: readonly ImpactLineRow[];
  readonly shipmentsTotal: number;
  readonly sales: SalesTally;
  readonly eventCount: number;
  readonly isCut: boolean;
}

/** Reads every line of the lots once. */
async function readLines(
  reader: LedgerReader,
  lotNos: readonly number[],
  bounds: ImpactBounds,
): Promise<LinesOfImpact> {
  const shipped: ImpactLineRow[] = [];
  const sales = new SalesTally(bounds.customersMax);
  const events = new Set<number>();
  let shipmentsTotal = 0;
  let isCut = false;
  let read = 0;
  for await (const page of pagesOfLines(reader, lotNos)) {
    const sold: ImpactLineRow[] = [];
    for (const line of page) {
      if (line.eventType === null) continue;
      events.add(line.height);
      if (line.eventType === 'SELL') sold.push(line);
      if (line.eventType !== 'SHIP' || line.direction !== 'out') continue;
      shipmentsTotal += 1;
      if (shipped.length < bounds.shipmentsMax) shipped.push(line);
    }
    for (const [index, sale] of (await salesOf(reader, sold)).entries()) {
      const line = sold[index];
      if (line !== undefined) sales.add(line, sale);
    }
    read += page.length;
    if (read > bounds.linesMax) {
      isCut = true;
      break;
    }
    await setImmediate();
  }
  isCut ||= shipmentsTotal > shipped.length || sales.isCut;
  return { shipped, shipmentsTotal, sales, eventCount: events.size, isCut };
}

/** Pages of the lines of lots; those of one lot come one after the other. */
async function* pagesOfLines(
  { database }: LedgerReader,
  lotNos: readonly number[],
): AsyncGenerator<readonly ImpactLineRow[]> {
  for (const slice of slicesOf(lotNos)) {
    let after: LinePlace | undefined = { lotNo: 0, height: 0, lineNo: 0 };
    while (after !== undefined) {
      const page: readonly ImpactLineRow[] = await impactLines(database, {
        lotNos: slice,
        after,
        limit: LINES_PER_PAGE,
      });
      yield page;
      after = page.length < LINES_PER_PAGE ? undefined : page.at(-1);
    }
  }
}

async function readSuppliers(
  { database }: LedgerReader,
  of: {
    readonly lotNos: readonly number[];
    readonly codeOf: (lotNo: number) => string;
    readonly linesMax: number;
  },
): Promise<{ readonly list: readonly SupplierImpact[]; readonly isCut: boolean }> {
  const { lotNos, codeOf, linesMax } = of;
  const found = await deliveriesInto({ database, lotNos, linesMax, pages: PAGE_SIZES });
  const codesOf = new Map<SupplierLot, string[]>();
  for (const { supplierLot, lotNo } of found.list) {
    const codes = codesOf.get(supplierLot);
    if (codes === undefined) codesOf.set(supplierLot, [codeOf(lotNo)]);
    else codes.push(codeOf(lotNo));
  }
  const suppliers = [...codesOf].map(([supplierLot, lotCodes]) => ({ ...supplierLot, lotCodes }));
  const list = await sortInTurns(suppliers, bySupplier);
  return { list, isCut: found.unfinished.length > 0 };
}

function bySupplier(a: SupplierLot, b: SupplierLot): number {
  return (
    compareTexts(a.supplierName ?? '', b.supplierName ?? '') ||
    compareTexts(a.supplierLotCode ?? '', b.supplierLotCode ?? '') ||
    compareTexts(a.originFacility ?? '', b.originFacility ?? '')
  );
}
