// The order of texts that is the same on every machine and engine.

/** By UTF-16 code units. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
