// How much of the lots of a case reached each recipient, cached for pages: of a case of 10,000 lots it takes a second
// to read, and a page waits for a fraction of it. A page gets what was read last, with the time of it, while it is
// read anew.
import { instantText } from '@lothub/kit/clock';
import type { Clock } from '@lothub/kit/clock';
import type { LedgerReader } from '../../ledger/read.ts';
import type { Reach } from '../trace/reach.ts';
import { readReachOfCase } from './notifications.ts';

/** How long a page waits: half of what it may take. Nearly all cases are read by then. */
const WAIT_MS = 40;
/** Cases that are kept; the one that was requested longest ago goes first. A large one takes some megabytes. */
const CASES_MAX = 20;
/** A case is read anew when what was read is so many times as old as reading it took. */
const REST_OF_READING = 5;

export interface ReachAsRead {
  readonly reach: Reach;
  /** What was recorded later need not be in it. */
  readonly asOf: string;
}

interface Kept {
  last: (ReachAsRead & { readonly startedMs: number; readonly tookMs: number }) | undefined;
  reading: Promise<ReachAsRead> | undefined;
}

export class KeptReach {
  readonly #deps: { readonly reader: LedgerReader; readonly clock: Clock };
  /** By case, the one that was requested last at the end. */
  readonly #cases = new Map<number, Kept>();

  constructor(deps: { readonly reader: LedgerReader; readonly clock: Clock }) {
    this.#deps = deps;
  }

  /**
   * @returns undefined while a large case is read for the first time: ask again in a second
   * @throws what reading throws, when it fails while somebody waits
   */
  async of(caseId: number): Promise<ReachAsRead | undefined> {
    const kept = this.#cases.get(caseId) ?? { last: undefined, reading: undefined };
    this.#cases.delete(caseId);
    this.#cases.set(caseId, kept);
    for (const oldest of this.#cases.keys()) {
      if (this.#cases.size <= CASES_MAX) break;
      this.#cases.delete(oldest);
    }
    const { last } = kept;
    const ageMs = last === undefined ? Infinity : this.#deps.clock.nowMs() - last.startedMs;
    const isFresh = last !== undefined && ageMs >= 0 && ageMs < REST_OF_READING * last.tookMs;
    // What took less than a page waits is never shown as it was before.
    if (isFresh && last.tookMs > WAIT_MS) return last;
    kept.reading ??= this.#read(kept, caseId);
    return await first(kept.reading, last);
  }

  async #read(kept: Kept, caseId: number): Promise<ReachAsRead> {
    const { reader, clock } = this.#deps;
    const startedMs = clock.nowMs();
    try {
      const reach = await readReachOfCase(reader, caseId);
      const tookMs = clock.nowMs() - startedMs;
      kept.last = { reach, asOf: instantText(startedMs), startedMs, tookMs };
      return kept.last;
    } finally {
      kept.reading = undefined;
    }
  }
}

/** What is read, or what was read before when that takes too long. */
async function first(
  reading: Promise<ReachAsRead>,
  last: ReachAsRead | undefined,
): Promise<ReachAsRead | undefined> {
  // The next caller reads again: nobody waits for a failed read.
  reading.catch(() => undefined);
  const { promise: waited, resolve } = Promise.withResolvers<ReachAsRead | undefined>();
  const timer = setTimeout(() => {
    resolve(last);
  }, WAIT_MS);
  try {
    return await Promise.race([reading, waited]);
  } finally {
    clearTimeout(timer);
  }
}
