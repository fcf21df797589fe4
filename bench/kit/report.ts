// What every benchmark prints: a table of figures with their targets, and last one line of JSON, which
// is kept in bench/results as well, and in docs/performance.md where the run was asked to.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** `at_least` or `at_most` what the product promises; absent for plain figures. */
  readonly target?: { readonly kind: 'at_least' | 'at_most'; readonly value: number };
}

const NAME_WIDTH = 66;
const RESULTS_FOLDER = join(import.meta.dirname, '..', 'results');

/** What this run has printed, for whoever records it. */
export const printed: Figure[] = [];

export function printReport(bench: string, figures: readonly Figure[]): void {
  printed.push(...figures);
  console.log(`\n${bench}`);
  for (const figure of figures) {
    const { value, promise } = describeFigure(figure);
    const verdict = promise === '' ? '' : `   ${promise}`;
    console.log(`  ${figure.name.padEnd(NAME_WIDTH)} ${value.padStart(16)}${verdict}`);
  }
  const json = JSON.stringify({
    bench,
    figures: figures.map((figure) => ({
      name: figure.name,
      value: figure.value,
      unit: figure.unit,
      target: figure.target ?? null,
      reached: reached(figure),
    })),
  });
  mkdirSync(RESULTS_FOLDER, { recursive: true });
  writeFileSync(join(RESULTS_FOLDER, `${bench}.json`), `${json}\n`);
  console.log(json);
}

function reached(figure: Figure): boolean | null {
  if (figure.target === undefined) return null;
  return figure.target.kind === 'at_least'
    ? figure.value >= figure.target.value
    : figure.value <= figure.target.value;
}

/** In words: the value with its unit, and what is promised of it; empty where nothing is. */
export function describeFigure(figure: Figure): {
  readonly value: string;
  readonly promise: string;
} {
  const value = `${round(figure.value)} ${figure.unit}`.trim();
  if (figure.target === undefined) return { value, promise: '' };
  const bound = figure.target.kind === 'at_least' ? 'at least' : 'at most';
  const missed = reached(figure) === true ? '' : ' (not reached)';
  return { value, promise: `${bound} ${figure.target.value}${missed}` };
}

function round(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Of what was measured round by round: the median of the rounds' own shares. */
export function medianShare(values: readonly number[], wholes: readonly number[]): number {
  return median(values.map((value, round) => value / (wholes[round] ?? value)));
}
