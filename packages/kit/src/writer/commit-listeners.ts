// Subscribers of commits. Each is called once for all commits of one turn of the event loop.

export class CommitListeners {
  readonly #listeners = new Set<() => void>();
  #isAnnounced = false;

  /** @returns ends it */
  add(listener: () => void): () => void {
    // One function may be added twice, and each of the two ended by itself.
    const entry = (): void => listener();
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  readonly notify = (): void => {
    if (this.#isAnnounced) return;
    this.#isAnnounced = true;
    setImmediate(() => {
      this.#isAnnounced = false;
      for (const listener of this.#listeners) listener();
    });
  };
}
