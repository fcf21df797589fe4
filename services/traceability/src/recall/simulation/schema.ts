// The shapes of a recall that is only simulated (docs/interface/traceability.md#simulation).
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { text } from '../../http.ts';
import { CHANNEL_CLASSES, LOT_TYPES, RECALL_DIRECTIONS } from '../../terms.ts';
import { DirectionRequestSchema } from '../direction.ts';
import { SupplierNameSchema } from '../supplier-name.ts';
import {
  AffectedCustomerSchema,
  AffectedLotSchema,
  AffectedShipmentSchema,
  AffectedSupplierSchema,
} from '../trace/impact-schema.ts';

const LOT_CODE_MAX = 200;

export const SimulationRequestSchema = Type.Object(
  {
    lot_code: text(
      LOT_CODE_MAX,
      'An own lot, or a supplier’s when there is no own lot of this code',
      'FLOUR-0711',
    ),
    supplier_name: SupplierNameSchema,
    direction: DirectionRequestSchema,
    include_disposed: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Show lots of which nothing is left and the rest was disposed of, too',
      }),
    ),
    as_of_height: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Simulate what was known when this block was the newest',
        examples: [118],
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'SimulationRequest',
    examples: [{ lot_code: 'FLOUR-0711', direction: 'both', include_disposed: false }],
  },
);

export type SimulationRequest = Static<typeof SimulationRequestSchema>;

export const SuspectSchema = Type.Object(
  {
    lot_code: Type.String(),
    product_sku: Type.String(),
    distance: Type.Integer({ description: 'Hops from the lot that was asked for' }),
    further_lots: Type.Integer({
      description: 'Lots made from it, and itself, that the recall does not cover',
    }),
  },
  { title: 'Suspect' },
);

export const UnnamedSalesSchema = Type.Object(
  {
    lots: Type.Integer({ description: 'Lots that were sold of' }),
    quantity: Type.Number(),
    unit: Type.String(),
    channels: Type.Array(Type.String()),
    first_sold_at: Type.String(),
    last_sold_at: Type.String(),
  },
  { title: 'UnnamedSales' },
);

const EXAMPLE_BALANCE = {
  product_sku: 'RYE-BREAD',
  unit: 'pcs',
  received: 0,
  returned: 0,
  produced: 400,
  consumed: 0,
  packed: 0,
  packed_from: 0,
  shipped: 300,
  sold: 120,
  disposed: 0,
  remaining: 100,
  over_issued: false,
};

const EXAMPLE = {
  lot_code: 'FLOUR-0711',
  seed_type: 'lot',
  direction: 'downstream',
  as_of_height: null,
  affected_lots: [
    {
      lot_code: 'FLOUR-0711',
      product_sku: 'FLOUR-T55',
      relation: 'self',
      distance: 0,
      status: 'depleted',
      hold_status: 'released',
      quantities: [],
    },
    {
      lot_code: 'BREAD-0302',
      product_sku: 'RYE-BREAD',
      relation: 'downstream',
      distance: 1,
      status: 'active',
      hold_status: 'released',
      quantities: [EXAMPLE_BALANCE],
    },
  ],
  affected_products: ['FLOUR-T55', 'RYE-BREAD'],
  shipments: [
    {
      event_id: 21,
      block_height: 21,
      occurred_at: '2026-03-02T10:00:00Z',
      location: 'BAKERY-1',
      reference: 'DN-881',
      lot_code: 'BREAD-0302',
      product_sku: 'RYE-BREAD',
      quantity: 300,
      unit: 'pcs',
    },
  ],
  customers: [
    {
      customer_ref: 'CUST-117',
      lots: 1,
      quantity: 100,
      unit: 'pcs',
      channels: ['webshop'],
      first_sold_at: '2026-03-02T12:00:00Z',
      last_sold_at: '2026-03-03T09:30:00Z',
    },
  ],
  unnamed_sales: [
    {
      lots: 1,
      quantity: 20,
      unit: 'pcs',
      channels: ['shop till'],
      first_sold_at: '2026-03-02T12:10:00Z',
      last_sold_at: '2026-03-02T17:45:00Z',
    },
  ],
  channels: ['shop till', 'webshop'],
  channel_classes: ['online', 'retail'],
  suppliers: [
    {
      supplier_name: 'Mill Brandt',
      origin_facility: null,
      supplier_lot_code: 'BR-2026-118',
      product_sku: 'FLOUR-T55',
      lot_codes: ['FLOUR-0711'],
    },
  ],
  event_count: 9,
  excluded_disposed: 0,
  suspects: [],
  suspects_truncated: false,
  totals: { affected_lots: 2, shipments: 1, customers: 1, suppliers: 1 },
  truncated: false,
  elapsed_ms: 3.2,
  chain: {
    height: 30,
    tip_hash: '9f2c4b7d1e6a8035c1f0b3d27a94e85f60d3c2b1a0918f7e6d5c4b3a29180716',
  },
};

export const SimulationSchema = Type.Object(
  {
    lot_code: Type.String({ description: 'The lot that was asked for' }),
    seed_type: Type.Enum([...LOT_TYPES]),
    direction: Type.Enum([...RECALL_DIRECTIONS]),
    as_of_height: Type.Union([Type.Integer(), Type.Null()]),
    affected_lots: Type.Array(AffectedLotSchema, {
      description: 'The lot itself first, then by distance',
    }),
    affected_products: Type.Array(Type.String(), {
      description: 'SKUs of the affected lots, and of what was shipped or sold',
    }),
    shipments: Type.Array(AffectedShipmentSchema, {
      description: '`out` lines of SHIP events, by when they occurred',
    }),
    customers: Type.Array(AffectedCustomerSchema, {
      description: 'One for each customer and unit; those that were erased last',
    }),
    unnamed_sales: Type.Array(UnnamedSalesSchema, {
      description: 'What was sold without a `customer_ref`, by unit',
    }),
    channels: Type.Array(Type.String(), {
      description: 'As they were sent; of what was erased, the class',
    }),
    channel_classes: Type.Array(Type.Enum([...CHANNEL_CLASSES])),
    suppliers: Type.Array(AffectedSupplierSchema, {
      description: 'Where affected lots were received from',
    }),
    event_count: Type.Integer({ description: 'Events that count and name a lot of the recall' }),
    excluded_disposed: Type.Integer({
      description: 'Lots that are not shown because the rest of them was disposed of',
    }),
    suspects: Type.Array(SuspectSchema, {
      description: 'Ancestors; first those that would add most, were they the cause',
    }),
    suspects_truncated: Type.Boolean({
      description: 'The search for suspects met its bounds: some are missing, or would add more',
    }),
    totals: Type.Object({
      affected_lots: Type.Integer(),
      shipments: Type.Integer({ description: 'Also of those that are not shown' }),
      customers: Type.Integer({ description: 'Entries of `customers`' }),
      suppliers: Type.Integer(),
    }),
    truncated: Type.Boolean({
      description: 'There is more than is shown; never left out silently',
    }),
    elapsed_ms: Type.Number(),
    chain: Type.Object({
      height: Type.Integer({ description: 'The newest block that was taken into account' }),
      tip_hash: Type.String(),
    }),
  },
  { title: 'Simulation', examples: [EXAMPLE] },
);

export type SimulationAnswer = Static<typeof SimulationSchema>;
