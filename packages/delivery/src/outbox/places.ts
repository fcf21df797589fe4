// Who may send next: groups take turns, and so do the receivers of a group; each receiver, each group and each
// person that makes receivers has a share of the places at most. Whatever some receivers do, one of another
// group that answers finds a place.
import { RecentlyUsed } from '@lothub/kit/serving/recently-used';

/** A try that takes longer makes its receiver a slow one. */
export const QUICK_MS = 2_000;

/** From the one with the fewest places to the one with the most. */
const SPEEDS = ['slow', 'new', 'quick'] as const;
/**
 * How the last try of a receiver ended in this process. `new`: it has made none. A receiver that has made none
 * here and failed before is slow.
 */
type Speed = (typeof SPEEDS)[number];

/** Tries under way at a time. */
interface Shares {
  readonly receiver: number;
  readonly group: number;
  /** The share of all receivers that one person has made. */
  readonly creator: number;
  readonly all: number;
}

/**
 * The tries of a speed count together with those of the speeds before it: slow receivers leave places
 * that only others take, and new ones leave some to those that answer quickly. So receivers that never
 * answer delay only themselves. The receivers of one person leave places in each speed, too.
 */
export const SHARES: Readonly<Record<Speed, Shares>> = {
  slow: { receiver: 4, group: 4, creator: 64, all: 128 },
  // The first try of a receiver shows what it is.
  new: { receiver: 1, group: 6, creator: 128, all: 192 },
  quick: { receiver: 8, group: 16, creator: 160, all: 256 },
};
/** Places of a receiver whose last try failed, at any speed. */
const TRIES_WHILE_FAILING = 1;
/** Maximum number of receivers whose speed, and of groups whose last turn, is kept in memory. */
const REMEMBERED_MAX = 10_000;

/** A receiver that has something to send. */
export interface Waiting {
  readonly id: string;
  readonly groupId: string;
  readonly createdBy: string;
  /** Tries that failed in a row. */
  readonly failures: number;
}

/** Tries under way at a time, of one receiver and of all. */
export interface TriesMax {
  readonly receiver: number;
  readonly all: number;
}

const NO_FURTHER_MAX: TriesMax = { receiver: Infinity, all: Infinity };

export class Places {
  readonly #max: TriesMax;
  /** One entry for each try under way. */
  readonly #tries = new Set<Waiting>();
  readonly #wasQuick = new RecentlyUsed<string, boolean>(REMEMBERED_MAX);
  /** The number of the last turn of a group. */
  readonly #turns = new RecentlyUsed<string, number>(REMEMBERED_MAX);
  #newestTurn = 0;

  /** @param max beside what `SHARES` grants */
  constructor(max: TriesMax = NO_FURTHER_MAX) {
    this.#max = max;
  }

  /** A try of the receiver begins. @returns ends it; with how long it took if a request was made */
  take(receiver: Waiting): (tookMs: number | undefined) => void {
    // An object of its own: a receiver has several tries under way.
    const one = { ...receiver };
    this.#tries.add(one);
    return (tookMs) => {
      this.#tries.delete(one);
      if (tookMs !== undefined) this.#wasQuick.set(receiver.id, tookMs <= QUICK_MS);
    };
  }

  /**
   * How many tries each receiver may begin. A place goes to the group with the fewest tries under way, of
   * several to the one whose last turn is the longest ago, and there to the receiver with the fewest.
   * @param waiting the longest due first
   */
  share<Receiver extends Waiting>(waiting: readonly Receiver[]): ReadonlyMap<Receiver, number> {
    const tally = new Tally();
    for (const one of this.#tries) tally.add(one, this.#classifySpeed(one));
    const granted = new Map<Receiver, number>();
    const groups = [...Map.groupBy(waiting, ({ groupId }) => groupId)].sort(
      ([one], [other]) => this.#getTurn(one) - this.#getTurn(other),
    );
    for (let level = 0; level < SHARES.quick.group; level += 1) {
      for (const [groupId, receivers] of groups) {
        if (tally.count(groupId, 'quick') !== level) continue;
        const next = this.#findNext(receivers, tally);
        if (next === undefined) continue;
        tally.add(next, this.#classifySpeed(next));
        granted.set(next, (granted.get(next) ?? 0) + 1);
        this.#newestTurn += 1;
        this.#turns.set(groupId, this.#newestTurn);
      }
    }
    return granted;
  }

  #findNext<Receiver extends Waiting>(
    receivers: readonly Receiver[],
    tally: Tally,
  ): Receiver | undefined {
    let next: { readonly receiver: Receiver; readonly tries: number } | undefined;
    for (const receiver of receivers) {
      const tries = tally.count(receiver.id, 'quick');
      if (next !== undefined && next.tries <= tries) continue;
      if (this.#hasPlace(receiver, tally)) next = { receiver, tries };
    }
    return next?.receiver;
  }

  #hasPlace(receiver: Waiting, tally: Tally): boolean {
    const speed = this.#classifySpeed(receiver);
    const ownShare = receiver.failures > 0 ? TRIES_WHILE_FAILING : SHARES[speed].receiver;
    if (tally.count(receiver.id, 'quick') >= Math.min(ownShare, this.#max.receiver)) return false;
    if (tally.count(ALL, 'quick') >= this.#max.all) return false;
    return speedsFrom(speed).every(
      (counted) =>
        tally.count(receiver.groupId, counted) < SHARES[counted].group &&
        tally.count(receiver.createdBy, counted) < SHARES[counted].creator &&
        tally.count(ALL, counted) < SHARES[counted].all,
    );
  }

  #classifySpeed({ id, failures }: Waiting): Speed {
    const wasQuick = this.#wasQuick.get(id);
    if (wasQuick === undefined) return failures > 0 ? 'slow' : 'new';
    return wasQuick ? 'quick' : 'slow';
  }

  /** A group without a turn so far comes first. */
  #getTurn(groupId: string): number {
    return this.#turns.get(groupId) ?? 0;
  }
}

/** Those with which the tries of a speed are counted. */
function speedsFrom(speed: Speed): readonly Speed[] {
  return SPEEDS.slice(SPEEDS.indexOf(speed));
}

/** No id of a receiver, group or person. */
const ALL = 'all';

/** Tries under way, by whatever has a share of them. */
class Tally {
  readonly #counts = new Map<string, number>();

  add({ id, groupId, createdBy }: Waiting, speed: Speed): void {
    // One counts once, also where the group is the person.
    for (const owner of new Set([id, groupId, createdBy, ALL])) {
      for (const counted of speedsFrom(speed)) {
        const key = `${counted} ${owner}`;
        this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
      }
    }
  }

  /** Tries of a speed and of those before it; `quick` counts them all. */
  count(owner: string, speed: Speed): number {
    return this.#counts.get(`${speed} ${owner}`) ?? 0;
  }
}
