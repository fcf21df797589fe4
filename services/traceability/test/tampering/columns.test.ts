// Flips single bits in every stored column of the ledger: each flip is noticed, at the right height.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chooseRounds, isLongRun } from '@lothub/kit/test/rounds';
import fc from 'fast-check';
import { TABLES_NOT_COMPARED } from '../../src/ledger/verify/not-compared.ts';
import { testEngine } from '../engine.ts';
import { makeStoredLedger, roundOver, type StoredLedger, type Tampering } from './database.ts';
import { TIP_HEIGHT, type Findings } from './ledger.ts';
import { verifyFully } from '../verified.ts';

const TABLES = [
  'blocks',
  'events',
  'lines',
  'provenances',
  'corrections',
  'decisions',
  'lot_mentions',
  'lots',
  'lot_quantities',
  'lot_texts',
  'lot_holds',
  'tenants',
  'head',
  'private_lines',
  'private_notes',
  'private_requests',
  'private_changes',
  'private_decisions',
  'import_keys',
] as const;
type Table = (typeof TABLES)[number];

/** Tables that the chain does not speak of, and why nothing can be compared with it. */
const OTHER_TABLES: Readonly<Record<string, string>> = {
  api_keys: 'compared with the audit (test/audit/tampering.test.ts)',
  suppliers: 'compared with the audit (test/audit/tampering.test.ts)',
  brands: 'compared with its blocks (profiles.test.ts)',
  products: 'compared with its blocks (profiles.test.ts)',
  places: 'compared with its blocks (profiles.test.ts)',
  pictures: 'compared with the hashes in its blocks (profiles.test.ts)',
  audit_entries: 'compared with its chain (test/audit/tampering.test.ts)',
  audit_chain: 'the chain of the audit (test/audit/tampering.test.ts)',
  audit_blocks: 'compared with blocks and chain (test/audit/tampering.test.ts)',
  recall_cases: 'compared with their blocks (recall.test.ts)',
  recall_lots: 'compared with the blocks of their cases (recall.test.ts)',
  recall_lots_by_hand: 'compared with the blocks of their cases (recall.test.ts)',
  recall_lots_named: 'compared with the blocks of their cases (recall.test.ts)',
  recall_parts: 'compared with the blocks of their cases (recall.test.ts)',
  recall_edits: 'compared with the blocks of their cases (recall.test.ts)',
  recall_moves: 'compared with the blocks of their cases (recall.test.ts)',
  private_recipients: 'compared with the blocks of their cases (recall.test.ts)',
  recall_notifications:
    'compared with the blocks of their cases (recall.test.ts, responses.test.ts)',
  recall_drills: 'compared with their blocks (drills.test.ts)',
  erased_heights: 'compared with the blocks of erasures (erasures.test.ts)',
  decision_sealing: 'one row, each change of which is noticed (decisions/existing.test.ts)',
  log_tiles: 'bytes of a longer chain (verify/tiles.test.ts)',
  ...Object.fromEntries(
    TABLES_NOT_COMPARED.flatMap(({ kind, tables }) => tables.map((table) => [table, kind])),
  ),
};
const ONLY_SQLITE = /^(?:lot_search|block_hashes)/;
const ONLY_POSTGRES = /^(?:leases|verifier_progress|rate_counts)$/;

/** Columns that nothing can be compared with. */
const OTHER_COLUMNS: Readonly<Partial<Record<Table, readonly string[]>>> = {
  // Bytes (verify/tiles.test.ts).
  head: ['frontier'],
  lot_holds: ['hold_no'],
};

