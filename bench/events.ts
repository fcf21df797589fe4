// The events of the benchmarks: reproducible, of two lines each, a supply chain several levels deep.

export interface BenchEvent {
  readonly external_id: string;
  readonly event_type: 'PRODUCE';
  readonly occurred_at: string;
  readonly location: string;
  readonly reference: string;
  readonly lines: BenchLine[];
}

interface BenchLine {
  readonly lot_code: string;
  readonly product_sku: string;
  readonly direction: 'in' | 'out';
  readonly quantity: number;
  readonly unit: string;
}

/** Lots of one production family: each is made from the one before. */
const LEVELS = 6;
const STEP_MS = 1_000;
const BEGIN_MS = Date.UTC(2026, 0, 1);

/** Event number `n` of a series: production of one lot out of the lot one level above. */
export function benchEvent(n: number, series: string): BenchEvent {
  const family = Math.floor(n / LEVELS);
  const level = n % LEVELS;
  return {
    external_id: `${series}-${n}`,
    event_type: 'PRODUCE',
    occurred_at: new Date(BEGIN_MS + n * STEP_MS).toISOString(),
    location: `PLANT-${family % 40}`,
    reference: `WO-${series}-${family}`,
    lines: [
      {
        lot_code: `LOT-${series}-${family}-${level}`,
        product_sku: `SKU-${level}`,
        direction: 'in',
        quantity: 100 + (n % 50) / 4,
        unit: 'kg',
      },
      {
        lot_code: `LOT-${series}-${family}-${level + 1}`,
        product_sku: `SKU-${level + 1}`,
        direction: 'out',
        quantity: 98 + (n % 50) / 4,
        unit: 'kg',
      },
    ],
  };
}
