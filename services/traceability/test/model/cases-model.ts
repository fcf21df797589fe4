// The plain model of recall cases (docs/interface/traceability.md#cases): what each covers, holds, recalls
// and whom it concerns, from all links of the tenant, anew each time. A hub that follows the chain may see
// some states and miss others, so of what stays (holds, notifications) the model says the least and the
// most.
import type { ChainModel } from './chain-model.ts';
import type { RecordedEvent } from './records.ts';
import { buildGraph, distancesFrom, lotsReceived, suppliersUsing } from './genealogy-model.ts';
import type { Graph, ModelEdge } from './genealogy-model.ts';

export const STATUSES = [
  'investigation',
  'notification',
  'containment',
  'closed',
  'cancelled',
] as const;
export type ModelStatus = (typeof STATUSES)[number];

export interface ModelCase {
  readonly caseNo: string;
  readonly tenantId: string;
  readonly seedLotCode: string;
  readonly seedKind: 'own' | 'supplier';
  /** Whose lot it is; null: of whoever, or an own one. */
  readonly supplierName: string | null;
  readonly direction: 'upstream' | 'downstream' | 'both';
  readonly autoHold: boolean;
  /** The public hears nothing of it before it is notified. */
  readonly isConfidential: boolean;
  readonly status: ModelStatus;
  readonly isNotified: boolean;
  /** When it ended: what it covered then. */
  readonly frozen: ReadonlySet<string> | undefined;
  readonly holdsEnded: boolean;
  /** Lots added by hand, which are further seeds, and lots excluded by hand. */
  readonly added: ReadonlySet<string>;
  readonly excluded: ReadonlySet<string>;
  /** Lots that were added at some time. */
  readonly everAdded: ReadonlySet<string>;
}

/** Lots that an edit names, none in both lists. */
export interface ModelEdit {
  readonly add: readonly string[];
  readonly exclude: readonly string[];
}

/** What was true of a tenant in any state so far. */
interface EverTrue {
  readonly edges: Map<string, ModelEdge>;
  /** Lots by the supplier's lot code that they came in under, and who it was. */
  readonly deliveries: Map<string, Graph['provenances'][number]>;
  /** Whom each lot concerned: `customer C-1`. */
  readonly concerned: Map<string, Set<string>>;
}

/** Called for every case. */
const ALWAYS = ['internal_qa internal_qa', 'regulator regulator', 'public public'];

export class CasesModel {
  readonly #chain: ChainModel;
  readonly #cases = new Map<string, ModelCase>();
  readonly #ever = new Map<string, EverTrue>();

  constructor(chain: ChainModel) {
    this.#chain = chain;
  }