interface Column {
  readonly table: Table;
  readonly name: string;
  readonly type: 'text' | 'integer';
  readonly nullable: boolean;
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

/** What a round over the network takes allows fewer flips. */
const RANDOM_FLIPS = chooseRounds({ usual: 60, long: { sqlite: 300, postgres: 60 }[testEngine] });

/** For each value one edge, turn by turn; in the long run all of them. */
function listEdges(cellNo: number): readonly Flip[] {
  return isLongRun && testEngine === 'sqlite' ? EDGES : [EDGES[cellNo % EDGES.length]!];
}

/** What a full verification compares is what a round compares: one column shows that. */
function columnsToVerify(table: Table): readonly Column[] {
  return isLongRun && testEngine === 'sqlite' ? listColumns(table) : listColumns(table).slice(-1);
}

let ledger: StoredLedger;
let tampering: Tampering;
let columns: readonly Column[];
let cells: readonly Cell[];

before(async () => {
  ledger = await makeStoredLedger();
  tampering = await ledger.tampering();
  columns = await allColumns();
  const found: Cell[] = [];
  for (const column of columns) found.push(...(await readCells(column)));
  cells = found;
});

after(async () => {
  await tampering[Symbol.asyncDispose]();
  await ledger[Symbol.asyncDispose]();
});

test('every table of the schema is tampered with here or is not on the chain', async () => {
  const rows = await tampering.all(
    testEngine === 'sqlite'
      ? "select name from sqlite_schema where type = 'table' and name not like 'sqlite%'"
      : 'select table_name as name from information_schema.tables where table_schema = current_schema()',
  );

  const elsewhere = testEngine === 'sqlite' ? ONLY_POSTGRES : ONLY_SQLITE;
  const others = Object.keys(OTHER_TABLES).filter((table) => !elsewhere.test(table));
  const tables = rows.map((row) => String(row['name']));
  assert.deepEqual(tables.toSorted(), [...TABLES, ...others].toSorted());
});

test('an untouched ledger has no mismatch', async () => {
  const found = await roundOver(tampering);

  assert.deepEqual(found.mismatches, []);
});

for (const table of TABLES) {
  test(`a flip in any column of ${table} is noticed at its height`, async () => {
    const tried = new Set<string>();

    for (const [cellNo, cell] of cells.filter((other) => other.table === table).entries()) {
      for (const flip of listEdges(cellNo)) {
        const found = await verifyFlipped(cell, flip);
        if (found === 'refused') continue;
        tried.add(cell.name);
        assert.equal(found.firstBad, found.expected, describe(cell, flip, found.codes));
      }
    }

    assert.deepEqual(
      [...tried],
      listColumns(table).map(({ name }) => name),
      'a column that is missing has no value in any row of ledger.ts',
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
    { numRuns: RANDOM_FLIPS },
  );
});

for (const table of TABLES) {
  test(`a full verification names the height of a flip in a column of ${table}`, async () => {
    for (const column of columnsToVerify(table)) {
      const cell = cells.findLast((other) => other.table === table && other.name === column.name)!;
      await using copy = await ledger.copy();
      const flipped = flip(cell, { byte: 5, bit: 5 });
      {
        await using behind = await copy.tampering();
        await write(behind, cell, flipped);
      }

      const report = await verifyFully(copy);

      assert.equal(report.ok, false, column.name);
      assert.equal(report.firstBad, await expectedHeight(cell, flipped), column.name);
    }
  });
}

for (const table of TABLES) {
  test(`emptying a value of ${table} that may be absent is noticed at its height`, async () => {
    for (const cell of cells.filter((other) => other.table === table && other.nullable)) {
      const found = await verifyWritten(cell, null);

      const expected = await heightWithout(cell);
      assert.equal(found.firstBad, expected, describe(cell, 'emptied', found.codes));
    }
  });

  test(`a value in ${table} where there is none is noticed at its height`, async () => {
    for (const column of listColumns(table).filter(({ nullable }) => nullable)) {
      for (const cell of await readCells(column, 'absent')) {
        const found = await verifyWritten(cell, column.type === 'text' ? '1' : 1);

        // The height of a block that tells nothing of the row comes before its own.
        const expected = column.name === 'released_height' ? 1 : cell.height;
        assert.equal(found.firstBad, expected, describe(cell, 'filled', found.codes));
      }
    }
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
  const expected = await expectedHeight(cell, flipped);
  return await tampering.undone(async () => {
    if ((await write(tampering, cell, flipped)) === 'refused') return 'refused';
    const { firstBad, codes } = await roundOver(tampering);
    return { firstBad, codes, expected };
  });
}

function verifyWritten(cell: Cell, value: string | number | null): Promise<Findings> {
  return tampering.undone(async () => {
    await tampering.run(`update ${cell.table} set ${cell.name} = ? where ${cell.where}`, value);
    return await roundOver(tampering);
  });
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

/** @returns `refused` when no storage could hold it, such as a key that another row has */
function write(on: Tampering, cell: Cell, value: Uint8Array | bigint): Promise<'done' | 'refused'> {
  return on.run(`update ${cell.table} set ${cell.name} = ? where ${cell.where}`, value);
}

/** A row that was moved is missing at its old height, or too much at its new one. */
async function expectedHeight(cell: Cell, flipped: Uint8Array | bigint): Promise<number> {
  if (isTooGreat(flipped)) {
    // What is no number any more is noticed where it is read: of sums that is at the tip.
    if (READ_AT_TIP[cell.table]?.includes(cell.name) === true) return TIP_HEIGHT;
    if (cell.table === 'lots' && cell.name === 'first_height') return await firstPointing(cell);
    if (cell.table === 'corrections' && cell.name === 'height') return await readTarget(cell);
    if (cell.name === 'released_height') return await heightWithout(cell);
  }
  if (typeof flipped !== 'bigint') return cell.height;
  const moved = Number(flipped < 0n ? 0n : flipped > BigInt(TIP_HEIGHT) ? TIP_HEIGHT + 1 : flipped);
  switch (`${cell.table}.${cell.name}`) {
    case 'events.height':
    case 'lines.height':
    case 'provenances.height':
    case 'lot_mentions.height':
    case 'decisions.height':
      return Math.min(moved, cell.height);
    case 'lot_holds.held_height':
    case 'lot_holds.released_height':
      return Math.min(flipped < 0n ? Infinity : moved, cell.height);
    case 'corrections.height':
      // What it corrects has one correction too few, unless its block is one that is nowhere.
      return flipped < 0n || flipped > BigInt(TIP_HEIGHT)
        ? Math.min(moved, cell.height)
        : Math.min(moved, await readTarget(cell));
    case 'corrections.corrects_height':
      return await readTarget(cell);
    case 'private_lines.height':
    case 'private_notes.height':
    case 'private_requests.height':
    case 'private_changes.height':
    case 'private_decisions.height':
      return Math.min(moved, cell.height);
    case 'import_keys.height':
      // Without it at its own height a block is as good as before.
      return moved;
    case 'lot_quantities.lot_no':
      return Math.min(cell.height, (await heightOfLot(flipped)) ?? Infinity);
    default:
      return cell.height;
  }
}

const READ_AT_TIP: Readonly<Partial<Record<Table, readonly string[]>>> = {
  tenants: ['last_height', 'events', 'corrections', 'transactions', 'lots'],
  lots: ['on_hold', 'recalled', 'stocked', 'over_issued'],
  lot_quantities: ['removed_height'],
};

function isTooGreat(flipped: Uint8Array | bigint): boolean {
  return typeof flipped === 'bigint' && !Number.isSafeInteger(Number(flipped));
}

/** A release that no block has is noticed where the lot was held. */
async function heightWithout(cell: Cell): Promise<number> {
  if (cell.name !== 'released_height') return cell.height;
  return await oneNumber(`select held_height as found from lot_holds where ${cell.where}`);
}

function readTarget(cell: Cell): Promise<number> {
  return oneNumber(`select corrects_height as found from corrections where ${cell.where}`);
}

function firstPointing(cell: Cell): Promise<number> {
  return oneNumber(`select ${FIRST_POINTING} as found from lots as r where ${cell.where}`);
}

/** Height at which what a lot adds up to is bad; undefined without the lot. */
async function heightOfLot(lotNo: bigint): Promise<number | undefined> {
  const [row] = await tampering.all(
    `select ${LAST_COUNTING} as height from lots as r where lot_no = ?`,
    lotNo,
  );
  return row === undefined ? undefined : Number(row['height']);
}

async function oneNumber(query: string): Promise<number> {
  const [row] = await tampering.all(query);
  return Number(row?.['found']);
}

function listColumns(table: Table): readonly Column[] {
  return columns.filter((column) => column.table === table);
}

const COLUMNS = {
  sqlite: `
    select c.name, lower(c.type) as type, c."notnull" or c.pk > 0 as required
    from pragma_table_info(?) as c
    order by c.cid`,
  postgres: `
    select column_name as name, replace(data_type, 'bigint', 'integer') as type,
      is_nullable = 'NO' as required
    from information_schema.columns
    where table_schema = current_schema() and table_name = ?
    order by ordinal_position`,
};

/** All columns but those that nothing can be compared with. */
async function allColumns(): Promise<readonly Column[]> {
  const found: Column[] = [];
  for (const table of TABLES) {
    for (const row of await tampering.all(COLUMNS[testEngine], table)) {
      const { type } = row;
      const name = String(row['name']);
      if (OTHER_COLUMNS[table]?.includes(name) === true) continue;
      assert.ok(type === 'text' || type === 'integer');
      found.push({ table, name, type, nullable: row['required'] === 0 });
    }
  }
  return found;
}

const LINE_KEY = "'height = ' || height || ' and line_no = ' || line_no";

const ROW_KEYS: Readonly<Record<Table, string>> = {
  blocks: "'height = ' || height",
  events: "'height = ' || height",
  lines: LINE_KEY,
  provenances: LINE_KEY,
  corrections: "'height = ' || height",
  decisions: "'height = ' || height",
  lot_mentions: "'height = ' || height || ' and lot_no = ' || lot_no",
  lots: "'lot_no = ' || lot_no",
  lot_quantities:
    "'lot_no = ' || lot_no || ' and product_sku = ''' || product_sku || ''' and unit = ''' || " +
    "unit || ''''",
  lot_texts: "'tenant_no = ' || tenant_no || ' and lot_no = ' || lot_no",
  lot_holds: "'hold_no = ' || hold_no",
  tenants: "'tenant_no = ' || tenant_no",
  head: "'id = ' || id",
  private_lines: LINE_KEY,
  private_notes: "'height = ' || height",
  private_requests: "'height = ' || height",
  private_changes: "'height = ' || height || ' and change_no = ' || change_no",
  private_decisions: "'height = ' || height || ' and name = ''' || name || ''''",
  import_keys: "'height = ' || height",
};

async function readCells(
  column: Column,
  which: 'present' | 'absent' = 'present',
): Promise<readonly Cell[]> {
  const { table, name, type } = column;
  const isNull = which === 'absent' ? 'is null' : 'is not null';
  const rows = await tampering.all(
    `select ${ROW_KEYS[table]} as "where", ${chooseHeight(column)} as height, ` +
      `coalesce(${name}, ${type === 'text' ? "''" : '0'}) as value from ${table} as r ` +
      `where ${name} ${isNull} ${SEEN[table] ?? ''}`,
  );
  return rows.map((row) => {
    const { value } = row;
    assert.ok(typeof value === 'string' || typeof value === 'number');
    return { ...column, where: String(row['where']), height: Number(row['height']), value };
  });
}

/** Rows that are left out: those of cases (recall.test.ts). */
const SEEN: Readonly<Partial<Record<Table, string>>> = {
  blocks: "and height not in (select d.height from decisions d where d.type = 'recall')",
  lot_holds: 'and held_height is not null',
  decisions: "and type = 'hold'",
  private_decisions: "and height in (select d.height from decisions d where d.type = 'hold')",
};

/** The first block at which a row points at the lot. */
const FIRST_POINTING = `(
  select min(p.height)
  from (select height, lot_no from lines union select height, lot_no from lot_mentions) as p
  where p.lot_no = r.lot_no)`;

/** The last block of which a line counts for the lot of a row, or the one that named it first. */
const lastCounting = (row: string): string => `coalesce(
  (select max(l.height) from lines as l join events as e on e.height = l.height
   where l.lot_no = ${row}.lot_no and e.voided = 0),
  (select o.first_height from lots as o where o.lot_no = ${row}.lot_no))`;
const LAST_COUNTING = lastCounting('r');

function chooseHeight({ table, name }: Column): string {
  switch (table) {
    case 'lots':
      if (['lot_no', 'tenant_no', 'lot_code'].includes(name)) return FIRST_POINTING;
      return name.startsWith('first') ? 'first_height' : LAST_COUNTING;
    case 'lot_quantities':
    case 'lot_texts':
      return LAST_COUNTING;
    case 'lot_holds':
      return name.startsWith('released')
        ? 'coalesce(r.released_height, r.held_height)'
        : 'r.held_height';
    case 'tenants':
      return ['tenant_no', 'tenant_id', 'first_height'].includes(name)
        ? '(select min(e.height) from events as e where e.tenant_no = r.tenant_no)'
        : 'last_height';
    case 'head':
      return String(TIP_HEIGHT);
    default:
      return 'height';
  }
}

function describe(cell: Cell, how: Flip | 'emptied' | 'filled', codes: readonly string[]): string {
  const what = typeof how === 'string' ? how : `byte ${how.byte}, bit ${how.bit}`;
  return `${cell.table}.${cell.name} where ${cell.where}, ${what}: ${codes.join(', ')}`;
}
