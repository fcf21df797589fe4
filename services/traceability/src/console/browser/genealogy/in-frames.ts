// Spreads work over frames, so that no frame waits long for a script.

/** Half of the time that browsers leave to scripts in a frame, at 60 frames a second. */
const FRAME_MS = 4;

/** Resolves in the next frame, to work in it. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      resolve();
    });
  });
}

export class InFrames {
  #work: readonly (() => void)[] = [];
  #next = 0;
  #isAsked = false;
  #done: () => void = () => undefined;

  /**
   * Does the work in its order, some of it in each frame. The rest of earlier work is done first, in this
   * frame.
   */
  start(work: readonly (() => void)[], done: () => void): void {
    while (this.#next < this.#work.length) this.#step();
    this.#work = work;
    this.#next = 0;
    this.#done = done;
    this.#ask();
  }

  #step(): void {
    this.#work[this.#next]?.();
    this.#next += 1;
  }

  #ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    requestAnimationFrame((now) => {
      this.#isAsked = false;
      const end = Math.max(now, performance.now()) + FRAME_MS;
      while (this.#next < this.#work.length && performance.now() < end) this.#step();
      if (this.#next < this.#work.length) this.#ask();
      else requestAnimationFrame(this.#done);
    });
  }
}
