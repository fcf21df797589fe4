// Events of several kinds, each coming evenly over its own time, put into one order.
import type { SupplyEvent } from './events.ts';

/** Events that come evenly between two moments; the whole chain lasts from 0 to 1. */
export interface Track {
  readonly count: number;
  readonly from: number;
  readonly to: number;
  /** What comes at turn `n` of `count`; events that belong together. */
  readonly make: (n: number) => readonly SupplyEvent[];
}

/** All turns of all tracks in the order of their moments. */
export function* inOrder(tracks: readonly Track[]): Generator<readonly SupplyEvent[]> {
  const turns = tracks.map(() => 0);
  for (;;) {
    let earliest: number | undefined;
    let earliestAt = Number.POSITIVE_INFINITY;
    for (const [index, track] of tracks.entries()) {
      const turn = turns[index] ?? 0;
      const at = track.from + ((track.to - track.from) * turn) / track.count;
      if (turn >= track.count || at >= earliestAt) continue;
      earliest = index;
      earliestAt = at;
    }
    if (earliest === undefined) return;
    const turn = turns[earliest] ?? 0;
    turns[earliest] = turn + 1;
    yield tracks[earliest]?.make(turn) ?? [];
  }
}
