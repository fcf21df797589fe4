// Caches how much of the lots of a case reached each recipient, for pages. Reading it takes a
// second for a case of 10,000 lots, and a page waits for a fraction of that. A page gets the last
// result with its time while a new one is read.
import { instantText, type Clock } from '@lothub/kit/clock';
import type { LedgerReader } from '../../ledger/read.ts';
import type { Reach } from '../trace/reach.ts';
import { readReachOfCase } from './notifications.ts';

/** Maximum time that a page waits: half of what it may take. It suffices for nearly all cases. */
const WAIT_MS = 40;
/** Cases that are kept; the one that was requested longest ago goes first. A large one takes some megabytes. */
const CASES_MAX = 20;
/** A case is read again when its result is this many times as old as the reading took. */
const REST_OF_READING = 5;

export interface ReachAsRead {
  readonly reach: Reach;
  /** The result may lack what was recorded later. */
  readonly asOf: string;
}

interface Kept {
  last: (ReachAsRead & { readonly startedMs: number; readonly tookMs: number }) | undefined;
  reading: Promise<ReachAsRead> | undefined;
}

export class KeptReach {
  readonly #deps: { readonly reader: LedgerReader; readonly clock: Clock };
  /** The results by case; the one that was requested last is at the end. */
  readonly #cases = new Map<number, Kept>();

  constructor(deps: { readonly reader: LedgerReader; readonly clock: Clock }) {
    this.#deps = deps;
  }

  /**
   * @returns undefined while a large case is read for the first time: call again in a second
   * @throws the error of the read, when it fails while a caller waits
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
    // A result that took less time than a page waits is always read again.
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

/** Returns the new result, or the last one when the new one takes too long. */
async function first(
  reading: Promise<ReachAsRead>,
  last: ReachAsRead | undefined,
): Promise<ReachAsRead | undefined> {
  // The next caller reads again: no caller waits for a failed read.
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
