// Lets few imports run at a time and few more wait: each takes a thread, a file and its share of
// the disk.

export class Turns {
  readonly #runningMax: number;
  readonly #admittedMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #admitted = 0;

  /** `admittedMax` counts those that run, too. */
  constructor(limits: { readonly runningMax: number; readonly admittedMax: number }) {
    this.#runningMax = limits.runningMax;
    this.#admittedMax = limits.admittedMax;
  }

  /** A place in the queue, given back by disposing of it; nothing when the queue is full. */
  admit(): Disposable | undefined {
    if (this.#admitted >= this.#admittedMax) return undefined;
    this.#admitted += 1;
    return { [Symbol.dispose]: () => void (this.#admitted -= 1) };
  }

  /** Waits for a turn, first come first served; disposing of it lets the next one run. */
  async take(): Promise<Disposable> {
    if (this.#running >= this.#runningMax) {
      // Whoever leaves hands its turn over, so that nobody can slip in between.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    return {
      [Symbol.dispose]: () => {
        const next = this.#waiting.shift();
        if (next === undefined) this.#running -= 1;
        else next();
      },
    };
  }
}
