// How often passwords may be guessed: attempts that fail are counted for the account and for the address
// they come from; those that succeed cost nothing, so an office behind one address gets in.
import type { BucketVerdict, TokenBucket } from '@lothub/kit/http/token-bucket';
import { rateProblem } from '../access/rate.ts';

export interface LoginThrottleOptions {
  /** Each undefined when there is no limit. */
  readonly accounts: TokenBucket | undefined;
  readonly addresses: TokenBucket | undefined;
  readonly browsers: TokenBucket | undefined;
}

export type Guesser =
  /** A browser that has logged in to the account before, or a session of it. */
  | { readonly kind: 'known'; readonly id: string }
  /** `account` says which one is tried, whether there is such an account or not. */
  | { readonly kind: 'stranger'; readonly account: string; readonly address: string };

interface Count {
  readonly bucket: TokenBucket;
  readonly caller: string;
  readonly place: string;
}

export class LoginThrottle {
  readonly #options: LoginThrottleOptions;
  /** Attempts under way, by bucket and caller: as many as requests, and gone with them. */
  readonly #underWay = new Map<string, number>();

  constructor(options: LoginThrottleOptions) {
    this.#options = options;
  }

  /**
   * Makes an attempt, unless there were too many.
   * @param check answers nothing when the attempt failed
   * @throws PeopleProblem `rate_limited`; what `check` throws, which is not counted
   */
  async attempt<Result>(
    guesser: Guesser,
    check: () => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    const counts = this.#listCounts(guesser);
    // An attempt under way counts as failed until it is known: a hundred at once are a hundred guesses.
    for (const { place } of counts) this.#underWay.set(place, this.#numberUnderWay(place) + 1);
    try {
      for (const count of counts) this.#allow(count, await count.bucket.peek(count.caller));
      const result = await check();
      if (result === undefined) {
        for (const { bucket, caller } of counts) await bucket.take(caller);
      }
      return result;
    } finally {
      for (const { place } of counts) {
        const others = this.#numberUnderWay(place) - 1;
        if (others === 0) this.#underWay.delete(place);
        else this.#underWay.set(place, others);
      }
    }
  }

  #allow({ place }: Count, verdict: BucketVerdict): void {
    if (verdict.remaining < this.#numberUnderWay(place)) throw rateProblem(verdict);
  }

  #numberUnderWay(place: string): number {
    return this.#underWay.get(place) ?? 0;
  }

  #listCounts(guesser: Guesser): readonly Count[] {
    const { accounts, addresses, browsers } = this.#options;
    const counts: Count[] = [];
    const add = (name: string, bucket: TokenBucket | undefined, caller: string): void => {
      if (bucket !== undefined) counts.push({ bucket, caller, place: `${name} ${caller}` });
    };
    if (guesser.kind === 'known') add('browser', browsers, guesser.id);
    else {
      add('account', accounts, guesser.account);
      add('address', addresses, guesser.address);
    }
    return counts;
  }
}
