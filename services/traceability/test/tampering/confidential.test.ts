// Recall cases in confidence against their blocks: what is kept to open them, their column, and their rows.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import sql from 'sql-template-tag';
import { draftDisclosures } from '../../src/ledger/decisions/confidential.ts';
import { draftDecision } from '../../src/ledger/decisions/draft.ts';
import type {
  DisclosureDecision,
  SealedRecall,
} from '../../src/ledger/record/decisions/contents.ts';
import { openTestStore } from '../ledger.ts';
import { boot } from '../boot.ts';
import { caughtUp } from '../recall/following.ts';
import { RecallTenant } from '../recall/tenant.ts';
import { rebuildRows, verifiedCodes, verifyTraced } from '../verified.ts';
import { readAllCaseRows } from '../recall/case-rows.ts';

const IS_CONFIDENTIAL = `
  height in (
    select p.height from private_decisions p where p.name = 'parts'
  )`;

const hub = await openForFile(boot());
before(async () => {
  await playCases();
  // Nobody but the tests changes anything from here on.
  await hub.service.close();
});

/** One that is disclosed, one that was cancelled, one that is hidden: each was widened. */
async function playCases(): Promise<void> {
  const tenant = new RecallTenant(hub, 'mill');
  await tenant.receive('FLOUR');
  await tenant.produce(['FLOUR'], ['DOUGH']);
  const cases: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    const opened = await tenant.open('FLOUR', { confidential: true, severity: 'class_i' });
    cases.push(String(opened['case_no']));
  }
  await tenant.produce(['DOUGH'], ['BREAD']);
  await caughtUp(hub);
  await tenant.moveThrough(cases[0], 'notification');
  await tenant.move(cases[1], 'cancelled', { changed_by: 'Bo', note: 'a mistake' });
  await tenant.produce(['BREAD'], ['TOAST']);
  await caughtUp(hub);
}

function codes(): Promise<readonly string[]> {
  return verifiedCodes(hub.database);
}

const ROWS = `
  select height, name, value, salt from private_decisions where ${IS_CONFIDENTIAL}
  order by height, name`;

test('cases in confidence that nobody has touched have no mismatch', async () => {
  const rows = await hub.database.rows(ROWS);

  assert.deepEqual(await codes(), []);
  assert.equal(rows.filter(({ name }) => name === 'parts').length, 8);
  assert.ok(rows.some(({ name }) => name === 'opened_by'));
});

test('whatever is changed of what opens a confidential block is noticed', async () => {
  const unseen: string[] = [];
  for (const row of await hub.database.rows(ROWS)) {
    const { height, name, value, salt } = row;
    const where = 'where height = ? and name = ?';
    const key = [Number(height), String(name)] as const;
    const place = `${Number(height)} ${String(name)}`;
    const set = 'update private_decisions set value = ?, salt = ?';
    const changed = name === 'parts' ? String(value).replace('class_i', 'class_ii') : 'Eve';
    for (const [newValue, newSalt] of [
      [changed, String(salt)],
      [`${String(value)} `, String(salt)],
      [String(value), 'a'.repeat(64)],
    ] as const) {
      await hub.database.change(`${set} ${where}`, newValue, newSalt, ...key);
      if (!(await codes()).includes('private_row_differs')) unseen.push(`${place} changed`);
    }
    await hub.database.change(`${set} ${where}`, String(value), String(salt), ...key);
    await hub.database.change(`delete from private_decisions ${where}`, ...key);
    if (!(await codes()).includes('private_row_missing')) unseen.push(`${place} deleted`);
    const insert = 'insert into private_decisions (height, name, value, salt) values (?, ?, ?, ?)';
    await hub.database.change(insert, ...key, String(value), String(salt));
  }

  assert.deepEqual(unseen, []);
  assert.deepEqual(await codes(), []);
});

test('a value that no part of a confidential step commits to is noticed', async () => {
  const [row] = await hub.database.rows(ROWS);
  const height = Number(row?.['height']);
  const insert = 'insert into private_decisions (height, name, value, salt) values (?, ?, ?, ?)';

  await hub.database.change(insert, height, 'released_by', 'Eve', 'a'.repeat(64));
  const found = await codes();
  await hub.database.change(
    "delete from private_decisions where height = ? and name = 'released_by'",
    height,
  );

  assert.deepEqual(found, ['private_row_extra']);
});

test('a case whose row says otherwise whether it is in confidence is noticed', async () => {
  const cases = await hub.database.rows('select case_id from recall_cases');
  for (const { case_id: caseId } of cases) {
    const where = 'where case_id = ?';
    await hub.database.change(`update recall_cases set confidential = 0 ${where}`, Number(caseId));
    assert.deepEqual(await codes(), ['case_row_differs']);
    await hub.database.change(`update recall_cases set confidential = 1 ${where}`, Number(caseId));
  }
  assert.deepEqual(await codes(), []);
});

test('rows of a case in confidence that differ from its parts are noticed and rebuilt', async () => {
  const before = await readAllCaseRows(hub.database);
  await hub.database.change("update recall_cases set title = 'Nothing'");
  await hub.database.change('delete from recall_moves');
  await hub.database.change('delete from lot_holds');
  await hub.database.change('update recall_lots set relation = ?', 'upstream');

  const found = new Set(await codes());
  await rebuildRows(hub.database);

  assert.ok(found.has('case_row_differs') && found.has('case_row_missing'), [...found].join());
  assert.deepEqual(await readAllCaseRows(hub.database), before);
  assert.deepEqual(await codes(), []);
});

/** What a writer with the keys of the hub could seal. */
async function sealed(content: (disclosure: DisclosureDecision) => SealedRecall) {
  await using booted = await boot();
  const tenant = new RecallTenant(booted, 'mill');
  await tenant.receive('FLOUR');
  const caseNo = String((await tenant.open('FLOUR', { confidential: true }))['case_no']);
  await booted.service.close();
  const [row] = await booted.database.rows(ROWS.replace('order by', "and name = 'parts' order by"));
  const opening = { height: Number(row?.['height']), salt: String(row?.['salt']) };
  const recallCase = { brand: 'mill', caseNo, at: '2026-03-04T08:00:00.000Z' };
  const [disclosed] = draftDisclosures(recallCase, [{ ...opening, value: String(row?.['value']) }]);
  const disclosure = JSON.parse(disclosed?.draft.decisionText ?? '') as DisclosureDecision;
  await using store = await openTestStore(booted.database);
  await store.decide({
    guard: sql`select id from head where id = 1`,
    decisions: [draftDecision({ brand: 'mill', type: 'recall', content: content(disclosure) })],
    statements: [],
  });
  return await verifyTraced(booted.database);
}

test('a disclosure that does not open its block is a finding', async () => {
  const { mismatches } = await sealed((disclosure) => ({
    ...disclosure,
    contents: { ...disclosure.contents, severity: 'class_iii' as const },
  }));

  assert.ok(mismatches.some(({ code, height }) => code === 'disclosure_mismatch' && height === 3));
});

test('a step that is public although its case was not disclosed is a finding', async () => {
  const { mismatches } = await sealed(({ contents }) => ({
    ...contents,
    change: 'moved',
    state: 'notification',
    step: 2,
  }));

  assert.ok(mismatches.some(({ code, height }) => code === 'disclosure_missing' && height === 3));
});
