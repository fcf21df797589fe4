// A supply chain of any number of events, the same for the same seed: the ordinary flow of goods of
// one tenant, among it the widest lot and the one of ten thousand lines, on request also the lot whose
// recall concerns the most, and small tenants that use the same lot codes. Events come in the order in
// which they occurred.
import type { EventInput } from '@lothub/traceability/events/schema';
import { Random } from '../kit/random.ts';
import type { SupplyEvent } from './events.ts';
import { BulkLot, WidestLot } from './extremes.ts';
import { OrdinaryFlow, type Reach } from './flow.ts';
import type { SupplyModel } from './model.ts';
import { BEGIN_MS, DAYS, DAY_MS } from './names.ts';
import { SoldLot } from './sold.ts';
import { inOrder } from './tracks.ts';

/** With fewer events the extremes would be most of the hub. */
export const EVENTS_MIN = 5_000;
const OTHER_TENANTS = ['bench-south', 'bench-east', 'bench-north'] as const;
/** One in so many events belongs to each of the other tenants. */
const EVENTS_PER_OTHER = 200;

/** Film received, goods consumed, goods packed: no turn has more, and none is cut in two. */
const TURN_EVENTS_MAX = 3;

export interface PlannedEvent {
  readonly tenantId: string;
  readonly event: EventInput;
  /** Its number in the model of the main tenant; undefined for the other tenants. */
  readonly eventNo: number | undefined;
}

export class SupplyChain {
  readonly eventCount: number;
  readonly widest: WidestLot;
  readonly bulk: BulkLot;
  readonly #sold: SoldLot | undefined;
  readonly #flow: OrdinaryFlow;
  readonly #others: readonly OrdinaryFlow[];
  readonly #tenantId: string;
  #planned = 0;

  constructor(options: {
    readonly eventCount: number;
    readonly seed: number;
    readonly tenantId: string;
    /** Without it the chain has no such lot, and is the same as ever for its seed. */
    readonly sold?: 'added';
  }) {
    const { eventCount, tenantId } = options;
    if (eventCount < EVENTS_MIN) throw new Error(`a supply chain has ${EVENTS_MIN} events or more`);
    const random = new Random(options.seed);
    const makeFlow = (tenant: string, events: number): OrdinaryFlow =>
      new OrdinaryFlow({ tenantId: tenant, eventCount: events, hubEvents: eventCount, random });
    const otherEvents = Math.floor(eventCount / EVENTS_PER_OTHER);
    this.eventCount = eventCount;
    this.#tenantId = tenantId;
    this.#flow = makeFlow(tenantId, eventCount - OTHER_TENANTS.length * otherEvents);
    this.#others = OTHER_TENANTS.map((tenant) => makeFlow(tenant, otherEvents));
    this.widest = new WidestLot({ flow: this.#flow, random, eventCount });
    this.bulk = new BulkLot({ flow: this.#flow, random, eventCount });
    if (options.sold !== undefined) this.#sold = new SoldLot({ flow: this.#flow, eventCount });
  }

  /** @throws Error when the chain was made without it */
  get sold(): SoldLot {
    if (this.#sold === undefined) throw new Error('the chain was made without the sold lot');
    return this.#sold;
  }

  /** What the main tenant has, as far as it was generated. */
  get model(): SupplyModel {
    return this.#flow.model;
  }

  /** As many events as the chain is made of. To be gone through once. */
  *events(): Generator<PlannedEvent> {
    const tracks = [
      ...this.#flow.tracks,
      ...this.widest.tracks,
      ...this.bulk.tracks,
      ...(this.#sold?.tracks ?? []),
      ...this.#others.flatMap((flow) => flow.tracks),
    ];
    for (const turn of inOrder(tracks)) {
      for (const event of turn) yield this.#plan(event);
      if (this.#planned + TURN_EVENTS_MAX > this.eventCount) break;
    }
    while (this.#planned < this.eventCount) yield this.#plan(this.#flow.move());
  }

  /**
   * Bodies of posts that go on where the chain ended: of the same kinds in the same shares, with new
   * lots and with lots that are in reach, as in the chain the recent ones.
   */
  postBodies(count: number, reach: Reach = 'recent'): readonly string[] {
    this.#flow.reach = reach;
    const bodies: string[] = [];
    while (bodies.length < count) {
      for (const event of this.#flow.next()) bodies.push(JSON.stringify(this.#plan(event).event));
    }
    return bodies;
  }

  #plan({ tenantId, body, eventNo }: SupplyEvent): PlannedEvent {
    const occurredMs = BEGIN_MS + Math.floor((this.#planned * DAYS * DAY_MS) / this.eventCount);
    const event = {
      external_id: `hub-${this.#planned}`,
      ...body,
      occurred_at: new Date(occurredMs).toISOString(),
    };
    this.#planned += 1;
    return { tenantId, event, eventNo: tenantId === this.#tenantId ? eventNo : undefined };
  }
}
