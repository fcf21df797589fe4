// Recall cases against their blocks: whatever somebody changes of their rows is noticed, and a rebuild makes
// the same rows of the blocks alone.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { isLongRun } from '@lothub/kit/test/rounds';
import { COLUMNS_NOT_COMPARED } from '../../src/ledger/verify/not-compared.ts';
import { anEvent, boot } from '../boot.ts';
import { testEngine, type StoredRow } from '../engine.ts';
import { caughtUp } from '../recall/following.ts';
import { RecallTenant } from '../recall/tenant.ts';
import { rebuildRows, verifyTraced } from '../verified.ts';
import { CASE_TABLES, readAllCaseRows, readCaseRows } from '../recall/case-rows.ts';

const hub = await openForFile(boot());
before(async () => {
  await playCases();
  // Nobody but the tests changes anything from here on.
  await hub.service.close();
});

/** Cases in several states, with lots that came later, left, were held, released and held again. */
async function playCases(): Promise<void> {
  const tenant = new RecallTenant(hub, 'mill');
  await tenant.receive('FLOUR', 'OTHER');
  const batch = await tenant.produce(['FLOUR'], ['DOUGH']);
  await tenant.post(soldTo('Anna 1', 'DOUGH'));
  const caseNo = String((await tenant.open('FLOUR'))['case_no']);
  await tenant.produce(['DOUGH'], ['BREAD']);
  await caughtUp(hub);
  await tenant.moveThrough(caseNo, 'notification');
  await hub.post('/v1/lots/BREAD/release', { by: 'Ada', reason: 'tested' }, tenant.headers);
  await tenant.post(soldTo('Anna 2', 'BREAD'));
  const corrected = await hub.post(
    '/v1/corrections',
    {
      corrects_event_id: batch.json['id'],
      reason: 'another flour',
      requested_by: 'Ada',
      changes: [{ field: 'lines[0].lot_code', old_value: 'FLOUR', new_value: 'OTHER' }],
    },
    tenant.headers,
  );
  assert.equal(corrected.status, 201, corrected.text);
  await caughtUp(hub);
  const closed = String((await tenant.open('OTHER', { title: 'Glass' }))['case_no']);
  await tenant.edit(closed, {
    ...{ title: 'Green glass', severity: 'class_i', note: 'green', changed_by: 'Bo' },
    scope: { add: ['FLOUR'], exclude: ['BREAD'], reason: 'told by the mill' },
  });
  await tenant.moveThrough(closed, 'notification', 'containment');
  await tenant.move(closed, 'closed', { release_holds: true, changed_by: 'Bo', note: 'all back' });
  const cancelled = String((await tenant.open('OTHER', { auto_hold: false }))['case_no']);
  await tenant.moveThrough(cancelled, 'cancelled');
  await hub.post('/v1/lots/FLOUR/hold', { by: 'Ada', reason: 'a second look' }, tenant.headers);
  const erased = await hub.post('/v1/privacy/erase', { customer_ref: 'Anna 1' }, tenant.headers);
  assert.equal(erased.status, 200, erased.text);
  await caughtUp(hub);
}

function soldTo(customer: string, lot: string): Record<string, unknown> {
  const line = { lot_code: lot, product_sku: 'SKU', quantity: 1, unit: 'kg', direction: 'out' };
  return anEvent({ event_type: 'SELL', lines: [{ ...line, customer_ref: customer }] });
}

async function mismatches(): Promise<readonly string[]> {
  const report = await verifyTraced(hub.database);
  return report.mismatches.map(({ height, code, message }) => `${height} ${code}: ${message}`);
}

/** One row shows what is compared; the long run tries each, but on a server, whose verification takes long. */
async function triedRows(table: string): Promise<readonly StoredRow[]> {
  const rows = await readCaseRows(hub.database, table);
  return isLongRun && testEngine === 'sqlite' ? rows : rows.slice(0, 1);
}

test('an untouched ledger with cases has no mismatch', async () => {
  assert.deepEqual(await mismatches(), []);
});

