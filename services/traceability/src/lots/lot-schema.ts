// The shapes of the tenant's lots and of holds (docs/interface/traceability.md#lots).
import { buildRecord } from '@lothub/kit/build-record';
import { Type } from '@lothub/kit/json-schema';
import type { TSchema } from 'typebox';
import { LimitQuery, OffsetQuery, nullableText, optionalText, text } from '../http.ts';
import { formatSources, PARTS, type Part } from '../ledger/record/event-types.ts';
import type { ProvenanceName } from '../ledger/record/fields.ts';
import { HOLD_STATUSES, LOT_STATUSES, RELATIONS } from '../terms.ts';

/** Characters of a text that is searched, of a name, of a case number. */
const TEXT_MAX = 200;
export const REASON_MAX = 2_000;

/** How a related lot is related to the one that was requested. */
export const RelationSchema = Type.Enum([...RELATIONS], {
  description:
    'Of a lot that is an ancestor and a descendant, as by rework, that of the nearer way; `upstream` ' +
    'when both are as long',
});

export const LotListQuerySchema = Type.Object({
  q: Type.Optional(
    text(
      TEXT_MAX,
      'Part of a lot code, SKU, supplier name or supplier lot code; upper and lower case alike',
      'FLOUR',
    ),
  ),
  status: Type.Optional(Type.Enum([...LOT_STATUSES])),
  hold_status: Type.Optional(Type.Enum([...HOLD_STATUSES])),
  limit: LimitQuery,
  offset: OffsetQuery,
});

const part = (description: string) => Type.Number({ description });

/** Additions to the descriptions of parts in the interface. */
const NOTES: Readonly<Partial<Record<Part, string>>> = {
  sold: '; taken out of what was shipped, when the lot was shipped',
  delivered: 'The share of shipped that was delivered to consignees',
  delivered_and_sold:
    'The share of sold that was delivered: of each reference the smaller of what was delivered and ' +
    'sold under it',
};

/** The parts of a lot's balance in one SKU and unit (ledger/record/quantities.ts). */
export const BALANCE_PARTS = {
  product_sku: Type.String(),
  unit: Type.String(),
  ...buildRecord(PARTS, (name) => part(formatSources(name) + (NOTES[name] ?? ''))),
};

export const EXAMPLE_BALANCE = {
  product_sku: 'FLOUR-T55',
  unit: 'kg',
  received: 250.5,
  returned: 0,
  produced: 0,
  consumed: 50,
  packed: 0,
  packed_from: 0,
  shipped: 0,
  sold: 0,
  disposed: 0,
  delivered: 0,
  delivered_and_sold: 0,
  remaining: 200.5,
};

export const BalanceSchema = Type.Object(
  {
    ...BALANCE_PARTS,
    remaining: part(
      'received - returned + produced + packed - packed_from - consumed - disposed - delivered - the ' +
        'larger of (shipped - delivered) and (sold - delivered_and_sold)',
    ),
    over_issued: Type.Boolean({ description: 'More went out than came in' }),
  },
  { title: 'Balance' },
);

const EXAMPLE_ITEM = {
  lot_code: 'FLOUR-0711',
  product_sku: 'FLOUR-T55',
  product_skus: ['FLOUR-T55'],
  status: 'active',
  hold_status: 'on_hold',
  quantities: [{ ...EXAMPLE_BALANCE, over_issued: false }],
  truncated: false,
};

const EXAMPLE_HOLD = {
  case_no: 'manual',
  reason: 'moisture above limit',
  by: 'Ada Miller',
  since: '2026-03-02T09:12:31.004Z',
};

/** The present state of a lot. */
export const LOT_STATE_SCHEMAS = {
  status: Type.Enum([...LOT_STATUSES]),
  hold_status: Type.Enum([...HOLD_STATUSES]),
};

const LOT_ITEM = {
  lot_code: Type.String(),
  product_sku: Type.String({ description: 'The first that was recorded and counts' }),
  product_skus: Type.Array(Type.String(), { description: '`product_sku` first' }),
  ...LOT_STATE_SCHEMAS,
  quantities: Type.Array(BalanceSchema, {
    description: 'One for each SKU and unit, never added together',
  }),
  truncated: Type.Boolean({ description: 'There is more of this lot than is shown' }),
};

