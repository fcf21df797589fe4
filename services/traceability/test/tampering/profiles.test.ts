// What consumers read about brands, products and places, changed behind the service's back: each value, row and
// picture that is changed, deleted or added is noticed by a round of the background verifier and by a full
// verification, and a rebuild makes the same rows.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { BRANDS, PICTURES, PLACES, PRODUCTS } from '../../src/ledger/tables/brands.ts';
import { boot } from '../boot.ts';
import { jpeg, png, pngSaying } from '../brand/pictures.ts';
import { PLACE, PRODUCT, TestBrand } from '../brand/test-brand.ts';
import { rebuildRows, verifyFully } from '../verified.ts';

/** A good picture that no product has. */
const STRAY = pngSaying('stray');

type Value = string | number | null | Uint8Array;
type Row = Readonly<Record<string, Value>>;

/** A table with what findings about its rows are called. */
interface ProfileTable {
  readonly name: string;
  readonly key: readonly string[];
  readonly names: readonly string[];
  readonly columns: Readonly<Record<string, { readonly isNullable: boolean }>>;
  readonly codes: RegExp;
}

const PROFILES: readonly ProfileTable[] = [
  { ...BRANDS, codes: /^brand_row_/ },
  { ...PRODUCTS, codes: /^(?:product_row_|picture_)/ },
  { ...PLACES, codes: /^place_row_/ },
  { ...PICTURES, codes: /^picture_/ },
];

let one: TestBrand;
const hub = await openForFile(boot());
before(async () => {
  [one] = [new TestBrand(hub)];
  const other = new TestBrand(hub);
  for (const brand of [one, other]) {
    await brand.patch('/v1/brand', { name: 'Mill', website: 'https://mill.example' });
    await brand.patch('/v1/brand', { recall_contact: 'recall@mill.example' });
    for (const sku of ['RYE', 'OAT', 'GONE']) await brand.put(`/v1/products/${sku}`, PRODUCT);
    await brand.picture('RYE', png());
    await brand.put('/v1/products/OAT', { names: { en: 'Oats' } });
    await brand.remove('/v1/products/GONE');
    for (const location of ['A', 'B', 'GONE']) await brand.put(`/v1/places/${location}`, PLACE);
    await brand.put('/v1/places/B', { name: 'Hall 3' });
    await brand.remove('/v1/places/GONE');
  }
  await one.picture('OAT', pngSaying('oats'));
});

async function readRows({ name, key, names }: ProfileTable): Promise<readonly Row[]> {
  const rows = await hub.database.rows(
    `select ${names.join(', ')} from ${name} order by ${key.join(', ')}`,
  );
  return rows.map((row) => ({ ...row }) as Row);
}

