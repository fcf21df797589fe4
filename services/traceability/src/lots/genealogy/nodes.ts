// Makes the nodes of a genealogy: the shown lots and supplier lots, numbered in the order of their
// codes.
import { Pace, nextTurn, sortInTurns } from '@lothub/kit/in-turns';
import { compareTexts } from '@lothub/kit/text-order';
import type { LotStatus, Relation, WalkDirection } from '../../terms.ts';
import type { RelatedLot } from './links.ts';
import type { StandingRow } from '../record-queries.ts';
import type { SupplierLot } from './supplier-lots.ts';

/** Nodes numbered between two turns of the event loop: about a millisecond. */
const NODES_PER_TURN = 5_000;

interface Placed {
  readonly productSku: string;
  readonly relation: Relation;
  readonly distance: number;
}

export interface LotNode extends Placed {
  readonly lotCode: string;
  readonly status: LotStatus;
  readonly onHold: boolean;
  readonly supplierLot: undefined;
}

export interface SupplierLotNode extends Placed {
  readonly lotCode: string | null;
  readonly supplierLot: SupplierLot;
}

export type GraphNode = LotNode | SupplierLotNode;

export interface ShownSupplierLot {
  readonly supplierLot: SupplierLot;
  readonly relation: Relation;
  readonly distance: number;
}

/** The lots and supplier lots that are shown, of which nodes are made. */
export interface ShownNodes {
  readonly lots: readonly RelatedLot[];
  /** The state of these lots, by their numbers; a lot without one is not shown. */
  readonly standings: ReadonlyMap<number, StandingRow>;
  readonly supplierLots: readonly ShownSupplierLot[];
}

export interface NodeEntry {
  readonly node: GraphNode;
  readonly lotNo: number | undefined;
}

/** The nodes, numbered from 0 in the order of their codes: edges are sorted by numbers, not by texts. */
export class NodeTable {
  readonly #entries: readonly NodeEntry[];
  readonly #numberOfLot = new Map<number, number>();
  readonly #numberOfSupplierLot = new Map<SupplierLot, number>();

  private constructor(entries: readonly NodeEntry[]) {
    this.#entries = entries;
  }

  static async of(shown: ShownNodes): Promise<NodeTable> {
    const entries = await readEntries(shown);
    const sorted = await sortInTurns(entries, (a, b) => compareNodes(a.node, b.node));
    const table = new NodeTable(sorted);
    const pace = new Pace(NODES_PER_TURN);
    for (const [number, { node, lotNo }] of sorted.entries()) {
      if (lotNo !== undefined) table.#numberOfLot.set(lotNo, number);
      if (node.supplierLot !== undefined) table.#numberOfSupplierLot.set(node.supplierLot, number);
      if (pace.isOver()) await nextTurn();
    }
    return table;
  }

  get size(): number {
    return this.#entries.length;
  }

  node(number: number): GraphNode | undefined {
    return this.#entries[number]?.node;
  }

  numberOfLot(lotNo: number): number | undefined {
    return this.#numberOfLot.get(lotNo);
  }

  numberOfSupplierLot(supplierLot: SupplierLot): number | undefined {
    return this.#numberOfSupplierLot.get(supplierLot);
  }

  /** By distance, and by code where it is the same. */
  nearestFirst(): readonly NodeEntry[] {
    const rings: NodeEntry[][] = [];
    for (const entry of this.#entries) (rings[entry.node.distance] ??= []).push(entry);
    return rings.flat();
  }

  /**
   * The nodes in one direction, with their distance in it; in the order of `nearestFirst`.
   * @param hops of each lot in this direction; supplier lots have one direction only
   */
  inDirection(relation: WalkDirection, hops: ReadonlyMap<number, number>): readonly GraphNode[] {
    const rings: GraphNode[][] = [];
    for (const { node, lotNo } of this.#entries) {
      const ofSupplier = node.relation === relation ? node.distance : undefined;
      const distance = lotNo === undefined ? ofSupplier : hops.get(lotNo);
      if (distance !== undefined) (rings[distance] ??= []).push({ ...node, relation, distance });
    }
    return rings.flat();
  }
}

async function readEntries(shown: ShownNodes): Promise<readonly NodeEntry[]> {
  const pace = new Pace(NODES_PER_TURN);
  const entries: NodeEntry[] = [];
  for (const { lotNo, relation, distance } of shown.lots) {
    const row = shown.standings.get(lotNo);
    if (row === undefined) continue;
    const { lotCode, productSku, status } = row;
    const onHold = row.onHold === 1;
    const standing = { lotCode, productSku, status, onHold, supplierLot: undefined };
    entries.push({ node: { ...standing, relation, distance }, lotNo });
    if (pace.isOver()) await nextTurn();
  }
  for (const { supplierLot, relation, distance } of shown.supplierLots) {
    const { supplier_lot_code: lotCode, productSku } = supplierLot;
    const node = { lotCode, productSku, relation, distance, supplierLot };
    entries.push({ node, lotNo: undefined });
  }
  return entries;
}

/** Own lots come before supplier lots of the same code, and unknown values before known ones. */
function compareNodes(a: GraphNode, b: GraphNode): number {
  return (
    compareTexts(a.lotCode ?? '', b.lotCode ?? '') ||
    Number(a.supplierLot !== undefined) - Number(b.supplierLot !== undefined) ||
    compareTexts(a.supplierLot?.supplier_name ?? '', b.supplierLot?.supplier_name ?? '') ||
    compareTexts(a.supplierLot?.origin_facility ?? '', b.supplierLot?.origin_facility ?? '')
  );
}
