// Compares one lot with the sums of its lines: quantities, status, SKU, and its search text. Pure:
// rows in, findings out.
import { at } from '@lothub/kit/present';
import { differingColumns, namesWithout } from '@lothub/kit/rows/stored-table';
import { quantityRow } from '../../append/account-columns.ts';
import { lotText, searchable } from '../../record/lot-text.ts';
import { LotTally, accountKey, type Account } from '../../record/quantities.ts';
import { isEventType } from '../../record/event-types.ts';
import { LOTS, LOT_QUANTITIES } from '../../tables/lots.ts';
import type { LotRow, MovementRow, QuantityRow, SupplierNames } from './queries.ts';
import type { Findings } from '../mismatch.ts';

/** The values of a lot from its first block are compared with that block (rows/rows.ts). */
const COMPARED_OF_LOT = namesWithout(LOTS, [
  'lot_no',
  'tenant_no',
  'lot_code',
  'first_height',
  'first_sku',
]);
const COMPARED_OF_QUANTITY = namesWithout(LOT_QUANTITIES, LOT_QUANTITIES.key);
const NO_SUPPLIERS: ReadonlySet<string> = new Set();
const QUANTITY = /^\d+(?:\.\d+)?$/;
/** The largest difference in length between two texts of one lot that are both full. */
const LONGEST_TERM = 600;

/** Adds up the lines of one lot, in the order of blocks and lines. */
export class LotSums {
  readonly #tally = new LotTally();
  #suppliers: Set<string> | undefined;
  #lastHeight: number | undefined;

  /** Height of the last line added. */
  get lastHeight(): number | undefined {
    return this.#lastHeight;
  }

  get tally(): LotTally {
    return this.#tally;
  }

  /** Names and lot codes of suppliers. */
  get suppliers(): ReadonlySet<string> {
    return this.#suppliers ?? NO_SUPPLIERS;
  }

  add(row: MovementRow, findings: Findings): void {
    this.#lastHeight = row.height;
    const { event_type: eventType } = row;
    if (!QUANTITY.test(row.quantity) || !isEventType(eventType)) {
      // It was changed since its block was compared.
      const message = `the row of line ${row.line_no} in block ${row.height} moves nothing known`;
      findings.add({ height: row.height, code: 'line_row_differs', message });
      return;
    }
    this.#tally.add({
      eventType,
      direction: row.direction === 'in' ? 'in' : 'out',
      productSku: row.product_sku,
      unit: row.unit,
      quantity: row.quantity,
      occurredAt: row.occurred_at,
      height: row.height,
      isDelivery: row.is_delivery === 1,
      handoverReference: row.handover_reference,
    });
  }

  addSuppliers({ supplier_name: name, supplier_lot_code: lotCode }: SupplierNames): void {
    this.#suppliers ??= new Set();
    if (name !== null) this.#suppliers.add(name);
    if (lotCode !== null) this.#suppliers.add(lotCode);
  }
}

/**
 * Compares a lot with its sums. A difference is reported at the last block that moved the lot.
 *
 * @param quantities all rows of the lot
 */
export function compareLot(
  lot: LotRow,
  {
    sums,
    quantities,
    isHeld,
    isRecalled,
    findings,
  }: {
    readonly sums: LotSums;
    readonly quantities: readonly QuantityRow[];
    /** It has a hold that was not released. */
    readonly isHeld: boolean;
    /** A case recalls it. */
    readonly isRecalled: boolean;
    readonly findings: Findings;
  },
): void {
  const height = sums.lastHeight ?? Math.max(0, lot.first_height);
  const { accounts } = sums.tally;
  compareQuantities(accounts, { quantities, height, findings });
  const productSku = accounts[0]?.productSku ?? lot.first_sku;
  const { status, stocked, over_issued } = sums.tally.standing;
  const differing = differingColumns(COMPARED_OF_LOT, lot, {
    product_sku: productSku,
    status,
    stocked,
    over_issued,
    on_hold: isHeld ? 1 : 0,
    recalled: isRecalled ? 1 : 0,
  });
  if (differing.length > 0) {
    const message = `a lot of block ${height} is not what its lines add up to: ${differing.join(', ')}`;
    findings.add({ height, code: 'lot_row_differs', message });
  }
  if (lot.text === null) {
    const message = `the text that a lot of block ${height} is found by is gone`;
    findings.add({ height, code: 'text_row_missing', message });
    return;
  }
  const terms = new Set([productSku]);
  for (const account of accounts) terms.add(account.productSku);
  for (const name of sums.suppliers) terms.add(name);
  if (!isSearchText(lot.text, lot.lot_code, terms)) {
    const message = `the text that a lot of block ${height} is found by differs`;
    findings.add({ height, code: 'text_row_differs', message });
  }
}

function compareQuantities(
  accounts: readonly Account[],
  stored: {
    readonly quantities: readonly QuantityRow[];
    readonly height: number;
    readonly findings: Findings;
  },
): void {
  const { height, findings } = stored;
  const place = `of a lot of block ${height}`;
  const rows = new Map<string, QuantityRow>();
  for (const row of stored.quantities) rows.set(accountKey(row.product_sku, row.unit), row);
  for (const account of accounts) {
    const key = accountKey(account.productSku, account.unit);
    const row = rows.get(key);
    if (row === undefined) {
      const message = `the row of a quantity ${place} is gone`;
      findings.add({ height, code: 'quantity_row_missing', message });
      continue;
    }
    rows.delete(key);
    const expected = quantityRow(row.lot_no, account);
    const differing = differingColumns(COMPARED_OF_QUANTITY, row, expected);
    if (differing.length === 0) continue;
    const message = `the row of a quantity ${place} differs: ${differing.join(', ')}`;
    findings.add({ height, code: 'quantity_row_differs', message });
  }
  for (let extra = rows.size; extra > 0; extra -= 1) {
    const message = `there is a quantity ${place} that no line counts for`;
    findings.add({ height, code: 'quantity_row_extra', message });
  }
}

/**
 * Returns whether a lot has the search text of these terms. If not all terms fit, the stored ones
 * depend on the order in which they came: then each term of the text must be one of the lot's.
 */
function isSearchText(text: string, lotCode: string, terms: ReadonlySet<string>): boolean {
  const expected = lotText(lotCode, terms);
  if (text === expected) return true;
  const all = new Set([...terms].map(searchable));
  all.delete(searchable(lotCode));
  const isCut = expected.split('\n').length - 1 < all.size;
  const [code, ...held] = text.split('\n');
  return (
    isCut &&
    code === searchable(lotCode) &&
    text.length > expected.length - LONGEST_TERM &&
    held.every((term, index) => all.has(term) && (index === 0 || term > at(held, index - 1)))
  );
}
