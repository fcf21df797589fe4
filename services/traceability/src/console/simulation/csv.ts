// The lists of a simulation as rows of CSV files, with the names of the API.
import type { Row } from '../../csv-answer.ts';
import { PARTS } from '../../ledger/record/event-types.ts';
import type { Simulation } from '../../recall/simulation/simulation.ts';
import { ERASED } from '../../recall/trace/impact-schema.ts';
import { cutSlices } from '@lothub/kit/in-list';
import { nextTurn } from '@lothub/kit/in-turns';
import type { CsvList } from './result-lists.ts';

/** Entries written before other requests get their turn: about a millisecond. */
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

/** Yields a row for each SKU and unit of a lot; one row for a lot without quantities. */
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

/** Yields rows of customers, then of erased ones, then of sales without a name. */
function* customerRows({ impact }: Simulation): Generator<Row> {
  const named = impact.customers.map((one) => ({ ...one, name: one.customerRef ?? ERASED }));
  const unnamed = impact.unnamedSales.map((one) => ({ ...one, name: null }));
  for (const one of [...named, ...unnamed]) {
    const { name, lots, quantity, unit, channels, firstSoldAt, lastSoldAt } = one;
    yield [name, lots, quantity, unit, channels.join(LIST_SEPARATOR), firstSoldAt, lastSoldAt];
  }
}