async function insert({ name, names }: ProfileTable, row: Row): Promise<void> {
  await hub.database.change(
    `insert into ${name} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
    ...names.map((column) => row[column]!),
  );
}

async function remove({ name, key }: ProfileTable, row: Row): Promise<void> {
  const where = key.map((column) => `${column} = ?`).join(' and ');
  const deleted = await hub.database.change(
    `delete from ${name} where ${where}`,
    ...key.map((column) => row[column]!),
  );
  assert.equal(deleted, 1);
}

/** A full verification notices what was tampered with; then `restore` makes all good again. */
async function assertFound(
  table: ProfileTable,
  what: string,
  restore: () => Promise<void>,
): Promise<void> {
  const report = await verifyFully(hub.database);
  await restore();

  assert.equal(report.ok, false, what);
  const codes = report.mismatches.map(({ code }) => code);
  const isNamed = codes.some((code) => table.codes.test(code));
  assert.ok(isNamed, `${what}: ${codes.join(', ')}`);
}

/** A round of the background verifier notices it. */
async function assertNoticed(what: string, restore: () => Promise<void>): Promise<void> {
  const { state, verifier } = hub.service;
  await verifier.nextRound();
  const wasValid = state.valid;
  await restore();

  assert.equal(wasValid, false, what);
  // A round that began before may still report it.
  await verifier.nextRound();
  for (let tries = 0; tries < 10 && !state.valid; tries += 1) {
    assert.deepEqual((await verifyFully(hub.database)).mismatches, [], what);
    await state.refresh();
  }
  assert.equal(state.valid, true, what);
}

function listChanges(column: string, value: Value): readonly Value[] {
  if (value instanceof Uint8Array) return [jpeg(), Buffer.concat([value, Buffer.alloc(1)])];
  if (typeof value === 'number') return [value + 1, -5, 5_000];
  if (value === null) return ['x'];
  return column === 'names' ? ['{}'] : [`${value}x`];
}

test('what nobody has changed has no finding', async () => {
  assert.deepEqual((await verifyFully(hub.database)).mismatches, []);
  for (const table of PROFILES) assert.ok((await readRows(table)).length >= 2, table.name);
});

for (const table of PROFILES) {
  test(`a value of ${table.name} that is changed is noticed`, async () => {
    const [row] = await readRows(table);
    for (const column of table.names) {
      for (const value of listChanges(column, row![column]!)) {
        const changed = { ...row, [column]: value };
        await remove(table, row!);
        await insert(table, changed);
        await assertFound(table, `${column} ${typeof value}`, async () => {
          await remove(table, changed);
          await insert(table, row!);
        });
      }
    }
  });

  test(`a value of ${table.name} that is emptied is noticed`, async () => {
    for (const row of (await readRows(table)).slice(0, 2)) {
      for (const column of table.names) {
        if (table.columns[column]?.isNullable !== true || row[column] === null) continue;
        const emptied = { ...row, [column]: null };
        await remove(table, row);
        await insert(table, emptied);
        await assertFound(table, `${column} emptied`, async () => {
          await remove(table, emptied);
          await insert(table, row);
        });
      }
    }
  });

  test(`a row of ${table.name} that is deleted is noticed`, async () => {
    for (const row of (await readRows(table)).slice(0, 2)) {
      await remove(table, row);
      await assertFound(table, 'a deleted row', () => insert(table, row));
    }
  });

  test(`a row that is added to ${table.name} is noticed`, async () => {
    const [row] = await readRows(table);
    const added =
      table.name === 'pictures'
        ? { sha256: sha256Bytes(STRAY).toHex(), bytes: STRAY }
        : { ...row, [table.key.at(-1)!]: 'added' };
    await insert(table, added);
    await assertFound(table, 'an added row', () => remove(table, added));
  });
}

for (const table of PROFILES) {
  test(`a round of the background verifier notices rows of ${table.name}, too`, async () => {
    const [row] = await readRows(table);
    const column = table.names.at(-1)!;
    const changed = { ...row!, [column]: listChanges(column, row![column]!)[0]! };
    await remove(table, row!);
    await assertNoticed('a deleted row', () => insert(table, row!));
    await remove(table, row!);
    await insert(table, changed);
    await assertNoticed('a changed row', async () => {
      await remove(table, changed);
      await insert(table, row!);
    });
  });
}

test('a row that a later block has taken away does not come back unnoticed', async () => {
  const heights = await hub.database.rows(
    `select height, subject from decisions
    where tenant_id = ? and subject in ('product:GONE', 'place:GONE') order by height`,
    one.id,
  );
  assert.equal(heights.length, 4);
  for (const { height, subject } of heights) {
    const { decision } = await one.decision(height);
    const [table, keyName, kept] =
      String(subject) === 'product:GONE'
        ? ([PROFILES[1]!, 'sku', 'RYE'] as const)
        : ([PROFILES[2]!, 'location', 'A'] as const);
    const row = (await readRows(table)).find(
      (other) => other['tenant_id'] === one.id && other[keyName] === kept,
    );
    // As it was when its block was the last one about it.
    const back = {
      ...row,
      ...{ [keyName]: 'GONE', height: Number(height), updated_at: String(decision['at']) },
      ...(keyName === 'sku' ? { picture: null } : {}),
    };
    await insert(table, back);
    await assertFound(table, `a row of block ${String(height)}`, () => remove(table, back));
  }
});

test('a rebuild makes the same rows, also of rows that were tampered with', async () => {
  const sound = await Promise.all(PROFILES.map(readRows));
  await hub.service.close();

  await rebuildRows(hub.database);
  const rebuilt = await Promise.all(PROFILES.map(readRows));
  await hub.database.change("update brands set name = 'Other'");
  await hub.database.change("delete from products where sku = 'RYE'");
  await hub.database.change("update places set height = 1 where location = 'A'");
  await rebuildRows(hub.database);
  const mended = await Promise.all(PROFILES.map(readRows));

  assert.deepEqual(rebuilt, sound);
  assert.deepEqual(mended, sound);
  assert.deepEqual((await verifyFully(hub.database)).mismatches, []);
});
