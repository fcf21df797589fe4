// A bounded memory: of so many values the one that was not used for the longest time makes room.

export class RecentlyUsed<Key, Value> {
  readonly #max: number;
  /** In the order of their use, the last one last. */
  readonly #values = new Map<Key, Value>();

  /** @param max values that are held, at least 1 */
  constructor(max: number) {
    this.#max = max;
  }

  get(key: Key): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.#max) return;
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest);
      return;
    }
  }

  clear(): void {
    this.#values.clear();
  }
}
