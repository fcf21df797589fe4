// Each column of each table of the schema: one changed value, each deleted row and one added row are noticed,
// unless the column is one of the few that are not compared, which the page for operators lists.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { chooseRounds, isLongRun, testInLongRun } from '@lothub/kit/test/rounds';
import { COLUMNS_NOT_COMPARED, TABLES_NOT_COMPARED } from '../../src/ledger/verify/not-compared.ts';
import type { Booted } from '../boot.ts';
import { testEngine } from '../engine.ts';
import { openTamperingWith, roundOver, type Tampering } from './database.ts';
import {
  RICH_RANGES,
  RICH_SLICES,
  comparedColumns,
  isRow,
  listKeyColumns,
  literal,
  makeRichHub,
} from './rich-hub.ts';
import type { Column } from './rich-hub.ts';
import { verifyFully } from '../verified.ts';

const NOT_COMPARED_MAX = 5;

type Value = string | number | null | Uint8Array;
type Row = Readonly<Record<string, Value>>;

let hub: Booted;
let tampering: Tampering;
let columns: readonly Column[];

before(async () => {
  hub = await makeRichHub();
  tampering = await openTamperingWith(hub.database);
  columns = await comparedColumns(tampering);
});
after(async () => {
  await tampering[Symbol.asyncDispose]();
  await hub[Symbol.asyncDispose]();
});

function tables(): readonly string[] {
  return [...new Set(columns.map(({ table }) => table))];
}

async function readRows(table: string): Promise<readonly Row[]> {
  const rows = await tampering.all(
    `select * from ${table} order by ${listKeyColumns(table).join(', ')}`,
  );
  return rows.map((row) => ({ ...row }) as Row);
}

/** One column in so many: columns.test.ts has those of events. */
const EVERY = chooseRounds({ usual: 3, long: 1 });

/** The last row; in the long run the first one, too. */
function pickSome(rows: readonly Row[]): readonly Row[] {
  const last = rows.slice(-1);
  return isLongRun && testEngine === 'sqlite' && rows.length > 1 ? [rows[0]!, ...last] : last;
}

const keyIn = (table: string, row: Row) =>
  isRow(
    Object.fromEntries(listKeyColumns(table).map((name) => [name, row[name] as string | number])),
  );

/** What rounds find after statements, each played once. */
const known = new Map<string, readonly string[]>();

async function codesAfter(statement: string): Promise<readonly string[]> {
  const codes =
    known.get(statement) ??
    (await tampering.undone(async () => {
      assert.equal(await tampering.run(statement.replaceAll('?', '\u00bf')), 'done', statement);
      return (await roundOver(tampering, RICH_SLICES)).codes;
    }));
  known.set(statement, codes);
  return codes;
}

function changed({ kind }: Pick<Column, 'kind'>, value: Value): Value {
  if (kind === 'integer') return Number(value ?? 0) + 777_777;
  if (kind === 'bytes') return Uint8Array.from([...(value as Uint8Array), 1]);
  return `${String(value ?? '')}x`;
}

test('the list of what is not compared is short, and the page for operators has the same', async () => {
  const page = await readFile(new URL('../../../../docs/operating.md', import.meta.url), 'utf8');
  const [, chapter = ''] = page.split('### What is not compared\n');
  const rows = [
    ...chapter
      .split(/^## /m)[0]!
      .matchAll(/^\| ((?:`?[\w., `]+?)) +\| (.+?) +\|(?: (.+?) +\|)?$/gm),
  ]
    .map(([, first, second, third]) => [first!, second!, third])
    .filter(([first]) => first !== 'column' && first !== 'tables that are');

  assert.ok(Object.keys(COLUMNS_NOT_COMPARED).length <= NOT_COMPARED_MAX);
  assert.deepEqual(rows, [
    ...Object.entries(COLUMNS_NOT_COMPARED).map(([name, why]) => [`\`${name}\``, why, undefined]),
    ...TABLES_NOT_COMPARED.map(({ kind, because, tables: apart }) => [
      kind,
      because,
      apart.map((table) => `\`${table}\``).join(', '),
    ]),
  ]);
});

