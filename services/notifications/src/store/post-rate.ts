// Notices bursts of posts, so that background work can wait until they are over.
import { monotonicClock, type MonotonicClock } from '@lothub/kit/clock';

/** Length of a window in which posts are counted. */
const WINDOW_MS = 100;
/** More posts than this in a window are a burst: 500 a second. A person or a monitoring tool sends far fewer. */
export const BURST_POSTS = 50;

export class PostRate {
  readonly #clock: MonotonicClock;
  #windowFromMs = 0;
  #count = 0;
  /** The count of the window before. */
  #countBefore = 0;

  constructor(clock: MonotonicClock = monotonicClock) {
    this.#clock = clock;
  }

  count(): void {
    this.#moveWindow();
    this.#count += 1;
  }

  isBurst(): boolean {
    this.#moveWindow();
    return Math.max(this.#count, this.#countBefore) >= BURST_POSTS;
  }

  #moveWindow(): void {
    const elapsedMs = this.#clock.elapsedMs() - this.#windowFromMs;
    if (elapsedMs < WINDOW_MS) return;
    this.#countBefore = elapsedMs < 2 * WINDOW_MS ? this.#count : 0;
    this.#count = 0;
    this.#windowFromMs += elapsedMs;
  }
}
