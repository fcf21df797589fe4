// The lists of a simulation as rows of CSV files, under the names that the API has for them.
import type { Row } from '../../csv-answer.ts';
import { PARTS } from '../../ledger/record/event-types.ts';
import type { Simulation } from '../../recall/simulation/simulation.ts';
import { ERASED } from '../../recall/trace/impact-schema.ts';
import { cutSlices } from '@lothub/kit/in-list';
import { nextTurn } from '@lothub/kit/in-turns';
import type { CsvList } from './result-lists.ts';

/** Entries written between two turns: about a millisecond. */
const ROWS_PER_TURN = 200;
const LIST_SEPARATOR = '; ';

interface CsvFile {
  readonly columns: readonly string[];
  readonly rows: (simulation: Simulation) => Iterable<Row>;
}

const FILES: Readonly<Record<CsvList, CsvFile>> = {
  lots: {
    columns: [
      'lot_code',
      'relation',
      'distance',
      'status',
      'hold_status',
      'product_sku',
      'unit',
      ...PARTS,
      'remaining',
    ],
    rows: lotRows,
  },
  customers: {
    columns: [
      'customer_ref',
      'lots',
      'quantity',
      'unit',
      'channels',
      'first_sold_at',
      'last_sold_at',
    ],
    rows: customerRows,
  },
  shipments: {
    columns: [
      'event_id',
      'occurred_at',
      'location',
      'reference',
      'lot_code',
      'product_sku',
      'quantity',
      'unit',
    ],
    rows: ({ impact }) =>
      impact.shipments.map((one) => [
        ...[one.height, one.occurredAt, one.location, one.reference],
        ...[one.lotCode, one.productSku, one.quantity, one.unit],
      ]),
  },
  suppliers: {
    columns: ['supplier_name', 'origin_facility', 'supplier_lot_code', 'product_sku', 'lot_codes'],
    rows: ({ impact }) =>
      impact.suppliers.map((one) => [
        ...[one.supplier_name, one.origin_facility, one.supplier_lot_code, one.productSku],
        one.lotCodes.join(LIST_SEPARATOR),
      ]),
  },
};

export function buildCsv(
  list: CsvList,
  simulation: Simulation,
): {
  readonly columns: readonly string[];
  readonly pages: AsyncGenerator<readonly Row[]>;
} {
  const { columns, rows } = FILES[list];
  return { columns, pages: cutPages(rows(simulation)) };
}

async function* cutPages(rows: Iterable<Row>): AsyncGenerator<readonly Row[]> {
  for (const slice of cutSlices(rows, ROWS_PER_TURN)) {
    yield slice;
    await nextTurn();
  }
}

/** One for each SKU and unit of a lot; of a lot without quantities one. */
function* lotRows({ affectedLots }: Simulation): Generator<Row> {
  for (const lot of affectedLots) {
    const { lotCode, relation, distance, status, holdStatus, productSku, quantities } = lot;
    const before = [lotCode, relation, distance, status, holdStatus];
    if (quantities.length === 0) {
      yield [...before, productSku, null, ...PARTS.map(() => null), null];
    }
    for (const one of quantities) {
      yield [...before, one.productSku, one.unit, ...PARTS.map((part) => one[part]), one.remaining];
    }
  }
}

/** Customers, those that were erased, and behind them what was sold without a name. */
function* customerRows({ impact }: Simulation): Generator<Row> {
  const named = impact.customers.map((one) => ({ ...one, name: one.customerRef ?? ERASED }));
  const unnamed = impact.unnamedSales.map((one) => ({ ...one, name: null }));
  for (const one of [...named, ...unnamed]) {
    const { name, lots, quantity, unit, channels, firstSoldAt, lastSoldAt } = one;
    yield [name, lots, quantity, unit, channels.join(LIST_SEPARATOR), firstSoldAt, lastSoldAt];
  }
}
