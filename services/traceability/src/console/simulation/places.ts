// The places that shipped lots of a recall, and how much of them, by unit. Pure.
import { compareTexts } from '@lothub/kit/text-order';
import type { Shipment } from '../../recall/trace/impact.ts';
import { DecimalSum } from '../../recall/trace/tallies.ts';
import type { Amount } from '../recall-parts.ts';

export interface ShippingPlace {
  /** The text in events. */
  readonly location: string;
  readonly shipments: number;
  readonly lots: number;
  /** One for each unit, in their order. */
  readonly amounts: readonly Amount[];
}

/** Places in the order of their texts. */
export function shippingPlaces(shipments: readonly Shipment[]): readonly ShippingPlace[] {
  const byLocation = Map.groupBy(shipments, ({ location }) => location);
  return [...byLocation]
    .sort(([a], [b]) => compareTexts(a, b))
    .map(([location, all]) => ({
      location,
      shipments: all.length,
      lots: new Set(all.map(({ lotCode }) => lotCode)).size,
      amounts: amountsByUnit(all),
    }));
}

function amountsByUnit(all: readonly Amount[]): readonly Amount[] {
  return [...Map.groupBy(all, ({ unit }) => unit)]
    .sort(([a], [b]) => compareTexts(a, b))
    .map(([unit, amounts]) => {
      const sum = new DecimalSum();
      for (const { quantity } of amounts) sum.add(quantity);
      return { quantity: sum.text(), unit };
    });
}
