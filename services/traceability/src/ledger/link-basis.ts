// Which events link lots, and by what: decided once, from the hashed event, when its rows are derived
// (service page, section 5). Walking the genealogy then never looks at an event that links nothing.
import type { EffectiveEvent } from './effective.ts';
import type { ChainEvent, EventType } from './payload.ts';

/** Stored as numbers, because every line of the hub carries one. */
export const LINKS_NOTHING = 0;
/** Each in-lot of the event leads to each other out-lot of the same event. */
export const LINKS_BY_EVENT = 1;
/** One-sided: linked with the other side's events of the same tenant and reference. */
export const LINKS_BY_REFERENCE = 2;

export type LinkBasis = typeof LINKS_NOTHING | typeof LINKS_BY_EVENT | typeof LINKS_BY_REFERENCE;

/** The side on which an event of this type may stand alone and still be linked by its reference. */
const ONE_SIDED: Readonly<Partial<Record<EventType, 'in' | 'out'>>> = {
  CONSUME: 'in',
  PRODUCE: 'out',
  PACK: 'out',
};

/** How an event links its lots. A CORRECTION links nothing, and no lot leads to itself. */
export function linkBasisOf(event: Pick<ChainEvent, 'event_type' | 'lines'>): LinkBasis {
  if (event.event_type === 'CORRECTION') return LINKS_NOTHING;
  const codes = new Set(event.lines.map((line) => line.lot_code));
  const hasIn = event.lines.some((line) => line.direction === 'in');
  const hasOut = event.lines.some((line) => line.direction === 'out');
  if (hasIn && hasOut) return codes.size > 1 ? LINKS_BY_EVENT : LINKS_NOTHING;
  return ONE_SIDED[event.event_type] === (hasIn ? 'in' : 'out')
    ? LINKS_BY_REFERENCE
    : LINKS_NOTHING;
}

/** How an event links its lots as it counts; one that did not happen links nothing. */
export function effectiveLinkBasisOf({ event, voided }: EffectiveEvent): LinkBasis {
  return voided ? LINKS_NOTHING : linkBasisOf(event);
}
