// Options that several benchmarks take.

import { parseArgs } from 'node:util';

/** Events of the hub that the promises about lots and recalls are about. */
export const FULL_EVENTS = 1_000_000;
const SEED = 20_260_105;

/** What `--help` says of the options that `readChainOptions` reads. */
export const CHAIN_USAGE = '[--engine sqlite|postgres] [--events 1000000] [--seed 20260105]';

/** The options of a benchmark on a generated supply chain. */
export interface ChainOptions {
  readonly engine: Engine;
  readonly eventCount: number;
  /** The same seed makes the same hub. */
  readonly seed: number;
}

/** @throws Error that names the option that is wrong */
export function readChainOptions(args: readonly string[]): ChainOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      engine: { type: 'string' },
      events: { type: 'string' },
      seed: { type: 'string' },
    },
  });
  const engine = readEngine(values.engine);
  const eventCount = wholeNumber('--events', values.events ?? String(FULL_EVENTS));
  const seed = readSeed(values.seed);
  return { engine, eventCount, seed };
}

/** The seed of the generated hub, said so that a run can be repeated. */
export function readSeed(text: string | undefined): number {
  const seed = wholeNumber('--seed', text ?? String(SEED));
  console.error(`seed ${seed}: the same seed makes the same hub`);
  return seed;
}

export type Engine = 'sqlite' | 'postgres';

export function readEngine(text: string | undefined): Engine {
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
