// The tables of lots and of what belongs to them. The order of columns is that of the schema, which
// schema.test.ts compares.
import {
  integer,
  left,
  nullable,
  numbered,
  storedTable,
  text,
} from '@lothub/kit/rows/stored-table';
import type { Column, InsertedRowOf, RowOf } from '@lothub/kit/rows/stored-table';
import type { Standing } from '../record/quantities.ts';
import { PARTS, type Part } from '../record/event-types.ts';

export const LOTS = storedTable('lots', ['lot_no'], {
  lot_no: integer(),
  tenant_no: integer(),
  lot_code: text(),
  product_sku: text(),
  first_height: integer(),
  first_sku: text(),
  status: text<Standing['status']>(),
  /** Follows from the holds, as `recalled` does from the cases. */
  on_hold: left(integer<0 | 1>()),
  stocked: integer(),
  over_issued: integer(),
  recalled: left(integer<0 | 1>()),
});
export type LotRow = RowOf<typeof LOTS>;
export type NewLotRow = InsertedRowOf<typeof LOTS>;

type SumColumn = Column<string | null, 'given'>;

/** Parts whose columns come after those that the table had first. */
const LATER_PARTS = ['delivered', 'delivered_and_sold'] as const satisfies readonly Part[];
type LaterPart = (typeof LATER_PARTS)[number];

/** A decimal text for each part of the balance; null where nothing moved. */
const SUM_COLUMNS = Object.fromEntries(
  PARTS.filter((part) => !LATER_PARTS.some((later) => later === part)).map((part) => [
    part,
    nullable(text()),
  ]),
) as Readonly<Record<Exclude<Part, LaterPart>, SumColumn>>;

/** Accounts of lots: one for each SKU and unit. */
export const LOT_QUANTITIES = storedTable('lot_quantities', ['lot_no', 'product_sku', 'unit'], {
  lot_no: integer(),
  product_sku: text(),
  unit: text(),
  ...SUM_COLUMNS,
  removed_at: nullable(text()),
  removed_height: nullable(integer()),
  removed_part: nullable(text<Part>()),
  delivered: nullable(text()),
  delivered_and_sold: nullable(text()),
});
export type QuantityRow = RowOf<typeof LOT_QUANTITIES>;

/** The search text of a lot (lot-text.ts). */
export const LOT_TEXTS = storedTable('lot_texts', ['tenant_no', 'lot_no'], {
  tenant_no: integer(),
  lot_no: integer(),
  text: text(),
});
export type LotTextRow = RowOf<typeof LOT_TEXTS>;

export const LOT_HOLDS = storedTable('lot_holds', ['hold_no'], {
  hold_no: numbered(),
  lot_no: integer(),
  source: text(),
  reason: text(),
  held_by: text(),
  held_since: text(),
  released_at: left(nullable(text())),
  released_by: left(nullable(text())),
  /** That of the lot; the lots of a tenant that are on hold are found by it. */
  tenant_no: integer(),
  /** Block that set it; null: it follows from the scope of its case. */
  held_height: nullable(integer()),
  /** Block that ended it; null: it is open, or ended with its case. */
  released_height: left(nullable(integer())),
});
export type NewHoldRow = InsertedRowOf<typeof LOT_HOLDS>;
