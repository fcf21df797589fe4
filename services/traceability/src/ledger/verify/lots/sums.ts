// One lot against what its lines add up to: quantities, status, SKU, and the text it is found by.
// Pure: rows in, findings out.
import { lotText, searchable } from '../../record/lot-text.ts';
import { LotTally, accountKey } from '../../record/quantities.ts';
import { PARTS, isEventType } from '../../record/event-types.ts';
import type { Account } from '../../record/quantities.ts';
import type { LotRow, MovementRow, QuantityRow } from './queries.ts';
import type { Findings } from '../mismatch.ts';
import { differingNames } from '../totals.ts';

const QUANTITY = /^\d+(?:\.\d+)?$/;
/** What two texts of one lot may differ by in length when both hold as much as fits. */
const LONGEST_TERM = 600;

/** Adds up the lines of one lot, in the order of blocks and lines. */
export class LotSums {
  readonly #tally = new LotTally();
  readonly #suppliers = new Set<string>();
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
    return this.#suppliers;
  }

  add(row: MovementRow, findings: Findings): void {
    this.#lastHeight = row.height;
    if (row.supplier_name !== null) this.#suppliers.add(row.supplier_name);
    if (row.supplier_lot_code !== null) this.#suppliers.add(row.supplier_lot_code);
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
    });
  }
}

/**
 * Compares a lot with its sums. What differs is bad from the last block on that moved the lot.
 *
 * @param quantities all rows of the lot
 */
export function compareLot(
  lot: LotRow,
  of: {
    readonly sums: LotSums;
    readonly quantities: readonly QuantityRow[];
    readonly findings: Findings;
  },
): void {
  const { sums, findings } = of;
  const height = sums.lastHeight ?? Math.max(0, lot.first_height);
  const { accounts } = sums.tally;
  compareQuantities(accounts, { quantities: of.quantities, height, findings });
  const productSku = accounts[0]?.productSku ?? lot.first_sku;
  const { status, stocked, overIssued } = sums.tally.standing;
  if (
    lot.product_sku !== productSku ||
    lot.status !== status ||
    lot.stocked !== stocked ||
    lot.over_issued !== overIssued ||
    lot.on_hold !== lot.held ||
    lot.recalled !== lot.covered
  ) {
    const differing = differingNames({
      product_sku: lot.product_sku === productSku,
      status: lot.status === status,
      stocked: lot.stocked === stocked,
      over_issued: lot.over_issued === overIssued,
      on_hold: lot.on_hold === lot.held,
      recalled: lot.recalled === lot.covered,
    });
    const message = `a lot of block ${height} is not what its lines add up to: ${differing}`;
    findings.add({ height, code: 'lot_row_differs', message });
  }
  if (lot.text === null) {
    const message = `the text that a lot of block ${height} is found by is gone`;
    findings.add({ height, code: 'text_row_missing', message });
    return;
  }
  const skus = accounts.map((account) => account.productSku);
  if (!isTextOf(lot.text, lot.lot_code, [productSku, ...skus, ...sums.suppliers])) {
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
  const rows = new Map(
    stored.quantities.map((row) => [accountKey(row.product_sku, row.unit), row]),
  );
  for (const account of accounts) {
    const key = accountKey(account.productSku, account.unit);
    const row = rows.get(key);
    if (row === undefined) {
      const message = `the row of a quantity ${place} is gone`;
      findings.add({ height, code: 'quantity_row_missing', message });
      continue;
    }
    rows.delete(key);
    const differing = QUANTITY_COLUMNS.filter((name) => row[name] !== valueOf(account, name));
    if (differing.length === 0) continue;
    const message = `the row of a quantity ${place} differs: ${differing.join(', ')}`;
    findings.add({ height, code: 'quantity_row_differs', message });
  }
  for (let extra = rows.size; extra > 0; extra -= 1) {
    const message = `there is a quantity ${place} that no line counts for`;
    findings.add({ height, code: 'quantity_row_extra', message });
  }
}

const QUANTITY_COLUMNS = [...PARTS, 'removed_at', 'removed_height', 'removed_part'] as const;

function valueOf(
  { sums, removal }: Account,
  column: (typeof QUANTITY_COLUMNS)[number],
): string | number | null {
  switch (column) {
    case 'removed_at':
      return removal?.moment ?? null;
    case 'removed_height':
      return removal?.height ?? null;
    case 'removed_part':
      return removal?.part ?? null;
    default:
      return sums[column]?.toFixed() ?? null;
  }
}

/**
 * Whether a lot is found by these terms. Which ones a text holds that not all fit into depends on
 * the order in which they came: of such a text each term must be one of the lot's.
 */
function isTextOf(text: string, lotCode: string, terms: readonly string[]): boolean {
  const expected = lotText(lotCode, terms);
  if (text === expected) return true;
  const all = new Set(terms.map(searchable));
  all.delete(searchable(lotCode));
  const isCut = expected.split('\n').length - 1 < all.size;
  const [code, ...held] = text.split('\n');
  return (
    isCut &&
    code === searchable(lotCode) &&
    text.length > expected.length - LONGEST_TERM &&
    held.every((term, index) => all.has(term) && (index === 0 || term > (held[index - 1] ?? '')))
  );
}
