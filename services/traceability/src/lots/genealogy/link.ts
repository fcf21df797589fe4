// A link of lots: an event, or a shared reference, as one node with the lots of its two sides,
// never the product of the two (docs/interface/traceability.md#links). Also collects the lots of a
// link while they are read.
import type { LotPlace } from '../queries.ts';

/** A link of lots: one event, or all one-sided events of one reference. */
export interface Link {
  readonly basis: 'event' | 'reference';
  /** The height of the event. It is 0 for a reference, which has `nearHeights` and `farHeights`. */
  readonly height: number;
  /** Lots from which the link was found, each once. */
  readonly near: readonly number[];
  /** Lots to which it leads, each once. A lot may be on both sides: it does not lead to itself. */
  readonly far: readonly number[];
  /** The first event that names each lot of `near` for a reference; empty for an event. */
  readonly nearHeights: readonly number[];
  readonly farHeights: readonly number[];
  /** False while lots of `far` may be missing. */
  readonly isRead: boolean;
}

/** A link while it is read. */
export interface OpenLink extends Link {
  readonly near: number[];
  readonly far: number[];
  readonly nearHeights: number[];
  readonly farHeights: number[];
  isRead: boolean;
}

/** A link whose far side is being read. */
export interface Opening {
  readonly link: OpenLink;
  /** Known lots of the far side; undefined for an event, whose lines are read at once. */
  readonly seen: Set<number> | undefined;
}

/** An event has a height of its own. Shared, for there are many. */
const NO_HEIGHTS: number[] = [];

export function openingOfEvent(height: number): Opening {
  const heights = { nearHeights: NO_HEIGHTS, farHeights: NO_HEIGHTS };
  const link: OpenLink = { basis: 'event', height, near: [], far: [], ...heights, isRead: false };
  return { link, seen: undefined };
}

export function openingOfReference(): Opening {
  const heights = { nearHeights: [], farHeights: [] };
  const link: OpenLink = {
    basis: 'reference',
    height: 0,
    near: [],
    far: [],
    ...heights,
    isRead: false,
  };
  return { link, seen: new Set() };
}

/** Rows come by lot and height: a lot that was added already was added last, at its lowest height. */
export function addNear(link: OpenLink | undefined, row: LotPlace): void {
  if (link === undefined || link.near.at(-1) === row.lotNo) return;
  link.near.push(row.lotNo);
  if (link.basis === 'reference') link.nearHeights.push(row.height);
}
