// What the plain model says of a recall (docs/interface/traceability.md#scope-of-a-recall): which lots it
// covers, who got of them and where they came from. Each answer is made from all events of the tenant, anew
// each time.
import { byOccurrence, type ChainModel } from './chain-model.ts';
import type { ModelLine, RecordedEvent } from './records.ts';
import { toNumber, type Decimal } from './decimal.ts';
import { buildGraph, distancesFrom, lotsReceived } from './genealogy-model.ts';
import { compareInstants } from './instants.ts';
import { isDelivery, lotItem, type ModelItem } from './lots-model.ts';

export type ModelRecallDirection = 'upstream' | 'downstream' | 'both';

export interface ModelScopeLot {
  readonly relation: 'self' | 'upstream' | 'downstream';
  readonly distance: number;
}

export interface ModelScope {
  readonly seedType: 'lot' | 'supplier_lot';
  /** By lot code. */
  readonly lots: ReadonlyMap<string, ModelScopeLot>;
}

export interface ModelAffectedLot extends ModelScopeLot, Omit<ModelItem, 'product_skus'> {}

export interface ModelShipment {
  readonly event_id: number;
  readonly block_height: number;
  readonly occurred_at: string;
  readonly location: string;
  readonly reference: string;
  readonly lot_code: string;
  readonly product_sku: string;
  readonly quantity: number;
  readonly unit: string;
}

export interface ModelSales {
  readonly lots: number;
  readonly quantity: number;
  readonly unit: string;
  readonly channels: readonly string[];
  readonly first_sold_at: string;
  readonly last_sold_at: string;
}

export interface ModelCustomer extends ModelSales {
  readonly customer_ref: string;
}

export interface ModelSupplier {
  readonly supplier_name: string | null;
  readonly origin_facility: string | null;
  readonly supplier_lot_code: string | null;
  readonly lot_codes: readonly string[];
}

export interface ModelSuspect {
  readonly lot_code: string;
  readonly distance: number;
  readonly further_lots: number;
}

export interface ModelImpact {
  readonly seed_type: ModelScope['seedType'];
  readonly affected_lots: readonly ModelAffectedLot[];
  readonly shipments: readonly ModelShipment[];
  readonly customers: readonly ModelCustomer[];
  readonly unnamed_sales: readonly ModelSales[];
  readonly channels: readonly string[];
  readonly suppliers: readonly ModelSupplier[];
  readonly event_count: number;
  readonly excluded_disposed: number;
  readonly suspects: readonly ModelSuspect[];
}

/** The lots that a recall covers; undefined when the tenant knows no lot of this code. */
export function scopeOfModel(
  model: ChainModel,
  tenantId: string,
  recall: {
    readonly lotCode: string;
    readonly supplierName: string | null;
    readonly direction: ModelRecallDirection;
  },
): ModelScope | undefined {
  const { lotCode, direction } = recall;
  const graph = buildGraph(model, tenantId);
  const { edges } = graph;
  const lots = new Map<string, ModelScopeLot>();
  if (recall.supplierName === null && model.mapNamings(tenantId).has(lotCode)) {
    for (const relation of ['upstream', 'downstream'] as const) {
      if (direction !== 'both' && direction !== relation) continue;
      for (const [code, distance] of distancesFrom(edges, [lotCode], relation)) {
        const known = lots.get(code);
        if (known !== undefined && known.distance <= distance) continue;
        lots.set(code, { relation: distance === 0 ? 'self' : relation, distance });
      }
    }
    return { seedType: 'lot', lots };
  }
  const { supplierName } = recall;
  const received = [...lotsReceived(graph, { supplierLotCode: lotCode, supplierName })];
  if (received.length === 0) return undefined;
  const reached =
    direction === 'upstream'
      ? new Map(received.map((code) => [code, 0]))
      : distancesFrom(edges, received, 'downstream');
  for (const [code, hops] of reached) {
    lots.set(code, { relation: 'downstream', distance: hops + 1 });
  }
  return { seedType: 'supplier_lot', lots };
}

