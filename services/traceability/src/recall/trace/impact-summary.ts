// Sums up an impact in numbers: each case stores the sums of its opening, and responses contain the
// present ones. They contain no private value. Pure.
import { compareTexts } from '@lothub/kit/text-order';
import type { Impact } from './impact.ts';
import { DecimalSum } from './tallies.ts';

/** Maximum number of products, and of pairs of SKU and unit, in a summary. */
const PRODUCTS_MAX = 1_000;
const QUANTITIES_MAX = 1_000;

/** Sums over all lots of one SKU and unit; JSON numbers would round them. */
export interface QuantitySummary {
  readonly product_sku: string;
  readonly unit: string;
  readonly remaining: string;
  readonly shipped: string;
  readonly sold: string;
  readonly disposed: string;
}

/** The stored JSON, with the names of responses. */
export interface ImpactSummary {
  readonly lots: number;
  readonly products: readonly string[];
  readonly quantities: readonly QuantitySummary[];
  readonly shipments: number;
  /** Customers that were not erased, each once. */
  readonly customers: number;
  readonly channels: readonly string[];
  /** Lots of suppliers that came into the lots. */
  readonly suppliers: number;
  readonly event_count: number;
  /** Whether the impact has more than these numbers count. */
  readonly truncated: boolean;
}

export function summarizeImpact(impact: Impact): ImpactSummary {
  const sums = new Map<string, SumsOfProduct>();
  for (const lot of impact.lots) {
    for (const { productSku, unit, remaining, shipped, sold, disposed } of lot.quantities) {
      const key = JSON.stringify([productSku, unit]);
      let known = sums.get(key);
      if (known === undefined) {
        known = newSums(productSku, unit);
        sums.set(key, known);
      }
      known.remaining.add(remaining);
      known.shipped.add(shipped);
      known.sold.add(sold);
      known.disposed.add(disposed);
    }
  }
  const quantities = [...sums.values()]
    .sort((a, b) => compareTexts(a.productSku, b.productSku) || compareTexts(a.unit, b.unit))
    .map(({ productSku, unit, remaining, shipped, sold, disposed }): QuantitySummary => ({
      product_sku: productSku,
      unit,
      remaining: remaining.text(),
      shipped: shipped.text(),
      sold: sold.text(),
      disposed: disposed.text(),
    }));
  const customers = new Set(impact.customers.map(({ customerRef }) => customerRef));
  customers.delete(null);
  return {
    lots: impact.lots.length,
    products: impact.products.slice(0, PRODUCTS_MAX),
    quantities: quantities.slice(0, QUANTITIES_MAX),
    shipments: impact.shipmentsTotal,
    customers: customers.size,
    channels: impact.channelClasses,
    suppliers: impact.suppliers.length,
    event_count: impact.eventCount,
    truncated:
      impact.truncated ||
      impact.products.length > PRODUCTS_MAX ||
      quantities.length > QUANTITIES_MAX,
  };
}

interface SumsOfProduct {
  readonly productSku: string;
  readonly unit: string;
  readonly remaining: DecimalSum;
  readonly shipped: DecimalSum;
  readonly sold: DecimalSum;
  readonly disposed: DecimalSum;
}

function newSums(productSku: string, unit: string): SumsOfProduct {
  return {
    ...{ productSku, unit },
    ...{ remaining: new DecimalSum(), shipped: new DecimalSum() },
    ...{ sold: new DecimalSum(), disposed: new DecimalSum() },
  };
}
