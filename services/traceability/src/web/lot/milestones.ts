// Makes the story of a lot in three to six milestones: events of one kind at one place are joined,
// and if there are still too many for a telephone, those of one kind. Pure.
import { isEventType, type EventType } from '../../ledger/record/event-types.ts';
import type { StepsOfEvent } from '../../verification/journey.ts';
import type { PlaceProfile } from '../../lots/profiles/read-profiles.ts';

/** As many as a reader can read at a glance, and as many as there are stages. */
export const MILESTONES_MAX = 6;

/** The stages of goods, for people: some types of events belong to one of these. */
export const STAGES = ['received', 'made', 'packed', 'moved', 'sold', 'disposed'] as const;
export type Stage = (typeof STAGES)[number];

const STAGE_OF: Readonly<Record<EventType, Stage | undefined>> = {
  RECEIVE: 'received',
  PRODUCE: 'made',
  CONSUME: 'made',
  PACK: 'packed',
  TRANSFER: 'moved',
  SHIP: 'moved',
  SELL: 'sold',
  DISPOSE: 'disposed',
  CORRECTION: undefined,
};

/** Stages that are joined over all their places when there are too many milestones, in this order. */
const JOINED_FIRST: readonly Stage[] = ['sold', 'moved', 'received', 'disposed', 'packed', 'made'];

export interface MilestonePlace {
  readonly location: string;
  readonly profile: PlaceProfile | undefined;
}

export interface Milestone {
  readonly stage: Stage;
  /** The places in the order of the story; at least one. */
  readonly places: readonly [MilestonePlace, ...MilestonePlace[]];
  /** When its first and its last event occurred, ISO 8601 in UTC. */
  readonly first: string;
  readonly last: string;
  /** SKUs of the lots of its events, each once, except that of the story's lot. */
  readonly otherSkus: readonly string[];
  /** Whether its events name the lot of the story itself. */
  readonly hasLot: boolean;
}

/**
 * @param events in the order in which they occurred, oldest first
 * @param lotCode of the story's lot
 * @returns at most MILESTONES_MAX, by their first event
 */
export function listMilestones(
  events: readonly StepsOfEvent[],
  lotCode: string,
): readonly Milestone[] {
  const joined = new Set<Stage>();
  for (const stage of [...JOINED_FIRST, undefined]) {
    const groups = listGroups(events, joined);
    if (groups.length <= MILESTONES_MAX || stage === undefined) {
      return groups.map((group) => buildMilestone(group, lotCode));
    }
    joined.add(stage);
  }
  return [];
}

interface Group {
  readonly stage: Stage;
  readonly events: [StepsOfEvent, ...StepsOfEvent[]];
}

/** Events of one stage at one place together; of a joined stage, those of all places. */
function listGroups(events: readonly StepsOfEvent[], joined: ReadonlySet<Stage>): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const steps of events) {
    const [{ event_type: type, location }] = steps;
    const stage = isEventType(type) ? STAGE_OF[type] : undefined;
    if (stage === undefined) continue;
    const key = joined.has(stage) ? stage : JSON.stringify([stage, location]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { stage, events: [steps] });
    else group.events.push(steps);
  }
  return [...groups.values()];
}

function buildMilestone({ stage, events }: Group, lotCode: string): Milestone {
  const [firstEvent] = events;
  const lastEvent = events.at(-1) ?? firstEvent;
  const steps = events.flat();
  const others = steps.filter((step) => step.lot_code !== lotCode);
  const [place, ...places] = new Map(
    events.map(([{ location, place: profile }]): [string, MilestonePlace] => [
      location,
      { location, profile },
    ]),
  ).values();
  return {
    stage,
    places: [place ?? { location: firstEvent[0].location, profile: undefined }, ...places],
    first: firstEvent[0].occurred_at,
    last: lastEvent[0].occurred_at,
    otherSkus: [...new Set(others.map((step) => step.product_sku))],
    hasLot: others.length < steps.length,
  };
}

/** The time zone of all these places; undefined when one of them has none, or they have several. */
export function findTimeZone(places: Milestone['places']): string | undefined {
  const zones = new Set(places.map(({ profile }) => profile?.time_zone ?? undefined));
  const [zone] = zones;
  return zones.size === 1 ? zone : undefined;
}
