// What the plain model says of lots: balances, status, SKUs, provenance, and how they are found
// (docs/interface/traceability.md#lots). Each answer is made from all events of the tenant.
import { byOccurrence, type ChainModel } from './chain-model.ts';
import type { ModelLine, RecordedEvent } from './records.ts';
import { toNumber, type Decimal } from './decimal.ts';

/**
 * What adds to a balance, and what takes away. What was delivered is taken away, and the larger one of what
 * else was shipped and sold.
 */
const ADDING = ['received', 'produced', 'packed'] as const;
const TAKING = ['returned', 'consumed', 'packed_from', 'disposed'] as const;
type Part = (typeof ADDING)[number] | (typeof TAKING)[number] | 'shipped' | 'sold';
type Share = 'delivered' | 'delivered_and_sold';

export interface ModelBalance extends Readonly<Record<Part | Share, number>> {
  readonly product_sku: string;
  readonly unit: string;
  readonly remaining: number;
  readonly over_issued: boolean;
}

export interface ModelItem {
  readonly lot_code: string;
  readonly product_sku: string;
  readonly product_skus: readonly string[];
  readonly status: 'active' | 'depleted' | 'disposed';
  readonly hold_status: 'released' | 'on_hold';
  readonly quantities: readonly ModelBalance[];
}

export interface ModelRecord extends ModelItem {
  readonly holds: readonly {
    readonly case_no: 'manual';
    readonly reason: string;
    readonly by: string;
  }[];
  readonly provenance: readonly ModelProvenance[];
  readonly first_block_height: number;
}

export interface ModelProvenance {
  readonly supplier_name: string | null;
  readonly origin_facility: string | null;
  readonly supplier_lot_code: string | null;
  readonly event_id: number;
}

/** A line that counts, of one lot, with the event it is in. */
interface Placed {
  readonly event: RecordedEvent;
  readonly line: ModelLine;
}

/** The lot as it is in a list; undefined when the tenant never named it. */
export function lotItem(
  model: ChainModel,
  tenantId: string,
  lotCode: string,
): ModelItem | undefined {
  const naming = model.mapNamings(tenantId).get(lotCode);
  if (naming === undefined) return undefined;
  const placed = listLines(model, tenantId, lotCode);
  const productSku = placed[0]?.line.product_sku ?? naming.productSku;
  const others = new Set(placed.map(({ line }) => line.product_sku));
  others.delete(productSku);
  const productSkus = [productSku, ...[...others].sort()];
  return {
    lot_code: lotCode,
    product_sku: productSku,
    product_skus: productSkus,
    status: deriveStatus(placed),
    hold_status: model.findHold(tenantId, lotCode) === undefined ? 'released' : 'on_hold',
    quantities: productSkus.flatMap((sku) => balancesOfSku(placed, sku)),
  };
}

export function lotRecord(
  model: ChainModel,
  tenantId: string,
  lotCode: string,
): ModelRecord | undefined {
  const item = lotItem(model, tenantId, lotCode);
  const naming = model.mapNamings(tenantId).get(lotCode);
  if (item === undefined || naming === undefined) return undefined;
  const hold = model.findHold(tenantId, lotCode);
  return {
    ...item,
    holds: hold === undefined ? [] : [{ case_no: 'manual', reason: hold.reason, by: hold.by }],
    provenance: listProvenances(listLines(model, tenantId, lotCode)),
    first_block_height: naming.height,
  };
}

/** Codes of the tenant's lots that have a part of a text in what they are found by. */
export function lotsFoundBy(
  model: ChainModel,
  tenantId: string,
  text: string,
): ReadonlySet<string> {
  const sought = text.toLowerCase();
  const found = new Set<string>();
  for (const lotCode of model.mapNamings(tenantId).keys()) {
    const item = lotItem(model, tenantId, lotCode);
    const suppliers = listProvenances(listLines(model, tenantId, lotCode));
    const terms = [
      lotCode,
      ...(item?.product_skus ?? []),
      ...suppliers.flatMap((one) => [one.supplier_name ?? '', one.supplier_lot_code ?? '']),
    ];
    if (terms.some((term) => term.toLowerCase().includes(sought))) found.add(lotCode);
  }
  return found;
}

/** The lines of each lot, by the list of events that they are in. */
const linesOfLots = new WeakMap<readonly RecordedEvent[], ReadonlyMap<string, readonly Placed[]>>();

/** In the order of blocks and lines. */
function listLines(model: ChainModel, tenantId: string, lotCode: string): readonly Placed[] {
  const events = model.listCountingEvents(tenantId);
  const known = linesOfLots.get(events);
  if (known !== undefined) return known.get(lotCode) ?? [];
  const placed = events.flatMap((event) => event.effective.lines.map((line) => ({ event, line })));
  linesOfLots.set(
    events,
    Map.groupBy(placed, ({ line }) => line.lot_code),
  );
  return listLines(model, tenantId, lotCode);
}

