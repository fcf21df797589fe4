// One question that many ask at the same time, where nobody may get an answer older than their asking.

/**
 * Whoever asks while a question is under way shares the next one, and not that one: its answer may be
 * from before they asked. So at most one is under way, however many ask.
 */
export class SharedQuestion<Answer> {
  readonly #ask: () => Promise<Answer>;
  #underWay: Promise<Answer> | undefined;
  #next: Promise<Answer> | undefined;

  constructor(ask: () => Promise<Answer>) {
    this.#ask = ask;
  }

  /** Rejects as the question does, for all who share it. */
  ask(): Promise<Answer> {
    if (this.#underWay === undefined) return this.#begin();
    const begin = (): Promise<Answer> => {
      this.#next = undefined;
      return this.#begin();
    };
    this.#next ??= this.#underWay.then(begin, begin);
    return this.#next;
  }

  #begin(): Promise<Answer> {
    const asked = this.#ask();
    this.#underWay = asked;
    const end = (): void => {
      if (this.#underWay === asked && this.#next === undefined) this.#underWay = undefined;
    };
    asked.then(end, end);
    return asked;
  }
}
