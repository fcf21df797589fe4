// The key of an imported event without an external id: the values that its rows shared in the file.
import type { ChainEvent } from './payload.ts';

/**
 * Event type, moment and reference, as they were imported. Neither type nor moment holds a space, so
 * two keys are equal only when all three are.
 */
export function buildGroupKey(
  event: Pick<ChainEvent, 'event_type' | 'occurred_at' | 'reference'>,
): string {
  return `${event.event_type} ${event.occurred_at} ${event.reference}`;
}
