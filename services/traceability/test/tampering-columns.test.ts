// Flips single bits in every stored column of the ledger: each flip is noticed, at the right height.
// The tables are those of schema 0001-ledger.sql that the chain speaks of; keys, brands and alarms
// are not on it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '@lothub/kit/clock';
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import fc from 'fast-check';
import { verifyDatabase } from '../src/ledger/verify-database.ts';
import { TIP_HEIGHT, makeSmallLedger, openTampering, verifyRound } from './tampering-ledger.ts';
import type { SmallLedger } from './tampering-ledger.ts';

const TABLES = [
  'blocks',
  'events',
  'lines',
  'lots',
  'tenants',
  'head',
  'private_lines',
  'private_notes',
  'import_keys',
] as const;
type Table = (typeof TABLES)[number];

interface Column {
  readonly table: Table;
  readonly name: string;
  readonly type: 'TEXT' | 'INTEGER';
}

/** One stored value, found by the key of its row. */
interface Cell extends Column {
  readonly where: string;
  /** Height at which a change of the row's values is bad. */
  readonly height: number;
  readonly value: string | number;
}

/** Bytes and bits to flip: counted from the start, from the end where negative. */
interface Flip {
  readonly byte: number;
  readonly bit: number;
}

const EDGES: readonly Flip[] = [
  { byte: 0, bit: 0 },
  { byte: 7, bit: 3 },
  { byte: -1, bit: 1 },
];

let ledger: SmallLedger;
let connection: SqliteConnection;
let cells: readonly Cell[];

before(async () => {
  ledger = await makeSmallLedger();
  connection = openTampering(ledger.dataDir);
  cells = TABLES.flatMap((table) => columnsOf(table).flatMap(cellsOf));
});

after(async () => {
  await connection.close();
  await ledger[Symbol.asyncDispose]();
});

test('an untouched ledger has no mismatch', async () => {
  const found = await verifyRound(connection);

  assert.deepEqual(found.mismatches, []);
});

for (const table of TABLES) {
  test(`a flip in any column of ${table} is noticed at its height`, async () => {
    const tried = new Set<string>();

    for (const cell of cells.filter((other) => other.table === table)) {
      for (const flip of EDGES) {
        const found = await verifyFlipped(cell, flip);
        if (found === 'refused') continue;
        tried.add(cell.name);
        assert.equal(found.firstBad, found.expected, describe(cell, flip, found.codes));
      }
    }

    assert.deepEqual(
      [...tried],
      columnsOf(table).map(({ name }) => name),
    );
  });
}

test('a flip of any bit of any stored value is noticed at its height', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.nat({ max: 10_000 }),
      fc.nat({ max: 7 }),
      async (cellNo, byte, bit) => {
        const cell = cells[cellNo % cells.length]!;
        const found = await verifyFlipped(cell, { byte, bit });
        if (found === 'refused') return;
        assert.equal(found.firstBad, found.expected, describe(cell, { byte, bit }, found.codes));
      },
    ),
    { numRuns: 400 },
  );
});

for (const table of TABLES) {
  test(`a full verification names the height of a flip in each column of ${table}`, async () => {
    for (const column of columnsOf(table)) {
      const cell = cells.findLast((other) => other.table === table && other.name === column.name)!;
      await using copy = await ledger.copy();
      await using tampering = openTampering(copy.dataDir);
      const flipped = flip(cell, { byte: 5, bit: 5 });
      write(tampering, cell, flipped);

      const report = await verifyDatabase({
        dataDir: copy.dataDir,
        clock: systemClock,
        tip: 'compare',
      });

      assert.equal(report.ok, false, column.name);
      assert.equal(report.firstBad, expectedHeight(cell, flipped), column.name);
    }
  });
}

for (const [column, table] of [
  ['external_id', 'events'],
  ['customer_ref', 'private_lines'],
  ['channel', 'private_lines'],
] as const) {
  test(`emptying ${column} of ${table} is noticed`, async () => {
    const cell = cells.find((other) => other.table === table && other.name === column)!;

    connection.database.exec('begin');
    connection.database.exec(`update ${table} set ${column} = null where ${cell.where}`);
    const found = await verifyRound(connection);
    connection.database.exec('rollback');

    assert.equal(found.firstBad, cell.height);
  });
}

interface Flipped {
  readonly firstBad: number | null;
  readonly expected: number;
  readonly codes: readonly string[];
}