for (const [table, key] of Object.entries(CASE_TABLES)) {
  test(`one changed value of a row of ${table} is noticed`, async () => {
    const unseen: string[] = [];
    for (const row of await triedRows(table)) {
      const where = key.map((name) => `${name} = ${String(row[name])}`).join(' and ');
      for (const [name, value] of Object.entries(row)) {
        if (COLUMNS_NOT_COMPARED[`${table}.${name}`] !== undefined) continue;
        const changed = typeof value === 'number' ? value + 777_777_777 : changedText(value, name);
        const set = `update ${table} set ${name} = ? where `;
        const whereChanged = key.includes(name)
          ? where.replace(`${name} = ${String(value)}`, `${name} = ${String(changed)}`)
          : where;
        assert.equal(await hub.database.change(set + where, changed), 1);
        if ((await mismatches()).length === 0) unseen.push(`${table}.${name} of ${where}`);
        await hub.database.change(set + whereChanged, value as string | number | null);
      }
    }
    assert.deepEqual(unseen, []);
    assert.deepEqual(await mismatches(), []);
  });

  test(`a row of ${table} that was deleted or added is noticed`, async () => {
    const unseen: string[] = [];
    for (const row of await triedRows(table)) {
      const where = key.map((name) => `${name} = ${String(row[name])}`).join(' and ');
      const names = Object.keys(row);
      const insert = `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`;
      const values = Object.values(row) as (string | number | null)[];
      assert.equal(await hub.database.change(`delete from ${table} where ${where}`), 1);
      if ((await mismatches()).length === 0) unseen.push(`${table} without ${where}`);
      await hub.database.change(insert, ...values);
      const last = String(key.at(-1));
      const added = values.map((value, index) => {
        if (names[index] === last) return Number(value) + 500_009;
        if (names[index] === 'case_no') return 'RC-2026-0999';
        if (names[index] === 'recipient') return `${String(value)} too`;
        return names[index] === 'released_at' ? (value ?? '2026-01-01T00:00:00.000Z') : value;
      });
      await hub.database.change(insert, ...added);
      if ((await mismatches()).length === 0) unseen.push(`${table} with another ${where}`);
      const addedKey = `${last} = ${Number(row[last]) + 500_009}`;
      assert.equal(await hub.database.change(`delete from ${table} where ${addedKey}`), 1);
    }
    assert.deepEqual(unseen, []);
    assert.deepEqual(await mismatches(), []);
  });
}

function changedText(value: unknown, name: string): string | number {
  if (value !== null) return `${String(value)}x`;
  return /_(?:no|height)$/u.test(name) ? 1 : '2026-01-01T00:00:00.000Z';
}

test('a rebuild makes the same rows of the blocks alone', async () => {
  const before = await readAllCaseRows(hub.database);

  await rebuildRows(hub.database);

  assert.deepEqual(await readAllCaseRows(hub.database), before);
  assert.deepEqual(await mismatches(), []);
});

test('a rebuild mends rows that were changed, deleted and added', async () => {
  const before = await readAllCaseRows(hub.database);
  await hub.database.change("update recall_cases set title = 'Nothing', status = 'cancelled'");
  await hub.database.change('delete from recall_moves');
  await hub.database.change('delete from recall_edits');
  await hub.database.change("update recall_lots_by_hand set said = 'added'");
  await hub.database.change("delete from lot_holds where source <> 'manual'");
  await hub.database.change('update recall_lots set left_at = null, left_height = null');

  await rebuildRows(hub.database);

  assert.deepEqual(await readAllCaseRows(hub.database), before);
  assert.deepEqual(await mismatches(), []);
});

test('blocks of a case bear no name of a person, no note and no customer', async () => {
  const blocks = await hub.database.rows(
    "select b.canonical from blocks b join decisions d on d.height = b.height and d.type = 'recall'",
  );
  const text = blocks.map((block) => String(block['canonical'])).join('\n');

  assert.ok(blocks.length > 5, testEngine);
  assert.doesNotMatch(text, /Ada Miller|Anna|all back|told by|"Bo"/u);
  assert.match(text, /"title":"Metal in rye bread"/u);
});
