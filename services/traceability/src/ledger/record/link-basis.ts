// Decides which events link lots, and by what: once, from the hashed event, when its rows are
// derived (docs/interface/traceability.md#links). A walk of the genealogy then skips events that
// link nothing.
import type { EffectiveEvent } from './effective.ts';
import type { ChainEvent } from './payload.ts';
import { getFacts } from './event-types.ts';

/** Stored as numbers, because every line of the hub carries one. */
export const LINKS_NOTHING = 0;
/** Each lot with an `in` line is linked to each other lot with an `out` line of the same event. */
export const LINKS_BY_EVENT = 1;
/** One-sided: linked with the other side's events of the same tenant and reference. */
export const LINKS_BY_REFERENCE = 2;

export type LinkBasis = typeof LINKS_NOTHING | typeof LINKS_BY_EVENT | typeof LINKS_BY_REFERENCE;

/** Returns how an event links its lots. A CORRECTION links nothing, and no lot links to itself. */
export function deriveLinkBasis(event: Pick<ChainEvent, 'event_type' | 'lines'>): LinkBasis {
  const { counts, linkedAlone } = getFacts(event.event_type);
  if (!counts) return LINKS_NOTHING;
  let hasIn = false;
  let hasOut = false;
  let hasSeveralLots = false;
  for (const { direction, lot_code } of event.lines) {
    if (direction === 'in') hasIn = true;
    else hasOut = true;
    if (lot_code !== event.lines[0]?.lot_code) hasSeveralLots = true;
  }
  if (hasIn && hasOut) return hasSeveralLots ? LINKS_BY_EVENT : LINKS_NOTHING;
  return linkedAlone === (hasIn ? 'in' : 'out') ? LINKS_BY_REFERENCE : LINKS_NOTHING;
}

/** Returns how an event links its lots by its effective values; a voided one links nothing. */
export function deriveEffectiveLinkBasis({ event, voided }: EffectiveEvent): LinkBasis {
  return voided ? LINKS_NOTHING : deriveLinkBasis(event);
}
