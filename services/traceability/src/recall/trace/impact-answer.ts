// Makes the parts of an impact for responses.
import { buildRecord } from '@lothub/kit/build-record';
import type { Static } from 'typebox';
import { PROVENANCE_NAMES } from '../../ledger/record/fields.ts';
import { balanceAnswer } from '../../lots/record.ts';
import type { CustomerImpact, ImpactLot, Shipment, SupplierImpact } from './impact.ts';
import { ERASED } from './impact-schema.ts';
import type {
  AffectedCustomerSchema,
  AffectedLotSchema,
  AffectedShipmentSchema,
  AffectedSupplierSchema,
} from './impact-schema.ts';

export function affectedLot(lot: ImpactLot): Static<typeof AffectedLotSchema> {
  return {
    lot_code: lot.lotCode,
    product_sku: lot.productSku,
    relation: lot.relation,
    distance: lot.distance,
    status: lot.status,
    hold_status: lot.holdStatus,
    quantities: lot.quantities.map(balanceAnswer),
  };
}

export function affectedShipment(shipment: Shipment): Static<typeof AffectedShipmentSchema> {
  return {
    event_id: shipment.height,
    block_height: shipment.height,
    occurred_at: shipment.occurredAt,
    location: shipment.location,
    reference: shipment.reference,
    lot_code: shipment.lotCode,
    product_sku: shipment.productSku,
    quantity: Number(shipment.quantity),
    unit: shipment.unit,
  };
}

export function affectedCustomer(customer: CustomerImpact): Static<typeof AffectedCustomerSchema> {
  const { customerRef } = customer;
  return {
    customer_ref: customerRef ?? ERASED,
    ...(customerRef === null ? { erased: true as const } : {}),
    lots: customer.lots,
    quantity: Number(customer.quantity),
    unit: customer.unit,
    channels: [...customer.channels],
    first_sold_at: customer.firstSoldAt,
    last_sold_at: customer.lastSoldAt,
  };
}

export function affectedSupplier(supplier: SupplierImpact): Static<typeof AffectedSupplierSchema> {
  return {
    ...buildRecord(PROVENANCE_NAMES, (name) => supplier[name]),
    product_sku: supplier.productSku,
    lot_codes: [...supplier.lotCodes],
  };
}
