// Random supply chains for properties: several tenants that use the same lot codes, references and
// suppliers, all types of events, corrections of every kind of field, voids and holds.
import fc from 'fast-check';
import { TYPES, type Direction, type PostedEvent, type PostedLine } from './records.ts';
import { CHANNELS } from './journey-model.ts';

/** One thing that a tenant does. What it is done to is chosen when it is done, among what is there. */
export type Step =
  | { readonly kind: 'post'; readonly tenantId: string; readonly events: readonly PostedEvent[] }
  | {
      readonly kind: 'correct';
      readonly tenantId: string;
      /** Which of the tenant's events. */
      readonly pick: number;
      readonly changes: readonly ChangePlan[];
      /** Old values as they are, or one that is not. */
      readonly claims: 'right' | 'wrong';
    }
  | { readonly kind: 'void'; readonly tenantId: string; readonly pick: number }
  | { readonly kind: 'hold' | 'release'; readonly tenantId: string; readonly pick: number }
  /** Nobody writes until the hub has caught up with what it leaves for later. */
  | { readonly kind: 'rest' };

export interface ChangePlan {
  readonly field: string;
  /** Which line, when it is a field of one. */
  readonly pick: number;
  readonly spelling: 'brackets' | 'dots' | 'slashes' | 'bare';
  readonly newValue: string | number | null;
}

export interface Shape {
  readonly tenantIds: readonly string[];
  readonly steps: { readonly min: number; readonly max: number };
  readonly eventsOfStepMax: number;
  /** Lots that events choose from; with `drift`, more and more others as the chain continues. */
  readonly lotCodes: number;
  /** New lots for each post of the chain. */
  readonly drift: number;
}

/** Chains in which few lots meet again and again: cycles, ties, many accounts of one lot. */
export const DENSE: Shape = {
  tenantIds: ['acme', 'Acme', 'bolt'],
  steps: { min: 1, max: 14 },
  eventsOfStepMax: 10,
  lotCodes: 5,
  drift: 0,
};

/** Long chains of hundreds of lots, each met by some events only. */
export const LONG: Shape = {
  tenantIds: ['acme', 'bolt'],
  steps: { min: 90, max: 100 },
  eventsOfStepMax: 50,
  lotCodes: 10,
  drift: 8,
};

/** Codes of one window; case counts, and any printable character is allowed. */
const CODES = ['A', 'a', 'B/1', 'C 2', 'D%', 'É', 'G-7', 'H?', 'I#', 'J'] as const;
const REFERENCES = ['R-1', 'R-2', 'WO/3'] as const;
/** Also names of own lots, which a supplier may use as well. */
const SUPPLIER_LOTS = ['S-1', 'S-2', 'A'] as const;
const SUPPLIERS = ['Mill', 'mill & co'] as const;
const FACILITIES = ['Silo 1', 'Silo 2'] as const;
const SKUS = ['FLOUR', 'BREAD', 'roll'] as const;
const UNITS = ['kg', 'pcs'] as const;
const PLACES = ['BAKERY', 'SHOP'] as const;
const CUSTOMERS = ['C-1', 'C-2'] as const;

const instant = fc.constantFrom(
  '2026-03-02T06:15:00Z',
  // The same instant.
  '2026-03-02T07:15:00+01:00',
  '2026-03-02T06:15:00.5Z',
  '2026-03-02T06:15:00.050Z',
  // Without an offset: read as UTC.
  '2026-03-01T23:00:00',
  '2026-03-02T23:30:00-05:00',
  '2026-03-03T00:00:00Z',
  '2025-12-31T23:59:59.999999999Z',
);

const quantity = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 6 }) },
  { weight: 2, arbitrary: fc.constantFrom(0.1, 0.2, 0.3, 2.75, 1.005) },
  { weight: 1, arbitrary: fc.constantFrom(999_999_999_999_999, 1e-7, 0.000000000000001) },
);

const direction = fc.constantFrom<Direction>('in', 'out');

/** Records print as they are posted. */
const PLAIN = { noNullPrototype: true } as const;

