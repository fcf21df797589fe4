// Gives readers what is new, in slices: between them posts and other requests have their turn, and what
// comes in meanwhile goes to each reader in the same piece.
import type { StreamReader } from './stream-reader.ts';

/** After it others have their turn. */
const SLICE_MS = 4;

export class Pump {
  readonly #serve: (reader: StreamReader) => void;
  #due: StreamReader[] = [];
  #isScheduled = false;

  /** @param serve gives a reader what is new and writes it */
  constructor(serve: (reader: StreamReader) => void) {
    this.#serve = serve;
  }

  /** The reader's turn comes after those that wait already. */
  add(reader: StreamReader): void {
    if (reader.isDue) return;
    reader.isDue = true;
    this.#due.push(reader);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#serveSlice());
  }

  #serveSlice(): void {
    this.#isScheduled = false;
    const due = this.#due;
    const endMs = performance.now() + SLICE_MS;
    let n = 0;
    for (const reader of due) {
      reader.isDue = false;
      this.#serve(reader);
      n += 1;
      // Mostly a reader takes 10 µs, but one that has just caught up may be given 256 KiB.
      if (performance.now() >= endMs) break;
    }
    this.#due = due.slice(n);
    if (this.#due.length > 0) this.#schedule();
  }
}
