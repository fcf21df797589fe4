// Sums up an impact in numbers: each case stores the sums of its opening, and responses contain the
// present ones. They contain no private value. Pure.
import { compareTexts } from '@lothub/kit/text-order';
import Big from 'big.js';
import type { Impact } from './impact.ts';

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
  const sums = new Map<string, { sku: string; unit: string; parts: readonly Big[] }>();
  for (const lot of impact.lots) {
    for (const { productSku, unit, remaining, shipped, sold, disposed } of lot.quantities) {
      const key = JSON.stringify([productSku, unit]);
      const parts = [remaining, shipped, sold, disposed].map((text) => new Big(text));
      const known = sums.get(key)?.parts;
      const added = parts.map((part, index) => part.plus(known?.[index] ?? 0));
      sums.set(key, { sku: productSku, unit, parts: added });
    }
  }
  const quantities = [...sums.values()]
    .sort((a, b) => compareTexts(a.sku, b.sku) || compareTexts(a.unit, b.unit))
    .map(({ sku, unit, parts }): QuantitySummary => {
      const [remaining = '0', shipped = '0', sold = '0', disposed = '0'] = parts.map((part) =>
        part.toFixed(),
      );
      return { product_sku: sku, unit, remaining, shipped, sold, disposed };
    });
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
