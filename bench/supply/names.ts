// What the goods of the generated supply chain are called: codes and SKUs of lots, suppliers and
// their lots. All follow from numbers, so nothing has to be kept but the numbers.

/** Lots of one kind on one level; `level` is the number of hops from what was received. */
export interface Series {
  readonly prefix: string;
  readonly stage: string;
  readonly level: number;
  readonly unit: 'kg' | 'pcs';
}

/** The level of the deepest lots. */
export const DEEPEST = 6;

/** Received, made in three steps, packed in three: the ordinary lots, by level. */
const STAGES: readonly Series[] = [
  { prefix: 'RAW', stage: 'RAW', level: 0, unit: 'kg' },
  { prefix: 'MIX', stage: 'MIX', level: 1, unit: 'kg' },
  { prefix: 'DGH', stage: 'DOUGH', level: 2, unit: 'kg' },
  { prefix: 'BKD', stage: 'BAKED', level: 3, unit: 'kg' },
  { prefix: 'PCK', stage: 'PACK', level: 4, unit: 'pcs' },
  { prefix: 'CSE', stage: 'CASE', level: 5, unit: 'pcs' },
  { prefix: 'PLT', stage: 'PALLET', level: DEEPEST, unit: 'pcs' },
];

export const ORDINARY = STAGES.map((_, level) => level);
/** The lots around the widest one, by level; the widest itself is the only one of its level. */
export const WIDE = STAGES.map((_, level) => STAGES.length + level);
/** Rolls of film around pallets: received once, used a thousand times. */
export const FILM = 2 * STAGES.length;
/** The lot of ten thousand lines. */
export const BULK = FILM + 1;

/** What was received, mixed of it, packed of that and boxed: sold in a hundred thousand lines. */
const SOLD_STAGES: readonly Series[] = [
  { prefix: 'SRAW', stage: 'RAW', level: 0, unit: 'kg' },
  { prefix: 'SMIX', stage: 'MIX', level: 1, unit: 'kg' },
  { prefix: 'SPCK', stage: 'PACK', level: 2, unit: 'pcs' },
  { prefix: 'SCSE', stage: 'CASE', level: 3, unit: 'pcs' },
];
export const SOLD = SOLD_STAGES.map((_, level) => BULK + 1 + level);

export const SERIES: readonly Series[] = [
  ...STAGES,
  ...STAGES.map((stage) => ({ ...stage, prefix: `W${stage.prefix}` })),
  { prefix: 'FLM', stage: 'FILM', level: 0, unit: 'pcs' },
  { prefix: 'BLK', stage: 'VINEGAR', level: 0, unit: 'kg' },
  ...SOLD_STAGES,
];

export function seriesAt(seriesNo: number): Series {
  const series = SERIES[seriesNo];
  if (series === undefined) throw new Error(`there is no series ${seriesNo}`);
  return series;
}

export const BEGIN_MS = Date.UTC(2026, 0, 5);
export const DAYS = 180;
export const DAY_MS = 86_400_000;

const GOODS = ['RYE', 'WHEAT', 'SPELT', 'OAT', 'SEED', 'NUT', 'MILK', 'HONEY', 'CORN', 'MALT'];
const PRODUCTS = 40;
/** Coprime to the number of products: neighbours differ. */
const PRODUCT_STRIDE = 7;

const pickProduct = (index: number): number => (index * PRODUCT_STRIDE) % PRODUCTS;
const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Such as `DGH07-0412-0731`: product, day and number on that day. */
export function formatLotCode(seriesNo: number, index: number, lotsPerDay: number): string {
  const day = new Date(BEGIN_MS + Math.floor(index / lotsPerDay) * DAY_MS);
  return (
    `${seriesAt(seriesNo).prefix}${twoDigits(pickProduct(index))}-` +
    `${twoDigits(day.getUTCMonth() + 1)}${twoDigits(day.getUTCDate())}-` +
    String(index % lotsPerDay).padStart(4, '0')
  );
}

/** Such as `NUT-DOUGH-07`. */
export function formatSku(seriesNo: number, index: number): string {
  const product = pickProduct(index);
  return `${GOODS[product % GOODS.length]}-${seriesAt(seriesNo).stage}-${twoDigits(product)}`;
}

const TRADES = ['Mill', 'Farm', 'Dairy', 'Estate', 'Works'];
const OWNERS = [
  ...['Brandt', 'Okafor', 'Lindqvist', 'Moreau', 'Tanaka', 'Silva'],
  ...['Novak', 'Hughes', 'Rossi', 'Petrov', 'Dubois', 'Jansen'],
];
const FACILITIES = 3;

export interface SupplierLot {
  readonly supplier_name: string;
  readonly origin_facility: string;
  readonly supplier_lot_code: string;
}

/** The supplier's own lot of a number: no two numbers have the same code. */
export function makeSupplierLot(supplierLotNo: number): SupplierLot {
  const trade = TRADES[supplierLotNo % TRADES.length] ?? '';
  const owner = OWNERS[supplierLotNo % OWNERS.length] ?? '';
  return {
    supplier_name: `${trade} ${owner}`,
    origin_facility: `${owner} silo ${1 + (supplierLotNo % FACILITIES)}`,
    supplier_lot_code: `${owner.slice(0, 2).toUpperCase()}-26-${supplierLotNo}`,
  };
}
