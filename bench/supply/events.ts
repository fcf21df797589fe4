// Events of the generated supply chain, as a client would post them; what each of them does is
// entered into the model at the same time.
import type { EventInput, LineInput } from '@lothub/traceability/events/schema';
import type { Random } from '../kit/random.ts';
import { QUARTERS, type SupplyModel, type Taking } from './model.ts';

/** An event without the time at which it occurred: that is known when its turn comes. */
export interface SupplyEvent {
  readonly tenantId: string;
  readonly body: Omit<EventInput, 'external_id' | 'occurred_at'>;
  /** Its number in the model of its tenant. */
  readonly eventNo: number;
}

/** A lot, and how much of it a line is about. */
export interface Portion {
  readonly lot: number;
  readonly quarters: number;
}

const PLANTS = 12;
const WAREHOUSES = 20;
const SHOPS = 200;
const CUSTOMERS = 5_000;
const CHANNELS = ['supermarket', 'webshop', 'restaurant', 'wholesale', 'export', 'market stall'];
/** One in so many events carries a note. */
const NOTED = 10;

export class SupplyEvents {
  readonly #model: SupplyModel;
  readonly #random: Random;
  readonly #tenantId: string;
  #orders = 0;

  constructor(parts: {
    readonly model: SupplyModel;
    readonly random: Random;
    readonly tenantId: string;
  }) {
    this.#model = parts.model;
    this.#random = parts.random;
    this.#tenantId = parts.tenantId;
  }

  receive(lots: readonly number[]): SupplyEvent {
    const lines = lots.map((lot) => ({
      ...this.#line({ lot, quarters: this.#model.getMade(lot) }, 'in'),
      ...this.#model.findSupplierLot(lot),
    }));
    return this.#event('RECEIVE', this.#place('WH', WAREHOUSES), this.#order('PO'), lots, lines);
  }

  /** One event with both sides, or two with the same reference, each with one side. */
  make(parts: {
    readonly eventType: 'PRODUCE' | 'PACK';
    readonly basis: 'event' | 'reference';
    readonly ins: readonly Portion[];
    readonly outs: readonly Portion[];
  }): readonly SupplyEvent[] {
    const { eventType } = parts;
    const ins = parts.ins.map(({ lot }) => lot);
    const outs = parts.outs.map(({ lot }) => lot);
    this.#model.link(ins, outs);
    this.#take(parts.ins, 'used');
    const inLines = parts.ins.map((portion) => this.#line(portion, 'in'));
    const outLines = parts.outs.map((portion) => this.#line(portion, 'out'));
    const place = this.#place('PLANT', PLANTS);
    const order = this.#order('WO');
    if (parts.basis === 'event') {
      return [this.#event(eventType, place, order, [...ins, ...outs], [...inLines, ...outLines])];
    }
    return [
      this.#event('CONSUME', place, order, ins, inLines),
      this.#event(eventType, place, order, outs, outLines),
    ];
  }

  ship(portions: readonly Portion[]): SupplyEvent {
    this.#take(portions, 'shipped');
    return this.#out('SHIP', this.#place('WH', WAREHOUSES), this.#order('DN'), portions);
  }

  sell(portions: readonly Portion[]): SupplyEvent {
    this.#take(portions, 'sold');
    const event = this.#out('SELL', this.#place('SHOP', SHOPS), this.#order('INV'), portions);
    const channel = this.#random.pick(CHANNELS);
    const lines = event.body.lines.map((line) => ({
      ...line,
      customer_ref: `CUST-${this.#random.integer(1, CUSTOMERS)}`,
      channel,
    }));
    return { ...event, body: { ...event.body, lines } };
  }

  dispose(portions: readonly Portion[]): SupplyEvent {
    this.#take(portions, 'disposed');
    return this.#out('DISPOSE', this.#place('WH', WAREHOUSES), this.#order('WASTE'), portions);
  }

  /** From one place to another: the same lot out and in, which moves no quantity and links nothing. */
  transfer({ lot, quarters }: Portion): SupplyEvent {
    const portion = { lot, quarters };
    const lines = [this.#line(portion, 'out'), this.#line(portion, 'in')];
    const order = this.#order('TO');
    return this.#event('TRANSFER', this.#place('WH', WAREHOUSES), order, [lot, lot], lines);
  }

  /** A correction that names no event, as a client that does not know corrections posts it. */
  correct(portion: Portion): SupplyEvent {
    const place = this.#place('WH', WAREHOUSES);
    const lines = [this.#line(portion, 'in')];
    return this.#event('CORRECTION', place, this.#order('COR'), [portion.lot], lines);
  }

  #out(
    eventType: 'SHIP' | 'SELL' | 'DISPOSE',
    place: string,
    order: string,
    portions: readonly Portion[],
  ): SupplyEvent {
    const lots = portions.map(({ lot }) => lot);
    const lines = portions.map((portion) => this.#line(portion, 'out'));
    return this.#event(eventType, place, order, lots, lines);
  }

  #event(
    eventType: EventInput['event_type'],
    location: string,
    reference: string,
    lots: readonly number[],
    lines: LineInput[],
  ): SupplyEvent {
    const notes =
      this.#orders % NOTED === 0 ? { notes: `checked by shift ${this.#orders % 3}` } : {};
    return {
      tenantId: this.#tenantId,
      body: { event_type: eventType, location, reference, ...notes, lines },
      eventNo: this.#model.addEvent(lots),
    };
  }

  #line({ lot, quarters }: Portion, direction: 'in' | 'out'): LineInput {
    return {
      lot_code: this.#model.getCode(lot),
      product_sku: this.#model.getSku(lot),
      direction,
      quantity: quarters / QUARTERS,
      unit: this.#model.getUnit(lot),
    };
  }

  #take(portions: readonly Portion[], taking: Taking): void {
    for (const { lot, quarters } of portions) this.#model.take(lot, taking, quarters);
  }

  #place(kind: string, count: number): string {
    return `${kind}-${this.#random.integer(1, count)}`;
  }

  #order(kind: string): string {
    this.#orders += 1;
    return `${kind}-${this.#orders}`;
  }
}