/** Of records whose fields may be left out. */
const ALL_OPTIONAL = { ...PLAIN, requiredKeys: [] };

const weighed = fc.record(
  {
    product_sku: fc.constantFrom(...SKUS),
    quantity,
    unit: fc.constantFrom(...UNITS),
  },
  PLAIN,
);

const provenance = fc.record(
  {
    supplier_name: fc.constantFrom(...SUPPLIERS),
    origin_facility: fc.constantFrom(...FACILITIES),
    supplier_lot_code: fc.constantFrom(...SUPPLIER_LOTS),
  },
  ALL_OPTIONAL,
);

const sale = fc.record(
  {
    customer_ref: fc.constantFrom(...CUSTOMERS),
    channel: fc.constantFrom(...Object.keys(CHANNELS)),
  },
  ALL_OPTIONAL,
);

const delivery = fc.record({ consignee_ref: fc.constantFrom(...CUSTOMERS) }, ALL_OPTIONAL);

const frame = fc.record(
  {
    occurred_at: instant,
    location: fc.constantFrom(...PLACES),
    reference: fc.constantFrom(...REFERENCES),
    notes: fc.constantFrom('dry', 'burnt'),
  },
  { ...PLAIN, requiredKeys: ['occurred_at', 'location', 'reference'] },
);

type LineOf = (directions: fc.Arbitrary<Direction>) => fc.Arbitrary<PostedLine>;

function eventArbitrary(lotCode: fc.Arbitrary<string>): fc.Arbitrary<PostedEvent> {
  const makeLine: LineOf = (directions) =>
    fc
      .tuple(weighed, lotCode, directions)
      .map(([rest, lot_code, side]) => ({ lot_code, ...rest, direction: side }));
  const some = (line: fc.Arbitrary<PostedLine>): fc.Arbitrary<readonly PostedLine[]> =>
    fc.array(line, { minLength: 1, maxLength: 3, size: 'max' });
  const ofType = (
    type: fc.Arbitrary<PostedEvent['event_type']>,
    lines: fc.Arbitrary<readonly PostedLine[]>,
  ): fc.Arbitrary<PostedEvent> =>
    fc
      .tuple(type, frame, lines)
      .map(([event_type, rest, eventLines]) => ({ event_type, ...rest, lines: eventLines }));
  const ins = some(makeLine(fc.constant<Direction>('in')));
  const outs = some(makeLine(fc.constant<Direction>('out')));
  const both = fc.tuple(ins, outs).map(([a, b]) => [...a, ...b]);
  const received = some(
    fc.tuple(makeLine(fc.constant<Direction>('in')), provenance).map(([a, b]) => ({ ...a, ...b })),
  );
  const sold = some(
    fc.tuple(makeLine(fc.constant<Direction>('out')), sale).map(([a, b]) => ({ ...a, ...b })),
  );
  const anything = some(
    fc
      .tuple(makeLine(direction), fc.option(provenance), fc.option(sale))
      .map(([a, b, c]) => ({ ...a, ...b, ...c })),
  );
  const delivered = some(
    fc.tuple(makeLine(fc.constant<Direction>('out')), delivery).map(([a, b]) => ({ ...a, ...b })),
  );
  return fc.oneof(
    { weight: 2, arbitrary: ofType(fc.constant('RECEIVE'), received) },
    { weight: 3, arbitrary: ofType(fc.constantFrom('PRODUCE', 'PACK'), both) },
    { weight: 2, arbitrary: ofType(fc.constant('CONSUME'), ins) },
    { weight: 2, arbitrary: ofType(fc.constantFrom('PRODUCE', 'PACK'), outs) },
    { weight: 2, arbitrary: ofType(fc.constant('SELL'), sold) },
    { weight: 2, arbitrary: ofType(fc.constant('SHIP'), delivered) },
    { weight: 1, arbitrary: ofType(fc.constant('DISPOSE'), outs) },
    { weight: 3, arbitrary: ofType(fc.constantFrom(...TYPES), anything) },
  );
}