  get cases(): readonly ModelCase[] {
    return [...this.#cases.values()];
  }

  /** Where a case on this code begins; undefined when the tenant knows no such lot. */
  findSeedKind(tenantId: string, lotCode: string): ModelCase['seedKind'] | undefined {
    if (this.#chain.mapNamings(tenantId).has(lotCode)) return 'own';
    const anybody = { supplierLotCode: lotCode, supplierName: null };
    return lotsReceived(buildGraph(this.#chain, tenantId), anybody).size > 0
      ? 'supplier'
      : undefined;
  }

  /** Who uses the code, if it is no own lot's. */
  listSuppliers(tenantId: string, lotCode: string): readonly string[] {
    if (this.findSeedKind(tenantId, lotCode) !== 'supplier') return [];
    return suppliersUsing(buildGraph(this.#chain, tenantId), lotCode);
  }

  open(
    opened: Pick<
      ModelCase,
      'caseNo' | 'tenantId' | 'seedLotCode' | 'direction' | 'autoHold' | 'isConfidential'
    >,
  ): void {
    const seedKind = this.findSeedKind(opened.tenantId, opened.seedLotCode);
    if (seedKind === undefined) throw new Error('opening a case on nothing');
    const [supplierName = null] = this.listSuppliers(opened.tenantId, opened.seedLotCode);
    this.#cases.set(opened.caseNo, {
      ...opened,
      seedKind,
      supplierName,
      status: 'investigation',
      isNotified: false,
      frozen: undefined,
      holdsEnded: false,
      added: new Set(),
      excluded: new Set(),
      everAdded: new Set(),
    });
    this.note();
  }

  /** Edits an open case. A lot that is traced all the same is no further seed. */
  edit(caseNo: string, { add, exclude }: ModelEdit): void {
    const before = this.#get(caseNo);
    const without = {
      ...before,
      added: before.added.difference(new Set(exclude)),
      excluded: before.excluded.difference(new Set(add)).union(new Set(exclude)),
    };
    const traced = this.covered(without);
    const added = without.added.union(new Set(add.filter((code) => !traced.has(code))));
    this.#cases.set(caseNo, { ...without, added, everAdded: before.everAdded.union(added) });
  }

  /** Whether the page allows a move; a move to its current status changes nothing. */
  allows(caseNo: string, to: ModelStatus): boolean {
    const from = this.#get(caseNo).status;
    if (from === to) return true;
    if (from === 'closed' || from === 'cancelled') return false;
    return to === 'cancelled' || STATUSES.indexOf(to) === STATUSES.indexOf(from) + 1;
  }

  /** Makes a move that is allowed, after the hub has followed everything. */
  move(caseNo: string, to: ModelStatus, releaseHolds: boolean): void {
    const before = this.#get(caseNo);
    if (before.status === to) return;
    const hasEnded = to === 'closed' || to === 'cancelled';
    this.#cases.set(caseNo, {
      ...before,
      status: to,
      isNotified: before.isNotified || to === 'notification',
      frozen: hasEnded ? this.covered(before) : undefined,
      holdsEnded: to === 'cancelled' || (to === 'closed' && releaseHolds),
    });
  }

  /** To be called after every step: what is true now was true once. */
  note(): void {
    for (const tenantId of this.#chain.tenantIds) {
      const ever = this.#getEver(tenantId);
      const graph = buildGraph(this.#chain, tenantId);
      for (const edge of graph.edges) ever.edges.set(JSON.stringify([edge.from, edge.to]), edge);
      for (const delivery of graph.provenances) {
        const { supplierLot, lotCode } = delivery;
        ever.deliveries.set(JSON.stringify([supplierLot, lotCode]), delivery);
      }
      for (const [lotCode, concerned] of concernedByLot(this.#chain, tenantId)) {
        for (const one of concerned) getSet(ever.concerned, lotCode).add(one);
      }
    }
  }

  /** Codes of the lots that the case covers. */
  covered(one: ModelCase): ReadonlySet<string> {
    if (one.frozen !== undefined) return one.frozen;
    const graph = buildGraph(this.#chain, one.tenantId);
    return findScope(one, graph.edges, listReceived(one, graph)).difference(one.excluded);
  }

  /** Lots that it may hold: it covered them in some state that a follower saw. */
  everHeld(one: ModelCase): ReadonlySet<string> {
    return this.everCovered(one).difference(one.excluded);
  }

  /** Lots that it may have covered in some state that a follower saw. */
  everCovered(one: ModelCase): ReadonlySet<string> {
    const ever = this.#getEver(one.tenantId);
    const graph = { edges: [...ever.edges.values()], provenances: [...ever.deliveries.values()] };
    return findScope({ ...one, added: one.everAdded }, graph.edges, listReceived(one, graph));
  }

  /** Lots of the notice of a case; undefined when it has none. */
  noticed(one: ModelCase): ReadonlySet<string> | undefined {
    const isHidden = one.isConfidential && !one.isNotified;
    return one.frozen === undefined && !isHidden ? this.covered(one) : undefined;
  }

  /** Lots of a tenant that a case recalls. */
  recalled(tenantId: string): ReadonlySet<string> {
    const recalling = this.cases.filter(
      (one) => one.tenantId === tenantId && one.isNotified && one.status !== 'cancelled',
    );
    return new Set(recalling.flatMap((one) => [...this.covered(one)]));
  }

  /** Whom the case concerns now: `customer C-1`, `channel Web shop`, `supplier Mill`. */
  concerned(one: ModelCase): ReadonlySet<string> {
    const byLot = concernedByLot(this.#chain, one.tenantId);
    return new Set([
      ...ALWAYS,
      ...[...this.covered(one)].flatMap((code) => [...(byLot.get(code) ?? [])]),
    ]);
  }

  /** Whom it may have concerned in some state that a follower saw. */
  everConcerned(one: ModelCase): ReadonlySet<string> {
    const { concerned } = this.#getEver(one.tenantId);
    return new Set([
      ...ALWAYS,
      ...[...this.everCovered(one)].flatMap((code) => [...(concerned.get(code) ?? [])]),
    ]);
  }

  #get(caseNo: string): ModelCase {
    const one = this.#cases.get(caseNo);
    if (one === undefined) throw new Error(`no case ${caseNo}`);
    return one;
  }

  #getEver(tenantId: string): EverTrue {
    const known = this.#ever.get(tenantId);
    if (known !== undefined) return known;
    const ever = { edges: new Map(), deliveries: new Map(), concerned: new Map() };
    this.#ever.set(tenantId, ever);
    return ever;
  }
}

/** Ancestors, descendants or both, and the seeds. Of a supplier's lot: what came in, and descendants. */
function findScope(
  { seedLotCode, seedKind, direction, added }: ModelCase,
  edges: readonly ModelEdge[],
  received: ReadonlySet<string>,
): ReadonlySet<string> {
  const codes = new Set([...(seedKind === 'own' ? [seedLotCode] : received), ...added]);
  const starts = [...codes];
  const walk = (way: 'upstream' | 'downstream'): void => {
    for (const code of distancesFrom(edges, starts, way).keys()) codes.add(code);
  };
  if (direction !== 'upstream') walk('downstream');
  if (direction !== 'downstream' && seedKind === 'own') walk('upstream');
  return codes;
}

function listReceived(
  { seedLotCode, supplierName }: ModelCase,
  graph: Pick<Graph, 'provenances'>,
): ReadonlySet<string> {
  return lotsReceived(graph, { supplierLotCode: seedLotCode, supplierName });
}

function concernedByLot(
  chain: ChainModel,
  tenantId: string,
): ReadonlyMap<string, ReadonlySet<string>> {
  const byLot = new Map<string, Set<string>>();
  for (const event of chain.listCountingEvents(tenantId)) {
    for (const line of event.effective.lines) {
      for (const one of concernedByLine(event, line)) getSet(byLot, line.lot_code).add(one);
    }
  }
  return byLot;
}

function concernedByLine(
  { effective }: RecordedEvent,
  line: RecordedEvent['effective']['lines'][number],
): readonly string[] {
  if (effective.event_type === 'RECEIVE') {
    return line.supplier_name === null ? [] : [`supplier ${line.supplier_name}`];
  }
  if (effective.event_type === 'SHIP') {
    const isOut = line.direction === 'out' && line.consignee_ref !== null;
    return isOut ? [`customer ${line.consignee_ref}`] : [];
  }
  if (effective.event_type !== 'SELL') return [];
  return [
    ...(line.customer_ref === null ? [] : [`customer ${line.customer_ref}`]),
    ...(line.channel === null ? [] : [`channel ${line.channel}`]),
  ];
}

function getSet(sets: Map<string, Set<string>>, key: string): Set<string> {
  const known = sets.get(key);
  if (known !== undefined) return known;
  const made = new Set<string>();
  sets.set(key, made);
  return made;
}