/** What a simulation answers; undefined when the tenant knows no lot of this code. */
export function impactOfModel(
  model: ChainModel,
  tenantId: string,
  recall: {
    readonly lotCode: string;
    readonly supplierName: string | null;
    readonly direction: ModelRecallDirection;
    readonly includeDisposed: boolean;
  },
): ModelImpact | undefined {
  const scope = scopeOfModel(model, tenantId, recall);
  if (scope === undefined) return undefined;
  const affected = [...scope.lots].flatMap(([code, place]): readonly ModelAffectedLot[] => {
    const item = lotItem(model, tenantId, code);
    if (item === undefined) return [];
    const { product_skus: _skus, ...rest } = item;
    return [{ ...place, ...rest }];
  });
  const shown = affected.filter((lot) => recall.includeDisposed || lot.status !== 'disposed');
  const events = model
    .listCountingEvents(tenantId)
    .filter((event) => linesIn(event, scope).length > 0);
  const sales = salesIn(events, scope);
  return {
    seed_type: scope.seedType,
    affected_lots: shown,
    shipments: shipmentsIn(events, scope),
    customers: [...Map.groupBy(sales, ({ customer }) => customer)].flatMap(([customer, bought]) =>
      customer === null
        ? []
        : listTotals(bought, sumLarger).map((totals) => ({ customer_ref: customer, ...totals })),
    ),
    unnamed_sales: listUnnamed(sales),
    channels: listChannels(sales),
    suppliers: listSuppliers(model, tenantId, scope),
    event_count: events.length,
    excluded_disposed: affected.length - shown.length,
    suspects: listSuspects(model, tenantId, recall.lotCode, scope),
  };
}

function linesIn(event: RecordedEvent, scope: ModelScope): readonly ModelLine[] {
  return event.effective.lines.filter((line) => scope.lots.has(line.lot_code));
}

function shipmentsIn(
  events: readonly RecordedEvent[],
  scope: ModelScope,
): readonly ModelShipment[] {
  return events
    .filter((event) => event.effective.event_type === 'SHIP')
    .toSorted(byOccurrence)
    .flatMap((event) =>
      linesIn(event, scope)
        .filter((line) => line.direction === 'out')
        .map((line) => ({
          event_id: event.height,
          block_height: event.height,
          occurred_at: event.effective.occurred_at,
          location: event.effective.location,
          reference: event.effective.reference,
          lot_code: line.lot_code,
          product_sku: line.product_sku,
          quantity: toNumber(line.quantity),
          unit: line.unit,
        })),
    );
}

/** A line to a customer: a sale or a delivery. */
interface ModelSale {
  readonly line: ModelLine;
  readonly customer: string | null;
  readonly isDelivery: boolean;
  readonly reference: string;
  readonly soldAt: string;
}

function salesIn(events: readonly RecordedEvent[], scope: ModelScope): readonly ModelSale[] {
  return events.flatMap((event) =>
    linesIn(event, scope)
      .filter((line) => event.effective.event_type === 'SELL' || isDelivery(event, line))
      .map((line) => ({
        line,
        customer: isDelivery(event, line) ? line.consignee_ref : line.customer_ref,
        isDelivery: isDelivery(event, line),
        reference: event.effective.reference,
        soldAt: event.effective.occurred_at,
      })),
  );
}

/** What may be the same goods. */
function listGroups(sales: readonly ModelSale[]): readonly (readonly ModelSale[])[] {
  const buildKey = ({ line, reference }: ModelSale): string =>
    JSON.stringify([line.lot_code, line.product_sku, line.unit, reference]);
  return [...Map.groupBy(sales, buildKey).values()];
}

