// Reads the genealogy of a case for its drawing: lot by lot, or product by product when there are
// too many lots to read on paper.
import { Pace, nextTurn } from '@lothub/kit/in-turns';
import type { LedgerReader } from '../../ledger/read.ts';
import type { Link } from '../../lots/genealogy/link.ts';
import { LotWalk } from '../../lots/genealogy/walk.ts';
import type { RecallDirection } from '../../terms.ts';
import type { ImpactLot, SupplierImpact } from '../trace/impact.ts';
import { RECALL_WALK, listDirections, type Seed } from '../trace/scope.ts';
import type { DrawnGenealogy, DrawnLink, DrawnNode } from './case-report.ts';

/** Lots that are drawn one by one: some sheets of paper. */
const LOTS_DRAWN_MAX = 200;
/** Products drawn, those with most lots first; suppliers’ lots, or suppliers. */
const PRODUCTS_DRAWN_MAX = 100;
const SUPPLIERS_DRAWN_MAX = 50;
/** Dots: links that differ. */
const LINKS_DRAWN_MAX = 400;
/** Lots of links that are read between two turns of the event loop: about a millisecond. */
const LOTS_PER_TURN = 5_000;

export interface CoveredLots {
  readonly seed: Seed;
  readonly direction: RecallDirection;
  readonly lots: readonly ImpactLot[];
  readonly suppliers: readonly SupplierImpact[];
}

export async function readGenealogy(
  { database }: LedgerReader,
  scope: CoveredLots,
): Promise<DrawnGenealogy> {
  const { seed, direction, lots } = scope;
  const grouping = lots.length <= LOTS_DRAWN_MAX ? byLot(scope) : byProduct(scope);
  const links = new LinkTable();
  for (const oneWay of listDirections({ seedKind: seed.kind, direction })) {
    const walk = new LotWalk({
      database,
      tenantNo: seed.tenantNo,
      direction: oneWay,
      seeds: seed.lotNos,
      depthMax: Infinity,
      links: 'kept',
      ...RECALL_WALK,
    });
    await walk.run();
    await addLinks(links, walk, grouping);
  }
  for (const { node, lotCodes } of grouping.suppliers) {
    const outs = lotCodes.map((lotCode) => grouping.nodeOfCode.get(lotCode));
    links.add(
      [node],
      outs.filter((out) => out !== undefined),
    );
  }
  const drawn = links.list;
  return {
    by: grouping.by,
    nodes: grouping.nodes,
    links: drawn.slice(0, LINKS_DRAWN_MAX),
    nodesLeftOut: grouping.nodesLeftOut,
    linksLeftOut: Math.max(0, drawn.length - LINKS_DRAWN_MAX),
  };
}

/** Which node contains which lot. */
interface Grouping {
  readonly by: DrawnGenealogy['by'];
  readonly nodes: readonly DrawnNode[];
  readonly nodesLeftOut: number;
  readonly nodeOfLot: ReadonlyMap<number, number>;
  readonly nodeOfCode: ReadonlyMap<string, number>;
  readonly suppliers: readonly { readonly node: number; readonly lotCodes: readonly string[] }[];
}

function byLot({ seed, lots, suppliers }: CoveredLots): Grouping {
  const seeds = new Set(seed.kind === 'own' ? seed.lotNos : []);
  const shown = suppliers.slice(0, SUPPLIERS_DRAWN_MAX);
  const nodes = [
    ...lots.map((lot): DrawnNode => ({
      kind: 'lot',
      label: lot.lotCode,
      detail: lot.productSku,
      ...countMarks([lot]),
      isSeed: seeds.has(lot.lotNo),
    })),
    ...shown.map((supplier): DrawnNode => ({
      kind: 'supplier_lot',
      label: supplier.supplier_lot_code ?? 'no lot code',
      detail: supplier.supplier_name ?? supplier.origin_facility ?? 'no supplier named',
      ...countMarks([]),
      lots: 1,
      isSeed: seed.kind === 'supplier' && supplier.supplier_lot_code === seed.lotCode,
    })),
  ];
  return {
    by: 'lot',
    nodes,
    nodesLeftOut: suppliers.length - shown.length,
    nodeOfLot: new Map(lots.map((lot, index) => [lot.lotNo, index])),
    nodeOfCode: new Map(lots.map((lot, index) => [lot.lotCode, index])),
    suppliers: shown.map(({ lotCodes }, index) => ({ node: lots.length + index, lotCodes })),
  };
}