/** Flips inside a transaction, verifies there, and undoes it. */
async function verifyFlipped(cell: Cell, position: Flip): Promise<Flipped | 'refused'> {
  const flipped = flip(cell, position);
  connection.database.exec('begin');
  try {
    if (!write(connection, cell, flipped)) return 'refused';
    const { firstBad, codes } = await verifyRound(connection);
    return { firstBad, codes, expected: expectedHeight(cell, flipped) };
  } finally {
    connection.database.exec('rollback');
  }
}

function flip(cell: Cell, { byte, bit }: Flip): Uint8Array | bigint {
  if (typeof cell.value === 'number') {
    const place = BigInt(((byte < 0 ? 8 + byte : byte) % 8) * 8 + bit);
    return BigInt.asIntN(64, BigInt(cell.value) ^ (1n << place));
  }
  const bytes = Buffer.from(cell.value);
  const at = byte < 0 ? bytes.length + byte : byte % bytes.length;
  bytes[at] = bytes[at]! ^ (1 << bit);
  return bytes;
}

/** @returns false when the flipped key is that of another row, which no storage could hold twice */
function write(on: SqliteConnection, cell: Cell, value: Uint8Array | bigint): boolean {
  const text = cell.type === 'TEXT' ? 'cast(? as text)' : '?';
  try {
    on.statement(`update ${cell.table} set ${cell.name} = ${text} where ${cell.where}`).run(value);
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('UNIQUE')) return false;
    throw error;
  }
}

/** A row that was moved is missing at its old height, or too much at its new one. */
function expectedHeight(cell: Cell, flipped: Uint8Array | bigint): number {
  if (cell.table === 'tenants' && isTooGreat(flipped)) {
    // Counters that are no numbers any more are noticed where all of them are read, at the tip.
    return COUNTED_AT_TIP.includes(cell.name) ? TIP_HEIGHT : cell.height;
  }
  if (cell.name !== 'height' || typeof flipped !== 'bigint') return cell.height;
  const moved = Number(flipped < 0n ? 0n : flipped > BigInt(TIP_HEIGHT) ? TIP_HEIGHT + 1 : flipped);
  switch (cell.table) {
    case 'events':
    case 'lines':
      return Math.min(moved, cell.height);
    case 'private_lines':
    case 'private_notes':
    case 'import_keys':
      // Without them at its own height a block is as good as before.
      return moved;
    default:
      return cell.height;
  }
}

const COUNTED_AT_TIP = ['last_height', 'events', 'transactions', 'lots'];

function isTooGreat(flipped: Uint8Array | bigint): boolean {
  return typeof flipped === 'bigint' && !Number.isSafeInteger(Number(flipped));
}

function columnsOf(table: Table): readonly Column[] {
  return connection
    .statement('select name, type from pragma_table_info(?)')
    .all(table)
    .map((row) => {
      assert.ok(row['type'] === 'TEXT' || row['type'] === 'INTEGER');
      return { table, name: String(row['name']), type: row['type'] };
    });
}

const ROW_KEYS: Readonly<Record<Table, string>> = {
  blocks: "'height = ' || height",
  events: "'height = ' || height",
  lines: "'height = ' || height || ' and line_no = ' || line_no",
  lots: "'lot_no = ' || lot_no",
  tenants: "'tenant_no = ' || tenant_no",
  head: "'id = ' || id",
  private_lines: "'height = ' || height || ' and line_no = ' || line_no",
  private_notes: "'height = ' || height",
  import_keys: "'height = ' || height",
};

function cellsOf(column: Column): readonly Cell[] {
  const { table, name } = column;
  return connection
    .statement(
      `select ${ROW_KEYS[table]} as "where", ${heightOf(column)} as height, ${name} as value ` +
        `from ${table} as r where ${name} is not null`,
    )
    .all()
    .map((row) => {
      const { value } = row;
      assert.ok(typeof value === 'string' || typeof value === 'number');
      return { ...column, where: String(row['where']), height: Number(row['height']), value };
    });
}

function heightOf({ table, name }: Column): string {
  switch (table) {
    case 'lots':
      return '(select min(l.height) from lines as l where l.lot_no = r.lot_no)';
    case 'tenants': {
      const which = ['tenant_no', 'tenant_id', 'first_height'].includes(name) ? 'min' : 'max';
      return `(select ${which}(e.height) from events as e where e.tenant_no = r.tenant_no)`;
    }
    case 'head':
      return String(TIP_HEIGHT);
    default:
      return 'height';
  }
}

function describe(cell: Cell, position: Flip, codes: readonly string[]): string {
  return `${cell.table}.${cell.name} where ${cell.where}, byte ${position.byte}, bit ${position.bit}: ${codes.join(', ')}`;
}