/** What a field may become; each of every kind. */
function changeArbitrary(lotCode: fc.Arbitrary<string>): fc.Arbitrary<ChangePlan> {
  const changeOfField = (
    field: string,
    newValue: fc.Arbitrary<string | number | null>,
  ): fc.Arbitrary<ChangePlan> =>
    fc.record(
      {
        field: fc.constant(field),
        pick: fc.nat(3),
        spelling: fc.constantFrom('brackets', 'dots', 'slashes', 'bare'),
        newValue,
      },
      PLAIN,
    );
  const optional = (values: readonly string[]): fc.Arbitrary<string | null> =>
    fc.option(fc.constantFrom(...values));
  return fc.oneof(
    changeOfField('occurred_at', instant),
    changeOfField('location', fc.constantFrom(...PLACES)),
    changeOfField('reference', fc.constantFrom(...REFERENCES)),
    changeOfField('notes', optional(['dry', 'wet'])),
    { weight: 4, arbitrary: changeOfField('lot_code', lotCode) },
    changeOfField('product_sku', fc.constantFrom(...SKUS)),
    { weight: 2, arbitrary: changeOfField('direction', direction) },
    { weight: 3, arbitrary: changeOfField('quantity', quantity) },
    changeOfField('unit', fc.constantFrom(...UNITS)),
    changeOfField('customer_ref', optional(CUSTOMERS)),
    changeOfField('consignee_ref', optional(CUSTOMERS)),
    changeOfField('channel', optional(Object.keys(CHANNELS))),
    changeOfField('supplier_name', optional(SUPPLIERS)),
    changeOfField('origin_facility', optional(FACILITIES)),
    changeOfField('supplier_lot_code', optional(SUPPLIER_LOTS)),
  );
}

/** A whole chain: what all tenants do, one after the other. */
export function supplyChain(shape: Shape): fc.Arbitrary<readonly Step[]> {
  const tenantId = fc.constantFrom(...shape.tenantIds);
  const lotCode = fc.constantFrom(...CODES.slice(0, shape.lotCodes));
  const pick = fc.nat(10_000);
  const post = fc.record(
    {
      kind: fc.constant('post' as const),
      tenantId,
      events: fc.array(eventArbitrary(lotCode), {
        minLength: 1,
        maxLength: shape.eventsOfStepMax,
        size: 'max',
      }),
    },
    PLAIN,
  );
  const correct = fc.record(
    {
      kind: fc.constant('correct' as const),
      tenantId,
      pick,
      changes: fc.array(changeArbitrary(lotCode), { minLength: 1, maxLength: 3 }),
      claims: fc.oneof(
        { weight: 12, arbitrary: fc.constant('right' as const) },
        { weight: 1, arbitrary: fc.constant('wrong' as const) },
      ),
    },
    PLAIN,
  );
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 10, arbitrary: post },
    { weight: 8, arbitrary: correct },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('void' as const), tenantId, pick }, PLAIN),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom('hold', 'release'), tenantId, pick }, PLAIN),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'rest' as const }) },
  );
  const { min, max } = shape.steps;
  return fc
    .array(step, { minLength: min, maxLength: max, size: 'max' })
    .map((steps) => (shape.drift === 0 ? steps : drifting(steps, shape)));
}

/** Moves the window of lots on from post to post, so that a long chain has a length. */
function drifting(steps: readonly Step[], { drift, lotCodes }: Shape): readonly Step[] {
  let posts = 0;
  return steps.map((step) => {
    const moved = (lotCode: string): string => {
      const index = CODES.findIndex((code) => code === lotCode);
      return `${lotCode}.${Math.floor((posts * drift + index) / lotCodes)}`;
    };
    if (step.kind === 'correct') {
      const changes = step.changes.map((change) =>
        change.field === 'lot_code'
          ? { ...change, newValue: moved(String(change.newValue)) }
          : change,
      );
      return { ...step, changes };
    }
    if (step.kind !== 'post') return step;
    posts += 1;
    const events = step.events.map((event) => ({
      ...event,
      lines: event.lines.map((line) => ({ ...line, lot_code: moved(line.lot_code) })),
    }));
    return { ...step, events };
  });
}
