// The figures of a benchmark on a generated hub, in the order in which they were measured.
import type { Latencies } from './load.ts';
import type { Figure } from './report.ts';

export class Figures {
  readonly list: Figure[] = [];
  readonly #hub: 'full' | 'small';

  /** @param hub a promise is about the full hub; on a smaller one the figure is given without it */
  constructor(hub: 'full' | 'small') {
    this.#hub = hub;
  }

  add({ name, value, unit, target }: Figure): void {
    const isPromised = target !== undefined && this.#hub === 'full';
    this.list.push({ name, value, unit, ...(isPromised ? { target } : {}) });
    console.error(`  ${name}: ${value.toPrecision(4)} ${unit}`);
  }

  addLatencies(
    name: string,
    { p50Ms, p95Ms, p99Ms }: Latencies,
    atMost: { readonly p95?: number; readonly p99?: number } = {},
  ): void {
    const addMs = (quantile: string, value: number, most: number | undefined): void => {
      const target =
        most === undefined ? {} : { target: { kind: 'at_most', value: most } as const };
      this.add({ name: `${name}, ${quantile}`, value, unit: 'ms', ...target });
    };
    addMs('p50', p50Ms, undefined);
    addMs('p95', p95Ms, atMost.p95);
    addMs('p99', p99Ms, atMost.p99);
  }
}
