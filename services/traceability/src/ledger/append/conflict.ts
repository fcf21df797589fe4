// Decides whether a draft is the event that is stored under its external id or group key, or whether the key
// has other content. The check of a file calls it, and the writer does for every draft.
import type { Conflict, Draft } from '../draft.ts';
import { findGroupDifference } from './group-difference.ts';
import type { ChainEvent, Payload } from '../record/payload.ts';
import { differingFields, type StoredPrivate } from './replay.ts';

export interface StoredEventParts {
  /** -1: not stored, but an earlier draft of the same submission. */
  readonly height: number;
  /** Undefined when the block is no event. */
  readonly event: ChainEvent | undefined;
  readonly privateValues: StoredPrivate;
}

/** Returns undefined when the draft has the same content as the stored event. */
export function findConflict(stored: StoredEventParts, draft: Draft): Conflict | undefined {
  const { height, event, privateValues } = stored;
  if (draft.externalId !== null) {
    const fields = event === undefined ? NO_EVENT : differingFields(event, draft, privateValues);
    if (fields.length === 0) return undefined;
    const owner = event === undefined ? { owner: 'correction' as const } : {};
    return { taken: 'external_id', height, fields, ...owner };
  }
  const difference =
    event === undefined
      ? { fields: NO_EVENT, added: [], missing: 0 }
      : findGroupDifference(event, draft, privateValues);
  return difference === undefined ? undefined : { taken: 'group', height, difference };
}

/** The event that a block's payload carries, if it is one. */
export function findEvent(payload: Payload): ChainEvent | undefined {
  return payload.type === 'event' ? payload.event : undefined;
}

/**
 * The external id belongs to a correction. Under a group key this happens only after a manual
 * change of the rows.
 */
const NO_EVENT: readonly string[] = ['event_type'];