function byProduct({ seed, lots, suppliers }: CoveredLots): Grouping {
  const seeds = new Set(seed.kind === 'own' ? seed.lotNos : []);
  const products = [...Map.groupBy(lots, (lot) => lot.productSku)].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const shown = products.slice(0, PRODUCTS_DRAWN_MAX);
  const names = [...Map.groupBy(suppliers, (supplier) => supplier.supplier_name)];
  const named = names.slice(0, SUPPLIERS_DRAWN_MAX);
  const nodes = [
    ...shown.map(([productSku, productGroup]): DrawnNode => ({
      kind: 'product',
      label: productSku,
      detail: productGroup.length === 1 ? '1 lot' : `${productGroup.length} lots`,
      ...countMarks(productGroup),
      isSeed: productGroup.some((lot) => seeds.has(lot.lotNo)),
    })),
    ...named.map(([name, supplierGroup]): DrawnNode => ({
      kind: 'supplier_lot',
      label: name ?? 'no supplier named',
      detail:
        supplierGroup.length === 1 ? '1 supplier’s lot' : `${supplierGroup.length} suppliers’ lots`,
      ...countMarks([]),
      lots: supplierGroup.length,
      isSeed:
        seed.kind === 'supplier' &&
        supplierGroup.some((one) => one.supplier_lot_code === seed.lotCode),
    })),
  ];
  const placed = shown.flatMap(([, productLots], node) =>
    productLots.map((lot) => ({ lot, node })),
  );
  return {
    by: 'product',
    nodes,
    nodesLeftOut: products.length - shown.length + (names.length - named.length),
    nodeOfLot: new Map(placed.map(({ lot, node }) => [lot.lotNo, node])),
    nodeOfCode: new Map(placed.map(({ lot, node }) => [lot.lotCode, node])),
    suppliers: named.map(([, received], index) => ({
      node: shown.length + index,
      lotCodes: received.flatMap((supplier) => supplier.lotCodes),
    })),
  };
}

function countMarks(lots: readonly ImpactLot[]): Pick<DrawnNode, 'lots' | 'held' | 'recalled'> {
  return {
    lots: lots.length,
    held: lots.filter((lot) => lot.holdStatus === 'on_hold').length,
    recalled: lots.filter((lot) => lot.status === 'recalled').length,
  };
}

async function addLinks(links: LinkTable, walk: LotWalk, { nodeOfLot }: Grouping): Promise<void> {
  const pace = new Pace(LOTS_PER_TURN);
  const listNodes = (lotNos: readonly number[]): readonly number[] => {
    const nodes = lotNos.map((lotNo) => nodeOfLot.get(lotNo));
    return nodes.filter((node) => node !== undefined);
  };
  for (const link of walk.links()) {
    const [ins, outs] = orderSides(link, walk.direction);
    links.add(listNodes(ins), listNodes(outs));
    if (pace.isOver(link.near.length + link.far.length + 1)) await nextTurn();
  }
}

function orderSides(
  { near, far }: Link,
  direction: LotWalk['direction'],
): readonly [ins: readonly number[], outs: readonly number[]] {
  return direction === 'upstream' ? [far, near] : [near, far];
}

/** Links between nodes. Those from the same nodes are one: what leads to what stays the same. */
class LinkTable {
  readonly #links = new Map<
    string,
    { readonly ins: readonly number[]; readonly outs: Set<number> }
  >();

  get list(): readonly DrawnLink[] {
    return [...this.#links.values()].map(({ ins, outs }) => ({
      ins,
      outs: [...outs].sort((a, b) => a - b),
    }));
  }

  add(ins: readonly number[], outs: readonly number[]): void {
    const from = new Set(ins);
    const both = [...new Set(outs)].filter((node) => from.has(node));
    this.#addApart(
      from,
      outs.filter((node) => !from.has(node)),
    );
    // No lot leads to itself; what else went into a lot that comes out again does lead to it.
    for (const node of both) this.#addApart(new Set(ins.filter((other) => other !== node)), [node]);
  }

  #addApart(from: ReadonlySet<number>, to: readonly number[]): void {
    if (from.size === 0 || to.length === 0) return;
    const ins = [...from].sort((a, b) => a - b);
    const key = ins.join();
    const known = this.#links.get(key) ?? { ins, outs: new Set() };
    this.#links.set(key, known);
    for (const node of to) known.outs.add(node);
  }
}
