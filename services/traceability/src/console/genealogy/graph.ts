// The part of a genealogy that is drawn: the opened lots, products as groups, and their links. Pure; the
// server draws what an address requests, and browsers continue from there.
import { buildStepKey, closed, opened, PAGE_LOTS } from './steps.ts';
import type { Asked, Side, Step } from './steps.ts';

/** Maximum number of drawn nodes: nobody can read a drawing with more, and frames stay short. */
export const DRAWN_MAX = 500;
/** Neighbours that are drawn one by one; more come as a group for each product. */
export const SINGLE_MAX = 12;

/** The direct neighbours of a lot. */
export interface LotNeighbours {
  /** Ids of the newest of them. */
  readonly ids: readonly string[];
  readonly count: number;
  /** There may be more. */
  readonly isCut: boolean;
}

export interface LotNode {
  readonly id: string;
  readonly kind: 'lot' | 'supplier';
  /** Empty where a supplier named none. */
  readonly code: string;
  /** The code, or what replaces it; and below it the product, or the supplier. */
  readonly label: string;
  readonly detail: string;
  /** Code, product and state in words. */
  readonly spoken: string;
  readonly isHeld: boolean;
  readonly isRecalled: boolean;
  /** The page of the lot, or of the lots received under a supplier's code; null where there is no code. */
  readonly path: string | null;
  /** Cells of the table, as markup. */
  readonly cells: {
    readonly lot: string;
    readonly product: string;
    readonly state: string;
    readonly first: string;
  };
  /** The higher the newer. */
  readonly order: number;
  readonly beside: Readonly<Record<Side, LotNeighbours>>;
}

/** Neighbours of a lot that have the same product. */
export interface Group {
  /** Unique only within its lot and side. */
  readonly key: string;
  readonly kind: LotNode['kind'];
  readonly label: string;
  readonly detail: string;
  readonly count: number;
  readonly held: number;
  readonly recalled: number;
}

/** The answer of the server when something is opened. */
export interface Answer {
  readonly step: Step;
  /** True if there are more that were not read. */
  readonly isCut: boolean;
  /** Filled for a side with many lots. */
  readonly groups: readonly Group[];
  /** Lots to draw, in their order. */
  readonly ids: readonly string[];
  /** These, and suppliers' lots beside them. */
  readonly lots: readonly LotNode[];
}

/** The part of a genealogy that was read so far. */
export class Known {
  readonly lots = new Map<string, LotNode>();
  readonly #codes = new Map<string, LotNode>();
  readonly #answers = new Map<string, Answer>();

  addLots(lots: readonly LotNode[]): void {
    for (const lot of lots) {
      this.lots.set(lot.id, lot);
      // A supplier's lot opens nothing, unless the drawing begins with it.
      if (lot.kind === 'lot' || lot.beside.down.count > 0) this.#codes.set(lot.code, lot);
    }
  }

  add(answer: Answer): void {
    this.addLots(answer.lots);
    this.#answers.set(buildStepKey(answer.step), answer);
  }

  /**
   * Returns what a step opens, as far as it was read. A step with few neighbours needs no read if they are
   * known already.
   */
  answerTo(step: Step): Pick<Answer, 'groups' | 'ids'> | undefined {
    const read = this.#answers.get(buildStepKey(step));
    if (read !== undefined || step.kind !== 'side') return read;
    const lot = this.findLot(step.code);
    if (lot === undefined) return undefined;
    const { ids, count, isCut } = lot.beside[step.side];
    const areKnown = ids.length === count && !isCut && ids.every((id) => this.lots.has(id));
    return areKnown && count <= SINGLE_MAX ? { groups: [], ids } : undefined;
  }

  findLot(code: string): LotNode | undefined {
    return this.#codes.get(code);
  }

  /** Whether a step has to be read before it can be drawn. */
  isMissing(step: Step): boolean {
    const answer = this.answerTo(step);
    if (answer === undefined) return true;
    if (step.kind !== 'group') return false;
    const group = this.#findGroup(step);
    return answer.ids.length < Math.min(step.shown, group?.count ?? 0);
  }

  #findGroup({ side, code, group: key }: Step & { readonly kind: 'group' }): Group | undefined {
    return this.answerTo({ kind: 'side', side, code })?.groups.find((one) => one.key === key);
  }
}

/** Something at the edge of a node that opens or closes. */
export interface Opener {
  readonly does: 'open' | 'close';
  readonly side: Side;
  readonly step: Step;
  /** Lots that it opens; 0 when nobody counted. */
  readonly count: number;
  readonly isCut: boolean;
}

export type Relation = 'self' | 'upstream' | 'downstream' | 'related';

