// Rebuilding the derived rows: nothing changes on a sound ledger, edited rows are as they were, and
// a chain that does not verify is refused. Rows of an older version are made anew at the start.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { LEDGER_TABLES } from '../../src/ledger/tables/all.ts';
import { RebuildRefused } from '../../src/ledger/rebuild/refused.ts';
import { TEST_CALLER } from '../ledger.ts';
import { makeStoredLedger, resealLast, runStored, type Tampering } from '../tampering/database.ts';
import { TIP_HEIGHT, oneMore } from '../tampering/ledger.ts';
import { rebuildRows, verifyFully } from '../verified.ts';

const ledger = await openForFile(makeStoredLedger());

/** What orders rows that the database numbers when it inserts them. */
const ROWS_WITHOUT_KEY: Readonly<Record<string, string>> = {
  lot_holds: 'lot_no, source, held_since',
};

/** All rows of all tables, by their keys; but of indexes over texts, which are filled at leisure. */
async function dump(tampering: Tampering): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const tables: Record<string, readonly unknown[]> = {};
  for (const { name: table, key } of LEDGER_TABLES) {
    const order = ROWS_WITHOUT_KEY[table] ?? key.join(', ');
    const rows = await tampering.all(`select * from ${table} order by ${order}`);
    // The number that a database gives a row says nothing of it.
    tables[table] = rows.map(({ hold_no: _number, ...row }) => row);
  }
  return tables;
}

test('rebuilding a sound ledger changes nothing in any table', async () => {
  await using copy = await ledger.copy();
  await using tampering = await copy.tampering();
  const before = await dump(tampering);

  const height = await rebuildRows(copy);

  assert.deepEqual(await dump(tampering), before);
  assert.equal(height, TIP_HEIGHT);
});

for (const text of [
  "update events set reference = 'X', line_count = 7 where height = 2",
  'update events set tenant_no = 2 where height = 2',
  'delete from events where height = 3',
  "update events set occurred_at = 'X', link_basis = 2, correction_count = 0, voided = 1 where height = 2",
  "insert into events (height, tenant_no, event_type, occurred_at, reference, line_count, link_basis) values (70, 1, 'SHIP', 'X', 'X', 1, 0)",
  "update lines set quantity = '1' where height = 1",
  'delete from lines where height = 9',
  "update lots set product_sku = 'X', first_height = 9, first_sku = 'X' where lot_no = 1",
  "update lots set status = 'recalled', on_hold = 1 - on_hold, recalled = 1 - recalled, stocked = 7, over_issued = 7",
  "delete from lots where lot_code = 'CAKE-9'",
  "insert into lots (lot_no, tenant_no, lot_code, product_sku, first_height) values (99, 1, 'X', 'X', 6)",
  'update lines set lot_no = 1 where height = 10',
  "update lot_quantities set sold = '9', removed_part = 'sold'",
  'delete from lot_quantities',
  "insert into lot_quantities (lot_no, product_sku, unit) values (1, 'X', 'kg'), (99, 'X', 'kg')",
  "update provenances set supplier_name = 'X', is_leaf = 0",
  'delete from provenances',
  'insert into provenances (height, line_no, tenant_no, lot_no, is_leaf) values (0, 0, 1, 1, 1), (70, 0, 1, 1, 1)',
  'update corrections set corrects_height = 4, change_count = 9',
  'delete from corrections where height = 14',
  'insert into corrections (height, tenant_no, corrects_height, change_count) values (4, 1, 1, 1), (70, 1, 1, 1)',
  'delete from lot_mentions',
  'insert into lot_mentions (height, lot_no) values (0, 1), (7, 2), (70, 1)',
  "update lot_texts set text = 'X'",
  'delete from lot_texts where lot_no = 2',
  "insert into lot_texts (tenant_no, lot_no, text) values (2, 1, 'X'), (9, 99, 'X')",
  "update tenants set tenant_id = 'other' where tenant_id = 'bolt'",
  'update tenants set events = 1000, lots = 0',
  'delete from tenants',
  "update head set height = 3, hash = 'X', lots = 1000",
  'delete from head',
  'update head set derived_version = 1',
  "update import_keys set group_key = 'X'",
  'update import_keys set tenant_no = 3 - tenant_no',
  "insert into import_keys (height, tenant_no, group_key) values (1, 1, 'X')",
  "insert into import_keys (height, tenant_no, group_key) values (0, 1, 'X'), (70, 1, 'X')",
]) {
  test(`rebuilding repairs what this did: ${text}`, async () => {
    await using copy = await ledger.copy();
    await using tampering = await copy.tampering();
    const before = await dump(tampering);
    await tampering.exec(text);
    assert.notDeepEqual(await dump(tampering), before);

    await rebuildRows(copy);

    assert.deepEqual(await dump(tampering), before);
    assert.deepEqual((await verifyFully(copy)).mismatches, []);
  });
}

