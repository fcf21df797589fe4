// The shapes of events as their tenant sees them, and of the chain of a lot
// (docs/interface/traceability.md#the-chain-of-a-lot).
import { Type } from '@lothub/kit/json-schema';
import { nullableText } from '../../http.ts';
import { EVENT_FIELD_LIST, LINE_FIELD_LIST } from '../../ledger/record/fields.ts';
import type { CorrectableEventName, EventTable, LineTable } from '../../ledger/record/fields.ts';
import type { ShownMembers } from '../../ledger/record/members.ts';
import { EVENT_STATUSES } from '../../terms.ts';
import { shownSchemas } from '../field-schemas.ts';

const ChangeValue = Type.Unsafe<string | number | null>({ type: ['string', 'number', 'null'] });

/** The sealed or present values of an event: the fields that a correction may change. */
export interface EventView extends ShownMembers<Pick<EventTable, CorrectableEventName>> {
  lines: LineView[];
}
export type LineView = ShownMembers<LineTable>;

export const EventViewSchema = Type.Object(
  {
    ...shownSchemas(EVENT_FIELD_LIST.filter(({ facts }) => facts.correctable)),
    lines: Type.Array(Type.Object(shownSchemas(LINE_FIELD_LIST), { title: 'LineView' })),
  },
  { title: 'EventView' },
);

export const RecordedCorrectionSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The height of the correction’s block' }),
    block_height: Type.Integer(),
    block_hash: Type.String(),
    recorded_at: Type.String(),
    reason: Type.String(),
    changes: Type.Array(
      Type.Object({
        field: Type.String({ description: 'Such as `lines[0].quantity`' }),
        old_value: ChangeValue,
        new_value: ChangeValue,
      }),
    ),
  },
  { title: 'RecordedCorrection' },
);

const EXAMPLE_VIEW = {
  occurred_at: '2026-03-02T06:15:00Z',
  location: 'BAKERY-1',
  reference: 'PO-2026-0815',
  notes: null,
  lines: [
    {
      lot_code: 'FLOUR-0711',
      product_sku: 'FLOUR-T55',
      direction: 'in',
      quantity: 250.5,
      unit: 'kg',
      customer_ref: null,
      consignee_ref: null,
      channel: null,
      supplier_name: 'Mill Brandt',
      origin_facility: null,
      supplier_lot_code: 'BR-2026-118',
    },
  ],
};

const EXAMPLE_CHAIN = {
  lot_code: 'FLOUR-0711',
  events: [
    {
      id: 17,
      event_type: 'RECEIVE',
      status: 'corrected',
      occurred_at: '2026-03-02T06:15:00Z',
      block_height: 17,
      block_hash: '0f1e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddeeff0',
      lot_codes: ['FLOUR-0711'],
      original: EXAMPLE_VIEW,
      effective: {
        ...EXAMPLE_VIEW,
        lines: EXAMPLE_VIEW.lines.map((line) => ({ ...line, quantity: 240 })),
      },
      corrections: [
        {
          id: 23,
          block_height: 23,
          block_hash: 'a5463728190817263544536271809f0e1d2c3b4a5968778695f4e1c2a3f6b0d7',
          recorded_at: '2026-03-02T09:12:31.004Z',
          reason: 'typing error at the dock',
          changes: [{ field: 'lines[0].quantity', old_value: 250.5, new_value: 240 }],
        },
      ],
    },
  ],
  next: '2026-03-02T06:15:00Z~17',
  truncated: false,
};

export const ChainEventSchema = Type.Object(
  {
    id: Type.Integer(),
    event_type: Type.String(),
    status: Type.Enum([...EVENT_STATUSES]),
    occurred_at: Type.String({ description: 'As it counts now; the list is in this order' }),
    block_height: Type.Integer(),
    block_hash: Type.String(),
    lot_codes: Type.Array(Type.String(), { description: 'Lots that the event names now' }),
    original: EventViewSchema,
    effective: EventViewSchema,
    corrections: Type.Array(RecordedCorrectionSchema, { description: 'Oldest first' }),
  },
  { title: 'ChainEvent' },
);

export const LotChainSchema = Type.Object(
  {
    lot_code: Type.String(),
    events: Type.Array(ChainEventSchema, {
      description: 'Of the lot and all lots related to it, oldest first',
    }),
    next: nullableText('Send it as `after` for what comes next; null at the end'),
    truncated: Type.Boolean({
      description: 'There are more related lots or events than are put in order',
    }),
  },
  { title: 'LotChain', examples: [EXAMPLE_CHAIN] },
);

/** An event's place in the chain of a lot: when it occurred, and its block. */
export const CHAIN_PLACE_PATTERN =
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z~\\d{1,15}$';
