// Options that several benchmarks take.

export type Engine = 'sqlite' | 'postgres';

export function engineOf(text: string | undefined): Engine {
  if (text === undefined || text === 'sqlite') return 'sqlite';
  if (text === 'postgres') return 'postgres';
  throw new Error(`--engine takes sqlite or postgres, not ${text}`);
}

/** @throws Error when the text of an option is no whole number from `least` on */
export function wholeNumber(option: string, text: string, least = 0): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < least) {
    throw new Error(`${option} takes a whole number from ${least} on, not ${text}`);
  }
  return Number(text);
}