export const LotItemSchema = Type.Object(LOT_ITEM, { title: 'Lot' });

export const LotListSchema = Type.Object(
  {
    lots: Type.Array(LotItemSchema),
    total: Type.Integer({ description: 'Lots that match, on all pages' }),
    total_is_exact: Type.Optional(
      Type.Literal(false, { description: 'There are more than `total`; absent when it is exact' }),
    ),
    limit: Type.Integer(),
    offset: Type.Integer(),
  },
  { title: 'LotList', examples: [{ lots: [EXAMPLE_ITEM], total: 1, limit: 50, offset: 0 }] },
);

export const HoldSchema = Type.Object(
  {
    case_no: Type.String({ description: 'The recall case that holds the lot, or `manual`' }),
    reason: Type.String(),
    by: Type.String(),
    since: Type.String(),
  },
  { title: 'Hold' },
);

/** The origin of a lot, as far as it was recorded. */
export const PROVENANCE_SCHEMAS = {
  supplier_name: nullableText('The supplier'),
  origin_facility: nullableText('Where it was made'),
  supplier_lot_code: nullableText('The supplier’s own lot number'),
} satisfies Readonly<Record<ProvenanceName, TSchema>>;

export const LotRecordSchema = Type.Object(
  {
    ...LOT_ITEM,
    holds: Type.Array(HoldSchema),
    provenance: Type.Array(
      Type.Object({
        ...PROVENANCE_SCHEMAS,
        event_id: Type.Integer(),
      }),
    ),
    first_block_height: Type.Integer({ description: 'The first block that names the lot' }),
    first_recorded_at: Type.String(),
  },
  {
    title: 'LotRecord',
    examples: [
      {
        ...EXAMPLE_ITEM,
        holds: [EXAMPLE_HOLD],
        provenance: [
          {
            supplier_name: 'Mill Brandt',
            origin_facility: null,
            supplier_lot_code: 'BR-2026-118',
            event_id: 17,
          },
        ],
        first_block_height: 17,
        first_recorded_at: '2026-03-02T06:15:04.117Z',
      },
    ],
  },
);

export const HoldRequestSchema = Type.Object(
  {
    reason: text(REASON_MAX, 'Why the lot may not be used', 'moisture above limit'),
    by: text(TEXT_MAX, 'Who decided it', 'Ada Miller'),
  },
  {
    additionalProperties: false,
    title: 'HoldRequest',
    examples: [{ reason: 'moisture above limit', by: 'Ada Miller' }],
  },
);

export const ReleaseRequestSchema = Type.Object(
  {
    by: text(TEXT_MAX, 'Who decided it', 'Ada Miller'),
    reason: optionalText(REASON_MAX, 'Why the lot may be used again', 'second sample is dry'),
    case_no: optionalText(
      TEXT_MAX,
      'Ends the hold of this recall case; without it the one that was set by hand',
      'RC-2026-0001',
    ),
  },
  {
    additionalProperties: false,
    title: 'ReleaseRequest',
    examples: [{ by: 'Ada Miller', reason: 'second sample is dry' }],
  },
);

export const HoldAnswerSchema = Type.Object(
  {
    lot_code: Type.String(),
    hold_status: Type.Enum([...HOLD_STATUSES]),
    holds: Type.Array(HoldSchema, { description: 'What still holds the lot' }),
    truncated: Type.Boolean({ description: 'There are more holds than are shown' }),
    block_height: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The block of the change; null when nothing changed',
    }),
    block_hash: Type.Union([Type.String(), Type.Null()]),
  },
  {
    title: 'HoldAnswer',
    examples: [
      {
        lot_code: 'FLOUR-0711',
        hold_status: 'on_hold',
        holds: [EXAMPLE_HOLD],
        truncated: false,
        block_height: 57,
        block_hash: '5e0d4a8e3c1f0b7d9a6c2e4f8b1d3a5c7e9f0b2d4a6c8e0f1b3d5a7c9e1f3b5d',
      },
    ],
  },
);
