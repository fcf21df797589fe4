// The event of a draft, parsed from its canonical text once for all that use it.
import type { Draft } from '../draft.ts';
import type { ChainEvent } from '../record/payload.ts';

const events = new WeakMap<Draft, ChainEvent>();

export function eventOfDraft(draft: Draft): ChainEvent {
  let event = events.get(draft);
  if (event === undefined) {
    event = JSON.parse(draft.eventText) as ChainEvent;
    events.set(draft, event);
  }
  return event;
}