/** The part of the balance that a line adds to; undefined when it moves nothing. */
function findPart({ event, line }: Placed): Part | undefined {
  const isIn = line.direction === 'in';
  switch (event.effective.event_type) {
    case 'RECEIVE':
      return isIn ? 'received' : 'returned';
    case 'PRODUCE':
    case 'CONSUME':
      return isIn ? 'consumed' : 'produced';
    case 'PACK':
      return isIn ? 'packed_from' : 'packed';
    case 'SHIP':
      // The page gives a sign to what goes out alone.
      return isIn ? undefined : 'shipped';
    case 'SELL':
      return 'sold';
    case 'DISPOSE':
      return 'disposed';
    case 'TRANSFER':
    case 'CORRECTION':
      return undefined;
  }
}

/** One for each unit, also of lines that moved nothing, by unit. */
function balancesOfSku(placed: readonly Placed[], sku: string): readonly ModelBalance[] {
  const units = new Set(
    placed.filter(({ line }) => line.product_sku === sku).map(({ line }) => line.unit),
  );
  return [...units].sort().map((unit) => {
    const sums = sumParts(placed, sku, unit);
    const part = (name: Part | Share): number => toNumber(sums.get(name) ?? 0n);
    const remaining = computeRemaining(sums);
    return {
      product_sku: sku,
      unit,
      received: part('received'),
      returned: part('returned'),
      produced: part('produced'),
      consumed: part('consumed'),
      packed: part('packed'),
      packed_from: part('packed_from'),
      shipped: part('shipped'),
      sold: part('sold'),
      disposed: part('disposed'),
      delivered: part('delivered'),
      delivered_and_sold: part('delivered_and_sold'),
      remaining: toNumber(remaining),
      over_issued: remaining < 0n,
    };
  });
}

type Sums = ReadonlyMap<Part | Share, Decimal>;

function sumParts(placed: readonly Placed[], sku: string, unit: string): Sums {
  const sums = new Map<Part | Share, Decimal>();
  for (const one of placed) {
    const part = findPart(one);
    if (part === undefined || one.line.product_sku !== sku || one.line.unit !== unit) continue;
    sums.set(part, (sums.get(part) ?? 0n) + one.line.quantity);
  }
  const handed = placed.filter(({ line }) => line.product_sku === sku && line.unit === unit);
  let [delivered, both] = [0n, 0n];
  for (const ofReference of Map.groupBy(
    handed,
    ({ event }) => event.effective.reference,
  ).values()) {
    const sum = (holds: (one: Placed) => boolean): Decimal =>
      ofReference.filter(holds).reduce((total, { line }) => total + line.quantity, 0n);
    const ship = sum((one) => isDelivery(one.event, one.line));
    const sold = sum((one) => findPart(one) === 'sold');
    delivered += ship;
    both += ship < sold ? ship : sold;
  }
  return sums.set('delivered', delivered).set('delivered_and_sold', both);
}

/** What went out with a SHIP to somebody who was named. */
export function isDelivery({ effective }: RecordedEvent, line: ModelLine): boolean {
  return effective.event_type === 'SHIP' && line.direction === 'out' && line.consignee_ref !== null;
}

function computeRemaining(sums: Sums): Decimal {
  const sum = (parts: readonly Part[]): Decimal =>
    parts.reduce((total, part) => total + (sums.get(part) ?? 0n), 0n);
  const getSum = (name: Part | Share): Decimal => sums.get(name) ?? 0n;
  const shipped = getSum('shipped') - getSum('delivered');
  const sold = getSum('sold') - getSum('delivered_and_sold');
  return sum(ADDING) - sum(TAKING) - getSum('delivered') - (shipped > sold ? shipped : sold);
}

/**
 * Something was taken out and nothing remains in any unit: disposed or depleted, distinguished by the
 * removal that occurred last; of one instant by the last block, of one block by the last line.
 */
function deriveStatus(placed: readonly Placed[]): ModelItem['status'] {
  const removals = placed.filter((one) => {
    const part = findPart(one);
    return part !== undefined && !ADDING.some((name) => name === part) && one.line.quantity > 0n;
  });
  const last = removals.toSorted((a, b) => byOccurrence(a.event, b.event)).at(-1);
  if (last === undefined) return 'active';
  const accounts = new Map(
    placed.map(({ line }) => [JSON.stringify([line.product_sku, line.unit]), line]),
  );
  const isStocked = [...accounts.values()].some(
    ({ product_sku, unit }) => computeRemaining(sumParts(placed, product_sku, unit)) > 0n,
  );
  if (isStocked) return 'active';
  return findPart(last) === 'disposed' ? 'disposed' : 'depleted';
}

/** Where the lot came from, each saying of an event once; a CORRECTION event says nothing. */
function listProvenances(placed: readonly Placed[]): readonly ModelProvenance[] {
  const said = new Map<string, ModelProvenance>();
  for (const { event, line } of placed) {
    const { supplier_name, origin_facility, supplier_lot_code } = line;
    const isSilent = (supplier_name ?? origin_facility ?? supplier_lot_code) === null;
    if (isSilent || event.effective.event_type === 'CORRECTION') continue;
    const one = { supplier_name, origin_facility, supplier_lot_code, event_id: event.height };
    said.set(JSON.stringify(one), one);
  }
  return [...said.values()];
}
