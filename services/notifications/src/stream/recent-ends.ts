// Read tokens that ended a moment ago. A request whose credentials were valid when they were checked may
// become a stream after the end of the token was reported.
import { isEndedBy } from '../access/access-ends.ts';
import type { Person } from '../access/person.ts';
import type { Signal } from '../feed/feed-entry.ts';

/** No request takes longer to become a stream. */
const KEPT_MS = 60_000;
const ENDS_MAX = 10_000;

type AccessSignal = Extract<Signal, { kind: 'access' }>;

export class RecentEnds {
  #ends: { readonly heardMs: number; readonly signal: AccessSignal }[] = [];

  add(signal: AccessSignal): void {
    const heardMs = performance.now();
    this.#ends.push({ heardMs, signal });
    const [first] = this.#ends;
    const isOld = first !== undefined && first.heardMs < heardMs - KEPT_MS;
    if (isOld || this.#ends.length > ENDS_MAX) {
      this.#ends = this.#ends.filter((end) => end.heardMs >= heardMs - KEPT_MS).slice(-ENDS_MAX);
    }
  }

  /** @param sinceMs time of `performance.now()`; earlier ends were visible to a check after that time */
  haveEnded(person: Person, sinceMs: number): boolean {
    return this.#ends.some(
      ({ heardMs, signal }) => heardMs >= sinceMs && isEndedBy(person, signal),
    );
  }
}