interface Place {
  readonly relation: Relation;
  readonly distance: number;
}
interface Drawn extends Place {
  readonly id: string;
  readonly openers: readonly Opener[];
}
export interface DrawnLot extends Drawn {
  readonly lot: LotNode;
  readonly group: undefined;
}
export interface DrawnGroup extends Drawn {
  readonly lot: undefined;
  readonly group: Group & { readonly side: Side; readonly rest: number };
}
export type DrawnNode = DrawnLot | DrawnGroup;

/** What leads from some nodes to others, by their numbers. */
export interface DrawnLink {
  readonly key: string;
  readonly ins: readonly number[];
  readonly outs: readonly number[];
}

export interface Graph {
  /** The lot itself first, then the others in the order in which they were opened. */
  readonly nodes: readonly DrawnNode[];
  readonly links: readonly DrawnLink[];
  /** More is open than is drawn. */
  readonly isFull: boolean;
}

/** Nodes while they are found. Some represent a group. */
interface Found {
  readonly lot: LotNode | undefined;
  readonly group: DrawnGroup['group'] | undefined;
  readonly step: Step | undefined;
  readonly shown: number;
}

/**
 * @param steps what is open, in the order in which it was opened; a step of a lot that is not drawn is
 * skipped
 */
export function buildGraph(known: Known, seedId: string, steps: readonly Step[]): Graph {
  const found = new Map<string, Found>();
  const parents = new Map<string, Set<string>>();
  let isFull = false;
  const draw = (id: string, one: Found): boolean => {
    if (found.size >= DRAWN_MAX && !found.has(id)) {
      isFull = true;
      return false;
    }
    const before = found.get(id);
    if (before === undefined || before.shown < one.shown) found.set(id, one);
    return true;
  };
  const drawLot = (id: string): boolean => {
    const lot = known.lots.get(id);
    return lot !== undefined && draw(id, { lot, group: undefined, step: undefined, shown: 0 });
  };
  const link = (from: string, to: string): void => {
    const known = parents.get(to);
    if (known === undefined) parents.set(to, new Set([from]));
    else known.add(from);
  };
  const linkTo = (side: Side, id: string, other: string): void => {
    if (side === 'up') link(other, id);
    else link(id, other);
  };
  drawLot(seedId);
  for (const step of steps) {
    const answer = known.answerTo(step);
    const lot = known.findLot(step.code);
    if (answer === undefined || lot === undefined) continue;
    if (step.kind === 'way') {
      for (const id of answer.ids) drawLot(id);
      continue;
    }
    if (!found.has(lot.id)) continue;
    const { side } = step;
    if (step.kind === 'group') {
      const id = groupId(lot, side, step.group);
      const group = found.get(id)?.group;
      if (group === undefined) continue;
      const ids = answer.ids.slice(0, step.shown);
      const shown = ids.filter(drawLot);
      for (const other of shown) linkTo(side, lot.id, other);
      draw(id, {
        ...{ lot: undefined, step, shown: shown.length },
        group: { ...group, rest: group.count - shown.length },
      });
      continue;
    }
    for (const group of answer.groups) {
      const id = groupId(lot, side, group.key);
      const shown = { ...group, side, rest: group.count };
      const first = { kind: 'group', side, code: lot.code, group: group.key, shown: 0 } as const;
      if (!draw(id, { lot: undefined, group: shown, step: first, shown: 0 })) continue;
      linkTo(side, lot.id, id);
    }
    for (const id of answer.ids) if (drawLot(id)) linkTo(side, lot.id, id);
  }
  for (const [id, { lot }] of found) {
    if (lot === undefined) continue;
    for (const other of lot.beside.up.ids) if (found.has(other)) link(other, id);
    for (const other of lot.beside.down.ids) if (found.has(other)) link(id, other);
  }
  return finish({ found, parents, seedId, steps, isFull });
}

function groupId(lot: LotNode, side: Side, key: string): string {
  return `${lot.id}/${side}/${key}`;
}

interface Unfinished {
  readonly found: ReadonlyMap<string, Found>;
  readonly parents: ReadonlyMap<string, ReadonlySet<string>>;
  readonly seedId: string;
  readonly steps: readonly Step[];
  readonly isFull: boolean;
}

