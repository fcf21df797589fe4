// The figures of a process, for Prometheus: one registry, in which each service registers its own. Labels
// are names of ours, such as the pattern of a route; never a tenant, a code or anything else that was sent.
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { CounterConfiguration, GaugeConfiguration, HistogramConfiguration } from 'prom-client';

export class Metrics {
  readonly #registry = new Registry();
  readonly #collectors: (() => Promise<void> | void)[] = [];
  #collecting: Promise<string> | undefined;

  constructor(facts: { readonly version: string }) {
    // Processor time, memory, descriptors and the delay of the event loop.
    collectDefaultMetrics({ register: this.#registry });
    this.gauge({
      name: 'lothub_build_info',
      help: 'Always 1; its label is the version that runs',
      labelNames: ['version'],
    }).set(facts, 1);
  }

  /** Services that register the same figure share it, and differ by a label. */
  counter<Label extends string>(
    settings: Omit<CounterConfiguration<Label>, 'registers'>,
  ): Counter<Label> {
    const known = this.#registry.getSingleMetric(settings.name);
    if (known instanceof Counter) return known;
    return new Counter({ ...settings, registers: [this.#registry] });
  }

  gauge<Label extends string>(
    settings: Omit<GaugeConfiguration<Label>, 'registers'>,
  ): Gauge<Label> {
    const known = this.#registry.getSingleMetric(settings.name);
    if (known instanceof Gauge) return known;
    return new Gauge({ ...settings, registers: [this.#registry] });
  }

  histogram<Label extends string>(
    settings: Omit<HistogramConfiguration<Label>, 'registers'>,
  ): Histogram<Label> {
    const known = this.#registry.getSingleMetric(settings.name);
    if (known instanceof Histogram) return known;
    return new Histogram({ ...settings, registers: [this.#registry] });
  }

  /** @param collector sets gauges at each request for the figures; the request fails with what it throws */
  onCollect(collector: () => Promise<void> | void): void {
    this.#collectors.push(collector);
  }

  /** Returns the current figures in the text format of Prometheus; collects once for simultaneous callers. */
  text(): Promise<string> {
    this.#collecting ??= this.#collect().finally(() => (this.#collecting = undefined));
    return this.#collecting;
  }

  async #collect(): Promise<string> {
    await Promise.all(this.#collectors.map(async (collector) => collector()));
    return await this.#registry.metrics();
  }

  get mediaType(): string {
    return this.#registry.contentType;
  }
}