test('what is not compared is there, on one engine at least', async () => {
  const schema = await tampering.all(
    testEngine === 'sqlite'
      ? "select name from sqlite_schema where type = 'table'"
      : 'select table_name as name from information_schema.tables where table_schema = current_schema()',
  );
  const there = new Set(schema.map(({ name }) => String(name)));
  const ofOne = /^(?:lot_search|block_hashes|leases$|verifier_progress$|rate_counts$)/;
  const apart = TABLES_NOT_COMPARED.flatMap((group) => group.tables);
  const named = [...apart, ...Object.keys(COLUMNS_NOT_COMPARED).map((name) => name.split('.')[0]!)];

  assert.equal(new Set(apart).size, apart.length, 'a table is in two groups');
  assert.deepEqual(
    named.filter((name) => !there.has(name) && !ofOne.test(name)),
    [],
  );
});

test('nothing is found in what nobody changed', async () => {
  assert.deepEqual((await roundOver(tampering, RICH_SLICES)).mismatches, []);
});

test('a changed value in any column of any table is noticed', async () => {
  const unseen: string[] = [];
  for (const column of columns.filter((_column, place) => place % EVERY === 0)) {
    const { table, name } = column;
    const rows = await readRows(table);
    assert.ok(rows.length > 0, `${table} has no row`);
    for (const row of pickSome(rows)) {
      const value = literal(changed(column, row[name]!));
      const codes = await codesAfter(
        `update ${table} set ${name} = ${value} where ${keyIn(table, row)}`,
      );
      if (codes.length === 0) unseen.push(`${table}.${name} where ${keyIn(table, row)}`);
    }
  }
  assert.deepEqual(unseen, []);
});

test('a deleted row of any table is noticed', async () => {
  const unseen: string[] = [];
  const erased = new Set((await readRows('erased_heights')).map(({ height }) => height));
  for (const table of tables().filter((one) => one !== 'import_keys')) {
    // Nobody can find out which values of a block were erased.
    const isPrivate = table.startsWith('private_');
    const rows = (await readRows(table)).filter(
      ({ height }) => !isPrivate || height === undefined || !erased.has(height),
    );
    // The newest tile may not be made yet (verify/tiles.test.ts).
    for (const row of table === 'log_tiles' ? [] : pickSome(rows)) {
      const codes = await codesAfter(`delete from ${table} where ${keyIn(table, row)}`);
      if (codes.length === 0) unseen.push(`${table} without ${keyIn(table, row)}`);
    }
  }
  assert.deepEqual(unseen, []);
});

test('an added row of any table is noticed', async () => {
  const unseen: string[] = [];
  for (const table of tables()) {
    const added = addedRow(table, (await readRows(table)).at(-1)!);
    const values = Object.values(added).map(literal).join(', ');
    const codes = await codesAfter(
      `insert into ${table} (${Object.keys(added).join(', ')}) values (${values})`,
    );
    if (codes.length === 0) unseen.push(`${table}: ${values}`.slice(0, 300));
  }
  assert.deepEqual(unseen, []);
});

/** A row beside one that is there: with another key, and otherwise the same. */
function addedRow(table: string, row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const column = columns.find((one) => one.table === table && one.name === name);
      const isKey = listKeyColumns(table).includes(name);
      // At the end of the audit an entry is chained like any other, and is there for everybody to see.
      if (table === 'audit_entries' && name === 'id') return [name, -7];
      const isOther = isKey || UNIQUE.has(`${table}.${name}`);
      return [name, isOther ? changed({ kind: column?.kind ?? 'integer' }, value) : value];
    }),
  );
}

/** Unique beside the keys. */
const UNIQUE: ReadonlySet<string> = new Set([
  'api_keys.key_hash',
  'audit_chain.entry_id',
  'blocks.hash',
  'events.external_id',
  'corrections.external_id',
  'import_keys.group_key',
  'lot_holds.source',
  'lots.lot_code',
  'recall_cases.case_no',
  'recall_notifications.recipient',
  'tenants.tenant_id',
]);

test('a hold that lists would leave out by its number is noticed', async () => {
  const holds = await tampering.all(
    'select source, max(hold_no) as hold_no from lot_holds group by source',
  );
  assert.ok(holds.length > 1, 'holds by hand and of a case');

  const unseen: unknown[] = [];
  for (const { source, hold_no: holdNo } of holds) {
    const codes = await codesAfter(
      `update lot_holds set hold_no = -hold_no where hold_no = ${Number(holdNo)}`,
    );
    if (codes.length === 0) unseen.push(source);
  }

  assert.deepEqual(unseen, []);
});