/** The larger of what was delivered and sold, of each group. */
function sumLarger(sales: readonly ModelSale[]): Decimal {
  return listGroups(sales).reduce<Decimal>((total, group) => {
    const [ship, sold] = [true, false].map((isDelivered) =>
      group
        .filter((one) => one.isDelivery === isDelivered)
        .reduce<Decimal>((sum, { line }) => sum + line.quantity, 0n),
    ) as [Decimal, Decimal];
    return total + (ship > sold ? ship : sold);
  }, 0n);
}

/** What each group leaves for those that are not named; what is nothing but another line is none. */
function listUnnamed(all: readonly ModelSale[]): readonly ModelSales[] {
  const countLeft = (unnamed: readonly ModelSale[]): Decimal =>
    listGroups(all.filter(({ line }) => unnamed.some((one) => one.line.unit === line.unit)))
      .map((group) => {
        const named = [...Map.groupBy(group, ({ customer }) => customer)].reduce<Decimal>(
          (sum, [customer, sales]) => (customer === null ? sum : sum + sumLarger(sales)),
          0n,
        );
        const rest = sumLarger(group) - named;
        return rest > 0n ? rest : 0n;
      })
      .reduce((sum, rest) => sum + rest, 0n);
  const unnamed = all.filter(({ customer }) => customer === null);
  const raw = (sales: readonly ModelSale[]): Decimal =>
    sales.reduce<Decimal>((sum, { line }) => sum + line.quantity, 0n);
  return listTotals(unnamed, countLeft).filter(
    ({ unit, quantity }) =>
      quantity > 0 || raw(unnamed.filter((one) => one.line.unit === unit)) === 0n,
  );
}

/** One for each unit. */
function listTotals(
  sales: readonly ModelSale[],
  countDecimals: (ofUnit: readonly ModelSale[]) => Decimal,
): readonly ModelSales[] {
  return [...Map.groupBy(sales, ({ line }) => line.unit)].map(([unit, ofUnit]) => {
    const moments = ofUnit.map(({ soldAt }) => soldAt).toSorted(compareInstants);
    const quantity = countDecimals(ofUnit);
    return {
      lots: new Set(ofUnit.map(({ line }) => line.lot_code)).size,
      quantity: toNumber(quantity),
      unit,
      channels: listChannels(ofUnit),
      first_sold_at: moments[0] ?? '',
      last_sold_at: moments.at(-1) ?? '',
    };
  });
}

function listChannels(sales: readonly ModelSale[]): readonly string[] {
  const channels = sales.flatMap(({ line }) => (line.channel === null ? [] : [line.channel]));
  return [...new Set(channels)].sort();
}

/** Each lot of a supplier with the lots of the scope that it came into. */
function listSuppliers(
  model: ChainModel,
  tenantId: string,
  scope: ModelScope,
): readonly ModelSupplier[] {
  const { deliveries } = buildGraph(model, tenantId);
  const into = deliveries.filter(({ lotCode }) => scope.lots.has(lotCode));
  return [...Map.groupBy(into, ({ supplierLot }) => JSON.stringify(supplierLot)).values()].flatMap(
    (same) =>
      same.slice(0, 1).map(({ supplierLot }) => ({
        ...supplierLot,
        lot_codes: [...new Set(same.map(({ lotCode }) => lotCode))].sort(),
      })),
  );
}

/** Each ancestor with the lots made from it, itself included, that the recall does not cover. */
function listSuspects(
  model: ChainModel,
  tenantId: string,
  lotCode: string,
  scope: ModelScope,
): readonly ModelSuspect[] {
  if (scope.seedType === 'supplier_lot') return [];
  const { edges } = buildGraph(model, tenantId);
  return [...distancesFrom(edges, [lotCode], 'upstream')]
    .filter(([, distance]) => distance > 0)
    .map(([code, hops]) => {
      // One that is a descendant as well is as near as the nearer way.
      const distance = Math.min(hops, scope.lots.get(code)?.distance ?? hops);
      const made = distancesFrom(edges, [code], 'downstream');
      const further = [...made.keys()].filter((one) => !scope.lots.has(one));
      return { lot_code: code, distance, further_lots: further.length };
    });
}
