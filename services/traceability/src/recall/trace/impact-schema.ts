// The shapes in which the impact of a recall is answered (docs/interface/traceability.md#impact).
import { Type } from '@lothub/kit/json-schema';
import {
  BalanceSchema,
  LOT_STATE_SCHEMAS,
  PROVENANCE_SCHEMAS,
  RelationSchema,
} from '../../lots/lot-schema.ts';

/** Replaces a customer that was erased. */
export const ERASED = 'erased';

export const AffectedLotSchema = Type.Object(
  {
    lot_code: Type.String(),
    product_sku: Type.String(),
    relation: RelationSchema,
    distance: Type.Integer({ description: 'Hops from the lot that was asked for' }),
    ...LOT_STATE_SCHEMAS,
    quantities: Type.Array(BalanceSchema, {
      description: 'One for each SKU and unit, never added together',
    }),
  },
  { title: 'AffectedLot' },
);

export const AffectedShipmentSchema = Type.Object(
  {
    event_id: Type.Integer(),
    block_height: Type.Integer(),
    occurred_at: Type.String(),
    location: Type.String(),
    reference: Type.String(),
    lot_code: Type.String(),
    product_sku: Type.String(),
    quantity: Type.Number(),
    unit: Type.String(),
  },
  { title: 'AffectedShipment' },
);

export const AffectedCustomerSchema = Type.Object(
  {
    customer_ref: Type.String({ description: '`erased` for those that were erased, together' }),
    erased: Type.Optional(
      Type.Literal(true, { description: 'Absent of customers that are known' }),
    ),
    lots: Type.Integer({ description: 'Lots that were sold of' }),
    quantity: Type.Number(),
    unit: Type.String(),
    channels: Type.Array(Type.String()),
    first_sold_at: Type.String(),
    last_sold_at: Type.String(),
  },
  { title: 'AffectedCustomer' },
);

export const AffectedSupplierSchema = Type.Object(
  {
    ...PROVENANCE_SCHEMAS,
    product_sku: Type.String({ description: 'As which product it was received first' }),
    lot_codes: Type.Array(Type.String(), { description: 'Lots of the impact that it came into' }),
  },
  { title: 'AffectedSupplier' },
);