function finish({ found, parents, seedId, steps, isFull }: Unfinished): Graph {
  const keys = new Set(steps.map(buildStepKey));
  const places = placesFrom(seedId, parents, found);
  const ids = [...found.keys()];
  const nodes = ids.map((id): DrawnNode => {
    const one = found.get(id);
    const place = places.get(id) ?? { relation: 'related', distance: 0 };
    if (one?.group !== undefined && one.step !== undefined) {
      return {
        id,
        lot: undefined,
        group: one.group,
        openers: openersOfGroup(one.group, one.step),
        ...place,
      };
    }
    if (one?.lot === undefined) throw new Error(`${id} is neither a lot nor a group`);
    return {
      id,
      lot: one.lot,
      group: undefined,
      openers: openersOfLot(one.lot, { found, keys }),
      ...place,
    };
  });
  return { nodes, links: listLinks(ids, parents), isFull };
}

function openersOfGroup(group: DrawnGroup['group'], step: Step): readonly Opener[] {
  if (step.kind !== 'group') return [];
  const openers: Opener[] = [];
  const { side } = group;
  const shown = group.count - group.rest;
  if (group.rest > 0) {
    const next = { ...step, shown: shown + PAGE_LOTS };
    openers.push({ does: 'open', side, step: next, count: group.rest, isCut: false });
  }
  if (shown > 0) {
    const inward = side === 'up' ? 'down' : 'up';
    openers.push({ does: 'close', side: inward, step, count: shown, isCut: false });
  }
  return openers;
}

function openersOfLot(
  lot: LotNode,
  {
    found,
    keys,
  }: { readonly found: ReadonlyMap<string, Found>; readonly keys: ReadonlySet<string> },
): readonly Opener[] {
  return (['up', 'down'] as const).flatMap((side): readonly Opener[] => {
    const { ids, count, isCut } = lot.beside[side];
    if (count === 0 && !isCut) return [];
    const step = { kind: 'side', side, code: lot.code } as const;
    if (keys.has(buildStepKey(step)))
      return [{ does: 'close', side, step, count: 0, isCut: false }];
    const rest = count - ids.filter((id) => found.has(id)).length;
    return rest > 0 || isCut ? [{ does: 'open', side, step, count: rest, isCut }] : [];
  });
}

/** Finds the relation of each node to the lot in the drawing; the shorter way counts. */
function placesFrom(
  seedId: string,
  parents: ReadonlyMap<string, ReadonlySet<string>>,
  found: ReadonlyMap<string, Found>,
): ReadonlyMap<string, Place> {
  const children = new Map<string, Set<string>>();
  for (const [to, froms] of parents) {
    for (const from of froms) {
      const known = children.get(from);
      if (known === undefined) children.set(from, new Set([to]));
      else known.add(to);
    }
  }
  const up = hopsFrom(seedId, (id) => parents.get(id) ?? []);
  const down = hopsFrom(seedId, (id) => children.get(id) ?? []);
  const any = hopsFrom(seedId, (id) => [...(parents.get(id) ?? []), ...(children.get(id) ?? [])]);
  const computePlace = (id: string): Place => {
    if (id === seedId) return { relation: 'self', distance: 0 };
    const [above, below] = [up.get(id) ?? Infinity, down.get(id) ?? Infinity];
    if (above === Infinity && below === Infinity) {
      return { relation: 'related', distance: any.get(id) ?? 0 };
    }
    return above <= below
      ? { relation: 'upstream', distance: above }
      : { relation: 'downstream', distance: below };
  };
  return new Map([...found.keys()].map((id) => [id, computePlace(id)]));
}

function hopsFrom(
  seedId: string,
  next: (id: string) => Iterable<string>,
): ReadonlyMap<string, number> {
  const hops = new Map([[seedId, 0]]);
  for (const [id, distance] of hops) {
    for (const other of next(id)) if (!hops.has(other)) hops.set(other, distance + 1);
  }
  return hops;
}

/** Joins links that start at the same nodes: the connections stay the same, with far fewer lines. */
function listLinks(
  ids: readonly string[],
  parents: ReadonlyMap<string, ReadonlySet<string>>,
): readonly DrawnLink[] {
  const numbers = new Map(ids.map((id, number) => [id, number]));
  const links = new Map<string, { readonly key: string; ins: number[]; outs: number[] }>();
  for (const [number, id] of ids.entries()) {
    const ins = [...(parents.get(id) ?? [])]
      .flatMap((parent) => numbers.get(parent) ?? [])
      .filter((parent) => parent !== number)
      .sort((a, b) => a - b);
    if (ins.length === 0) continue;
    const key = ins.map((parent) => ids[parent]).join(' ');
    const known = links.get(key);
    if (known === undefined) links.set(key, { key, ins, outs: [number] });
    else known.outs.push(number);
  }
  return [...links.values()];
}

/** Returns what is open after an opener was used. */
export function after(asked: Asked, { does, step }: Opener): Asked {
  return does === 'open' ? opened(asked, step) : closed(asked, step);
}