test('rows of an older version are made anew at the start, and holds and recalls stay', async () => {
  await using copy = await ledger.copy();
  await using tampering = await copy.tampering();
  const before = await dump(tampering);
  await tampering.exec(`
    update head set derived_version = 1;
    update lots
    set first_sku = '', status = 'active', on_hold = 0, recalled = 0, stocked = 0, over_issued = 0;
    update events set correction_count = 0, voided = 0;
    delete from lot_quantities;
    delete from provenances;
    delete from corrections;
    delete from lot_mentions;
    delete from lot_texts`);

  await (await runStored(copy, 'paused'))[Symbol.asyncDispose]();

  assert.deepEqual(await dump(tampering), before);
  const held = await tampering.all('select lot_code from lots where on_hold = 1 order by lot_no');
  assert.deepEqual(
    held.map((row) => row['lot_code']),
    ['FLOUR-2'],
  );
  const recalled = await tampering.all(
    'select lot_no from lots where recalled = 1 order by lot_no',
  );
  assert.deepEqual(
    recalled.map((row) => row['lot_no']),
    [1, 3],
  );
  assert.deepEqual((await verifyFully(copy)).mismatches, []);
});

for (const { what, text, height, code } of [
  {
    what: 'a changed block',
    text: "update blocks set canonical = canonical || ' ' where height = 6",
    height: 6,
    code: 'hash_mismatch',
  },
  {
    what: 'a missing block',
    text: 'delete from blocks where height = 6',
    height: 6,
    code: 'height_gap',
  },
  {
    what: 'a block beyond a gap',
    text: `insert into blocks (height, hash, canonical)
      select 5000, 'X', canonical from blocks where height = 6`,
    height: TIP_HEIGHT + 1,
    code: 'height_gap',
  },
  {
    what: 'no block at all',
    text: 'delete from blocks',
    height: 0,
    code: 'height_gap',
  },
]) {
  test(`rebuilding from ${what} is refused and changes nothing`, async () => {
    await using copy = await ledger.copy();
    await using tampering = await copy.tampering();
    await tampering.exec(text);
    await tampering.exec("update events set reference = 'X' where height = 2");
    const before = await dump(tampering);

    await assert.rejects(
      rebuildRows(copy),
      (error: unknown) =>
        error instanceof RebuildRefused &&
        error.mismatch.height === height &&
        error.mismatch.code === code,
    );

    assert.deepEqual(await dump(tampering), before);
  });
}

test('rebuilding from a block with an event that was never sealed here is refused', async () => {
  await using copy = await ledger.copy();
  await using tampering = await copy.tampering();
  await resealLast(tampering, (payload) => ({
    ...payload,
    event: { ...payload.event, lines: 'none' },
  }));

  await assert.rejects(
    rebuildRows(copy),
    (error: unknown) =>
      error instanceof RebuildRefused && error.mismatch.code === 'payload_unreadable',
  );
});

test('rebuilding reports its progress from before the first block up to the last one', async () => {
  await using copy = await ledger.copy();
  const reported: unknown[] = [];

  await rebuildRows(copy, (progress) => reported.push(progress));

  assert.deepEqual(reported, [
    { height: -1, total: TIP_HEIGHT },
    { height: TIP_HEIGHT, total: TIP_HEIGHT },
  ]);
});

test('a writer that runs while its ledger is rebuilt goes on with the new row numbers', async () => {
  await using copy = await ledger.copy();
  await using tampering = await copy.tampering();
  await tampering.exec(`
    update lots set lot_no = 1000 where lot_code = 'LOT-a';
    update lines set lot_no = 1000 where height = 9`);
  await using running = await runStored(copy, 'paused');
  const append = (externalId: string) =>
    running.store.append({
      tenantId: 'acme',
      caller: TEST_CALLER,
      drafts: [oneMore(externalId, 'LOT-a')],
      unit: 'all',
    });
  await append('c');

  await rebuildRows(copy);
  await append('d');
  running.verifier.resume();
  await running.verifier.nextRound();

  assert.equal(running.state.valid, true);
  const [lots] = await tampering.all('select max(lot_no) as last from lots');
  assert.notEqual(lots?.['last'], 1000);
});