/** A change of the database for good, and what takes it back. */
interface Change {
  readonly table: string;
  readonly make: string;
  readonly undo: string;
}

async function verifyChanged(changes: readonly Change[]): Promise<readonly string[]> {
  const { dataDir, databaseUrl } = hub.database;
  for (const { make } of changes) await tampering.exec(make);
  const { mismatches } = await verifyFully({ dataDir, databaseUrl }, RICH_RANGES);
  for (const { undo } of changes.toReversed()) await tampering.exec(undo);
  return mismatches.map(({ code }) => code);
}

/** A change with the codes that rounds find after it. */
interface FoundChange extends Change {
  readonly codes: ReadonlySet<string>;
}

/** Codes of a change that no other one of its batch has. */
function listOwnCodes(one: FoundChange, batch: readonly FoundChange[]): ReadonlySet<string> {
  const others = batch.filter((other) => other !== one);
  return others.reduce((own, { codes }) => own.difference(codes), new Set(one.codes));
}

function canBeMadeTogether(batch: readonly FoundChange[]): boolean {
  const isOneOfEach = new Set(batch.map(({ table }) => table)).size === batch.length;
  return isOneOfEach && batch.every((one) => listOwnCodes(one, batch).size > 0);
}

/**
 * Returns the changes that a full verification does not notice. Those that are distinguished by their codes are made
 * together; one whose own codes are missing then, because another hides it, is made alone.
 */
async function findUnnoticed(changes: readonly Change[]): Promise<readonly string[]> {
  const batches: FoundChange[][] = [];
  for (const change of changes) {
    const one: FoundChange = { ...change, codes: new Set(await codesAfter(change.make)) };
    const batch = batches.find((others) => canBeMadeTogether([...others, one]));
    if (batch === undefined) batches.push([one]);
    else batch.push(one);
  }
  const unnoticed: string[] = [];
  for (const batch of batches) {
    const found = new Set(await verifyChanged(batch));
    for (const change of batch) {
      if (!found.isDisjointFrom(listOwnCodes(change, batch))) continue;
      if ((await verifyChanged([change])).length === 0) unnoticed.push(change.make);
    }
  }
  return unnoticed;
}

testInLongRun('a full verification notices a deleted and an added row of each table', async () => {
  const changes: Change[] = [];
  for (const table of tables().filter((one) => !REFERRED.has(one))) {
    const row = (await readRows(table)).at(-1)!;
    const insert = (one: Row) =>
      `insert into ${table} (${Object.keys(one).join(', ')}) values (${Object.values(one).map(literal).join(', ')})`;
    const remove = (one: Row) => `delete from ${table} where ${keyIn(table, one)}`;
    if (!UNNOTICED_GONE.has(table)) {
      changes.push({ table, make: remove(row), undo: insert(row) });
    }
    const added = addedRow(table, row);
    changes.push({ table, make: insert(added), undo: remove(added) });
  }

  assert.deepEqual(await findUnnoticed(changes), []);
});

/** Others refer to their rows, or are deleted with them: a round over what is undone afterwards has them. */
const REFERRED: ReadonlySet<string> = new Set(['blocks', 'tenants', 'events', 'lots', 'head']);
/** Of an event of a file nobody misses the key, and the newest tile may not be made yet. */
const UNNOTICED_GONE: ReadonlySet<string> = new Set(['import_keys', 'log_tiles']);

test('a full verification notices a changed value of each table', async () => {
  const changes: Change[] = [];
  for (const table of tables()) {
    const column = columns.findLast((one) => one.table === table)!;
    const row = (await readRows(table)).at(-1)!;
    const now = { ...row, [column.name]: changed(column, row[column.name]!) };
    const update = (from: Row, to: Row) =>
      `update ${table} set ${column.name} = ${literal(to[column.name]!)} where ${keyIn(table, from)}`;
    changes.push({ table, make: update(row, now), undo: update(now, row) });
  }

  assert.deepEqual(await findUnnoticed(changes), []);
});
