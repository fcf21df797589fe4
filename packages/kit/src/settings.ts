// Reads settings from named texts (the environment), and reports every wrong one at once.

export class SettingsError extends Error {
  readonly code = 'settings_invalid';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'SettingsError';
    this.problems = problems;
  }
}

type Source = Readonly<Record<string, string | undefined>>;

/** Collects problems while values are read; `done` throws when there was any. */
export class SettingsReader {
  readonly #source: Source;
  readonly #problems: string[] = [];

  constructor(source: Source) {
    this.#source = source;
  }

  #raw(name: string): string | undefined {
    const value = this.#source[name];
    return value === undefined || value === '' ? undefined : value;
  }

  text(name: string, fallback: string): string {
    return this.#raw(name) ?? fallback;
  }

  /** A text that `accept` agrees to; `right` says in words what would be accepted. */
  checkedText(name: string, accept: (value: string) => boolean, right: string): string | undefined {
    const value = this.#raw(name);
    if (value !== undefined && !accept(value)) this.#wrong(name, right);
    return value;
  }

  /** A whole number within bounds; never echoes what was given, which may be a secret. */
  integer<Fallback extends number | undefined>(
    name: string,
    fallback: Fallback,
    bounds: { min: number; max: number },
  ): number | Fallback {
    const raw = this.#raw(name);
    if (raw === undefined) return fallback;
    const value = /^\d{1,15}$/.test(raw) ? Number(raw) : Number.NaN;
    if (!(value >= bounds.min && value <= bounds.max)) {
      this.#wrong(name, `a whole number from ${bounds.min} to ${bounds.max}`);
      return fallback;
    }
    return value;
  }

  oneOf<Choice extends string>(name: string, fallback: Choice, choices: readonly Choice[]): Choice {
    const raw = this.#raw(name);
    if (raw === undefined) return fallback;
    const choice = choices.find((candidate) => candidate === raw);
    if (choice === undefined) this.#wrong(name, `one of ${choices.join(', ')}`);
    return choice ?? fallback;
  }

  /** Notes a problem found by the caller in the value of `name`. */
  reject(name: string, right: string): void {
    this.#wrong(name, right);
  }

  #wrong(name: string, right: string): void {
    this.#problems.push(`${name} is not usable: give ${right}, or leave it unset`);
  }

  /** @throws SettingsError naming every wrong setting */
  done(): void {
    if (this.#problems.length > 0) throw new SettingsError(this.#problems);
  }
}
