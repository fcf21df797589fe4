// Applies stored corrections to stored events, step by step. The rows of a corrected event, and the
// rows of its corrections, are compared with the results. Pure; the texts are hashed again.
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { applyCorrection, asSealed, fitsEvent } from '../../record/effective.ts';
import type { EffectiveEvent } from '../../record/effective.ts';
import { findPayload } from '../../record/payload-shape.ts';
import type {
  ChainCorrection,
  CorrectionPayload,
  EventPayload,
  Payload,
} from '../../record/payload.ts';

/** A stored block with which other blocks are compared. */
export interface BlockText {
  readonly height: number;
  readonly hash: string;
  readonly canonical: string;
}

/** A correction as it is listed for an event; hash and text are null when there is no such block. */
export interface ListedCorrection {
  readonly height: number;
  readonly corrects_height: number;
  readonly hash: string | null;
  readonly canonical: string | null;
}

/** One correction of an event. */
export interface CorrectionStep {
  readonly correction: ChainCorrection;
  readonly before: EffectiveEvent;
  readonly after: EffectiveEvent;
}

/** An event as it counts, and how it came to that. */
export interface EventHistory {
  readonly effective: EffectiveEvent;
  /** By the height of the correction, in the order of the blocks. */
  readonly steps: ReadonlyMap<number, CorrectionStep>;
}

/**
 * The payload of a stored block; `unsound` when the block is missing or its text does not have its
 * hash.
 */
export type SoundPayload = Payload | 'unreadable' | 'unsound';

export class CorrectionHistories {
  readonly #listed: ReadonlyMap<number, readonly ListedCorrection[]>;
  readonly #targets: ReadonlyMap<number, BlockText>;
  readonly #known = new Map<number, EventHistory | 'unsound'>();

  /**
   * @param listed by the height of the corrected event, in the order of their blocks
   * @param targets blocks that corrections correct, by their height
   */
  constructor(
    listed: ReadonlyMap<number, readonly ListedCorrection[]>,
    targets: ReadonlyMap<number, BlockText>,
  ) {
    this.#listed = listed;
    this.#targets = targets;
  }

  /** The block that a correction corrects, as stored; undefined when there is none. */
  target(height: number): BlockText | undefined {
    return this.#targets.get(height);
  }

  /**
   * Applies to the event of a block the corrections that are listed for it, except those that
   * correct another event.
   *
   * @returns undefined when none is listed; `unsound` when the block of a correction is not as it
   * was sealed, so that the effective event is unknown. The fault is reported at that block
   */
  applyHistory(height: number, payload: EventPayload): EventHistory | 'unsound' | undefined {
    const listed = this.#listed.get(height);
    if (listed === undefined) return undefined;
    let history = this.#known.get(height);
    if (history === undefined) {
      history = historyFrom(listed, height, payload);
      this.#known.set(height, history);
    }
    return history;
  }
}

function historyFrom(
  listed: readonly ListedCorrection[],
  height: number,
  payload: EventPayload,
): EventHistory | 'unsound' {
  const steps = new Map<number, CorrectionStep>();
  let effective = asSealed(payload.event);
  for (const stored of listed) {
    const found = soundPayload(stored);
    if (found === 'unsound') return 'unsound';
    if (found === 'unreadable' || found.type !== 'correction') continue;
    if (!isCorrectionFor(found, { height, payload })) continue;
    const { correction } = found;
    const before = effective;
    effective = applyCorrection(before, { height: stored.height, correction });
    steps.set(stored.height, { correction, before, after: effective });
  }
  return { effective, steps };
}

/**
 * Returns whether a correction corrects this event; its hash is checked at the correction's block.
 */
function isCorrectionFor(
  { brand, correction }: CorrectionPayload,
  target: { readonly height: number; readonly payload: EventPayload },
): boolean {
  return (
    correction.corrects_block_height === target.height &&
    brand === target.payload.brand &&
    fitsEvent(correction, target.payload.event)
  );
}

/** Reads a stored block that is not the one being verified; it is hashed again on the spot. */
export function soundPayload(stored: {
  readonly hash: string | null;
  readonly canonical: string | null;
}): SoundPayload {
  const { hash, canonical } = stored;
  if (canonical === null || sha256Hex(canonical) !== hash) return 'unsound';
  return findPayload(canonical) ?? 'unreadable';
}
