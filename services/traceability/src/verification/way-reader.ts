// Reads what `findWay` decides on: the ancestors of a lot, what made which of them out of which, and the
// events in which they came to be or were moved. What is found is kept for as long as it is so.
import { askForEach, askTogether, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { comparableInstant } from '../ledger/record/quantities.ts';
import { LINKS_BY_REFERENCE, LINKS_NOTHING } from '../ledger/record/link-basis.ts';
import { MOVE_TYPES, ORIGIN_TYPES, type EventType } from '../ledger/record/event-types.ts';
import type { LastingAnswer } from '../lots/lasting-answers.ts';
import { momentsOfEvents } from '../lots/chain/queries.ts';
import type { Link } from '../lots/genealogy/link.ts';
import { PUBLIC_WALK } from '../lots/genealogy/links.ts';
import { lotLabels, type Side } from '../lots/queries.ts';
import { LotWalk } from '../lots/genealogy/walk.ts';
import { readLotEvents } from './lot-events.ts';
import { oneSidedLines, originsAndMoves } from './queries.ts';
import { findWay, type LotEvent, type Transformation } from './way.ts';

/** One-sided events read of up to IN_LIST_MAX references, and lines of them. */
const ONE_SIDED_EVENTS_MAX = 2_000;
const ONE_SIDED_LINES_MAX = 10_000;

/** Which line of an event recorded since may change the way. */
type ChangesWay = LastingAnswer<WayToLot>['isChangedBy'];

export interface WayToLot {
  /**
   * By the height of an event, the codes of the ancestors of which it is a step; the events of the nearest
   * ancestors first.
   */
  readonly codesAt: ReadonlyMap<number, ReadonlySet<string>>;
  /** True when there may be more ancestors or more events of them. */
  readonly truncated: boolean;
}

export async function readWay(
  database: DatabaseReader,
  lot: { readonly tenantNo: number; readonly lotNo: number },
): Promise<LastingAnswer<WayToLot>> {
  const walk = new LotWalk({
    database,
    tenantNo: lot.tenantNo,
    direction: 'upstream',
    seeds: [lot.lotNo],
    depthMax: Infinity,
    links: 'kept',
    ...PUBLIC_WALK,
  });
  await walk.run();
  const ancestors = [...walk.distances.keys()].filter((lotNo) => lotNo !== lot.lotNo);
  const links = [...walk.links()];
  const byEvent = links.filter((link) => link.basis === 'event');
  const references = new Set(walk.references());
  const [moments, oneSided, origins] = await askTogether(database, (one) =>
    Promise.all([
      readMoments(one, byEvent),
      readOneSided(one, lot.tenantNo, [...references]),
      readOriginsAndMoves(one, ancestors),
    ]),
  );
  const heightsOf = findWay(lot.lotNo, {
    transformations: [
      ...byEvent.flatMap((link) => listTransformations(link, moments.get(link.height))),
      ...oneSided.transformations,
    ],
    ...origins,
  });
  const codesAt = await codesByHeight(database, ancestors, heightsOf);
  return {
    value: { codesAt, truncated: walk.isCut || oneSided.isCut || origins.isCut },
    isChangedBy: changesWay(new Set(walk.distances.keys()), references),
    weight: walk.distances.size + codesAt.size,
  };
}

/** Other uses of these lots, their sales, shipments and disposals are on no way. */
function changesWay(lots: ReadonlySet<number>, references: ReadonlySet<string>): ChangesWay {
  return ({ lotNo, side, linkBasis, eventType, reference }) => {
    if (linkBasis === LINKS_BY_REFERENCE && references.has(reference)) return true;
    if (!lots.has(lotNo)) return false;
    if (side === 'out' && linkBasis !== LINKS_NOTHING) return true;
    return isOriginOrMove(eventType, side);
  };
}

function isOriginOrMove(eventType: EventType, side: Side): boolean {
  return ORIGIN_TYPES[side].includes(eventType) || MOVE_TYPES.includes(eventType);
}

async function readMoments(
  database: DatabaseReader,
  links: readonly Link[],
): Promise<ReadonlyMap<number, string>> {
  const heights = links.map((link) => link.height);
  const moments = await askForEach(database, cutSlices(heights), momentsOfEvents);
  return new Map(
    moments.flat().map(({ height, occurredAt }) => [height, comparableInstant(occurredAt)]),
  );
}

/** @param instant undefined of an event that a correction has taken away since the links were read */
function listTransformations(link: Link, instant: string | undefined): readonly Transformation[] {
  if (instant === undefined) return [];
  const at = (lotNo: number): LotEvent => ({ lotNo, height: link.height, instant });
  return [{ ins: link.far.map(at), outs: link.near.map(at) }];
}

async function readOneSided(
  database: DatabaseReader,
  tenantNo: number,
  references: readonly string[],
): Promise<{ readonly transformations: readonly Transformation[]; readonly isCut: boolean }> {
  const bounds = { eventsMax: ONE_SIDED_EVENTS_MAX, limit: ONE_SIDED_LINES_MAX };
  const pages = await askForEach(database, cutSlices(references), (one, slice) =>
    oneSidedLines(one, { tenantNo, references: slice, ...bounds }),
  );
  const byReference = new Map<string, { ins: LotEvent[]; outs: LotEvent[] }>();
  for (const { reference, side, lotNo, height, occurredAt } of pages.flat()) {
    const sides = byReference.get(reference) ?? { ins: [], outs: [] };
    byReference.set(reference, sides);
    const event = { lotNo, height, instant: comparableInstant(occurredAt) };
    if (side === 'in') sides.ins.push(event);
    else sides.outs.push(event);
  }
  return {
    transformations: [...byReference.values()],
    isCut: pages.some(
      (lines) =>
        lines.length >= ONE_SIDED_LINES_MAX ||
        new Set(lines.map((line) => line.height)).size >= ONE_SIDED_EVENTS_MAX,
    ),
  };
}

async function readOriginsAndMoves(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<{
  readonly origins: readonly LotEvent[];
  readonly moves: readonly LotEvent[];
  readonly isCut: boolean;
}> {
  const { events, isCut } = await readLotEvents(database, lotNos, originsAndMoves);
  const origins: LotEvent[] = [];
  const moves: LotEvent[] = [];
  for (const { lotNo, height, eventType, occurredAt } of events) {
    const event = { lotNo, height, instant: comparableInstant(occurredAt) };
    if (MOVE_TYPES.includes(eventType)) moves.push(event);
    else origins.push(event);
  }
  return { origins, moves, isCut };
}

async function codesByHeight(
  database: DatabaseReader,
  nearestFirst: readonly number[],
  heightsOf: ReadonlyMap<number, readonly number[]>,
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const onWay = nearestFirst.filter((lotNo) => heightsOf.has(lotNo));
  const labels = (await askForEach(database, cutSlices(onWay), lotLabels)).flat();
  const codeOf = new Map(labels.map((label) => [label.lotNo, label.lotCode]));
  const codesAt = new Map<number, Set<string>>();
  for (const lotNo of onWay) {
    const code = codeOf.get(lotNo);
    if (code === undefined) continue;
    for (const height of heightsOf.get(lotNo) ?? []) {
      const codes = codesAt.get(height);
      if (codes === undefined) codesAt.set(height, new Set([code]));
      else codes.add(code);
    }
  }
  return codesAt;
}
