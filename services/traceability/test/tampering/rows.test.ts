// Removes, adds, swaps and cuts: whole rows and blocks of the ledger, in the database behind the
// service's back. Each is noticed by a round of the verifier and by a full verification.
import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { systemClock } from '@lothub/kit/clock';
import { eraseHeights } from '../../src/ledger/decisions/erasure.ts';
import { openStore } from '../../src/ledger/open-store.ts';
import { readTipRecord, tipRecordFile } from '../../src/ledger/tip-record.ts';
import { verifyDatabase } from '../../src/ledger/operate/verify-database.ts';
import { testEngine } from '../engine.ts';
import { TEST_CALLER } from '../ledger.ts';
import {
  cutTail,
  deriveAgain,
  makeStoredLedger,
  resealLast,
  roundOver,
  tamperWith,
} from './database.ts';
import type { StoredLedger } from './database.ts';
import { PACKED_HEIGHT, TIP_HEIGHT, oneMore } from './ledger.ts';
import { verifyFully } from '../verified.ts';

interface Change {
  readonly what: string;
  readonly text: string;
  readonly firstBad: number;
  readonly code: string;
}

/** The least number that fits: PostgreSQL's index of texts multiplies it. */
const TENANT_BEFORE_ALL = { sqlite: '-9223372036854775808', postgres: '-5' }[testEngine];
const NO_HASH = "'" + 'f'.repeat(64) + "'";

const TAMPERINGS: readonly Change[] = [
  {
    what: 'a block removed',
    text: 'delete from blocks where height = 4',
    firstBad: 4,
    code: 'height_gap',
  },
  {
    what: 'a block removed with its rows',
    text: `delete from lines where height = 4; delete from events where height = 4;
      delete from blocks where height = 4`,
    firstBad: 4,
    code: 'height_gap',
  },
  {
    what: 'the genesis block removed',
    text: 'delete from blocks where height = 0',
    firstBad: 0,
    code: 'height_gap',
  },
  {
    what: 'all blocks removed',
    text: 'delete from blocks',
    firstBad: 0,
    code: 'tail_missing',
  },
  {
    what: 'two blocks swapped',
    text: `update blocks set height = -1 where height = 5;
      update blocks set height = 5 where height = 6;
      update blocks set height = 6 where height = -1`,
    firstBad: 5,
    code: 'height_mismatch',
  },
  {
    what: 'the last block removed',
    text: `delete from blocks where height = ${TIP_HEIGHT}`,
    firstBad: TIP_HEIGHT,
    code: 'tail_missing',
  },
  {
    what: 'a block far beyond the tip',
    text: `insert into blocks (height, hash, canonical) values (5000, ${NO_HASH}, '{}')`,
    firstBad: TIP_HEIGHT + 1,
    code: 'height_gap',
  },
  {
    what: 'a block below genesis',
    text: `insert into blocks (height, hash, canonical) values (-7, ${NO_HASH}, '{}')`,
    firstBad: 0,
    code: 'height_gap',
  },
  {
    what: 'a block whose text is empty',
    text: "update blocks set canonical = '' where height = 7",
    firstBad: 7,
    code: 'hash_mismatch',
  },
  {
    what: 'an event row removed',
    text: 'delete from events where height = 3',
    firstBad: 3,
    code: 'event_row_missing',
  },
  {
    what: 'an event row added for genesis',
    text: `insert into events (height, tenant_no, event_type, occurred_at, reference, line_count,
      link_basis) select 0, tenant_no, event_type, occurred_at, reference, line_count, link_basis
      from events where height = 1`,
    firstBad: 0,
    code: 'event_row_extra',
  },
  {
    what: 'an event row added beyond the tip',
    text: `insert into events (height, tenant_no, event_type, occurred_at, reference, line_count,
      link_basis) select 70, tenant_no, event_type, occurred_at, reference, line_count, link_basis
      from events where height = 1`,
    firstBad: TIP_HEIGHT + 1,
    code: 'event_row_extra',
  },
  {
    what: 'an event row that says it has a million lines',
    text: 'update events set line_count = 1000000 where height = 2',
    firstBad: 2,
    code: 'event_row_differs',
  },
  {
    what: 'the first line of an event removed',
    text: 'delete from lines where height = 2 and line_no = 0',
    firstBad: 2,
    code: 'line_row_missing',
  },
  {
    what: 'the last line of an event removed',
    text: 'delete from lines where height = 2 and line_no = 2',
    firstBad: 2,
    code: 'line_row_missing',
  },
  {
    what: 'a line added to an event',
    text: `insert into lines select height, 3, lot_no, product_sku, direction, quantity, unit,
      link_basis, is_delivery from lines where height = 2 and line_no = 0`,
    firstBad: 2,
    code: 'line_row_extra',
  },
  {
    what: 'a line added before the first of an event',
    text: `insert into lines select height, -1, lot_no, product_sku, direction, quantity, unit,
      link_basis, is_delivery from lines where height = 2 and line_no = 0`,
    firstBad: 2,
    code: 'line_row_extra',
  },
  {
    what: 'a line given to the lot of the same code of another tenant',
    text: `update lines set lot_no = (select max(lot_no) from lots where lot_code = 'FLOUR-1')
      where height = 1 and line_no = 0`,
    firstBad: 1,
    code: 'line_row_differs',
  },
  {
    what: 'a lot removed',
    text: "delete from lots where lot_code = 'CAKE-9'",
    firstBad: 2,
    code: 'lot_row_missing',
  },
  {
    what: 'a lot added that no block names',
    text: `insert into lots (lot_no, tenant_no, lot_code, product_sku, first_height)
      values (50, 1, 'NOT-THERE', 'X', 6)`,
    firstBad: 6,
    code: 'lot_row_extra',
  },
  {
    what: 'a lot given a later first event',
    text: "update lots set first_height = 3 where lot_code = 'CAKE-9'",
    firstBad: 2,
    code: 'lot_row_differs',
  },
  {
    what: 'a tenant removed',
    text: "delete from tenants where tenant_id = 'bolt'",
    firstBad: 4,
    code: 'tenant_row_missing',
  },
  {
    what: 'a tenant added',
    text: `insert into tenants (
        tenant_no, tenant_id, first_height, last_height, events, transactions, lots
      )
      values (7, 'ghost', 1, 1, 0, 0, 0)`,
    firstBad: TIP_HEIGHT,
    code: 'tenant_row_extra',
  },
  {
    what: 'the head removed',
    text: 'delete from head',
    firstBad: TIP_HEIGHT,
    code: 'head_missing',
  },
  {
    what: 'private values added where a block commits to none',
    text: `insert into private_lines (height, line_no, customer_ref, channel, salt)
      values (3, 1, 'CUST-X', null, 'aa')`,
    firstBad: 3,
    code: 'private_row_extra',
  },
  {
    what: 'private notes moved to another event',
    text: 'update private_notes set height = 6 where height = 3',
    firstBad: 3,
    code: 'private_row_extra',
  },
  {
    what: 'the private values of two sales swapped',
    text: `update private_lines set height = -3 where height = 3;
      update private_lines set height = 3 where height = 7;
      update private_lines set height = 7 where height = -3`,
    firstBad: 3,
    code: 'private_row_differs',
  },
  {
    what: 'private values of a change moved to another change of the same correction',
    text: 'update private_changes set change_no = 9 where height = 13 and change_no = 3',
    firstBad: 13,
    code: 'private_row_extra',
  },
  {
    what: 'who asked for two corrections swapped',
    text: `update private_requests set height = -1 where height = 11;
      update private_requests set height = 11 where height = 12;
      update private_requests set height = 12 where height = -1`,
    firstBad: 11,
    code: 'private_row_differs',
  },
  {
    what: 'who asked for an event that is no correction',
    text: "insert into private_requests (height, requested_by, salt) values (4, 'X', 'aa')",
    firstBad: 4,
    code: 'private_row_extra',
  },
  {
    what: 'a private change of a correction that has none',
    text: `insert into private_changes (height, change_no, to_text, salt)
      values (12, 0, 'X', 'aa')`,
    firstBad: 12,
    code: 'private_row_extra',
  },
  {
    what: 'private values of a correction beyond the tip',
    text: "insert into private_requests (height, requested_by, salt) values (70, 'X', 'aa')",
    firstBad: TIP_HEIGHT + 1,
    code: 'private_row_extra',
  },
  {
    what: 'an import key added to an event with an external id',
    text: `insert into import_keys (height, tenant_no, group_key) values (1, 1, 'aa')`,
    firstBad: 1,
    code: 'import_key_extra',
  },
  {
    what: 'a corrected event put back to what was sealed',
    text: `update events set occurred_at = '2026-03-02T06:15:00Z', reference = 'WO-7'
      where height = 2`,
    firstBad: 2,
    code: 'event_row_differs',
  },
  {
    what: 'an event that did not happen made one that did',
    text: 'update events set voided = 0 where height = 9',
    firstBad: 9,
    code: 'event_row_differs',
  },
  {
    what: 'a correction that left no trace in its event hidden',
    text: `delete from corrections where height = 13;
      update events set correction_count = 0 where height = 3`,
    firstBad: 13,
    code: 'correction_row_missing',
  },
  {
    what: 'the row of a correction removed',
    text: 'delete from corrections where height = 16',
    firstBad: 10,
    code: 'correction_row_missing',
  },
  {
    what: 'a correction given to another event',
    text: 'update corrections set corrects_height = 4 where height = 17',
    firstBad: 5,
    code: 'correction_row_differs',
  },
  {
    what: 'a correction given to another tenant',
    text: 'update corrections set tenant_no = 1 where height = 17',
    firstBad: 17,
    code: 'correction_row_differs',
  },
  {
    what: 'a correction added that no block is',
    text: `insert into corrections (height, tenant_no, corrects_height, change_count)
      values (6, 1, 4, 1)`,
    firstBad: 6,
    code: 'correction_row_extra',
  },
  {
    what: 'a correction added beyond the tip',
    text: `insert into corrections (height, tenant_no, corrects_height, change_count)
      values (70, 1, 2, 1)`,
    firstBad: TIP_HEIGHT + 1,
    code: 'correction_row_extra',
  },
  {
    what: 'an event row added for a correction',
    text: `insert into events (height, tenant_no, event_type, occurred_at, reference, line_count,
      link_basis) select 11, tenant_no, event_type, occurred_at, reference, line_count, link_basis
      from events where height = 1`,
    firstBad: 11,
    code: 'event_row_extra',
  },
  {
    what: 'a line added to a correction',
    text: `insert into lines select 12, 0, lot_no, product_sku, direction, quantity, unit,
      link_basis, is_delivery from lines where height = 2 and line_no = 0`,
    firstBad: 12,
    code: 'line_row_extra',
  },
  {
    what: 'an import key added to a correction',
    text: `insert into import_keys (height, tenant_no, group_key) values (11, 1, 'aa')`,
    firstBad: 11,
    code: 'import_key_extra',
  },
  {
    what: 'a corrected event that is not listed for the lot it named before',
    text: 'delete from lot_mentions where height = 10',
    firstBad: 10,
    code: 'mention_row_missing',
  },
  {
    what: 'a correction that is not listed for a lot it concerns',
    text: 'delete from lot_mentions where height = 14 and lot_no = 3',
    firstBad: 14,
    code: 'mention_row_missing',
  },
  {
    what: 'an event listed for a lot that it never named',
    text: 'insert into lot_mentions (height, lot_no) values (7, 1)',
    firstBad: 7,
    code: 'mention_row_extra',
  },
  {
    what: 'a correction listed for the lot of the same code of another tenant',
    text: 'update lot_mentions set lot_no = 4 where height = 11 and lot_no = 1',
    firstBad: 11,
    code: 'mention_row_extra',
  },
  {
    what: 'genesis listed for a lot',
    text: 'insert into lot_mentions (height, lot_no) values (0, 1)',
    firstBad: 0,
    code: 'mention_row_extra',
  },
  {
    what: 'a lot that no line names any more removed',
    text: "delete from lots where lot_code = 'LOT-b'",
    firstBad: 10,
    code: 'lot_row_missing',
  },
  {
    what: 'a lot that a correction named first given to the event that it corrects',
    text: "update lots set first_height = 2 where lot_code = 'FLOUR-2'",
    firstBad: 12,
    code: 'lot_row_differs',
  },
  {
    what: 'where a lot came from removed',
    text: 'delete from provenances where height = 1 and line_no = 1',
    firstBad: 1,
    code: 'provenance_row_missing',
  },
  {
    what: 'where a lot came from put back to what was sealed',
    text: "update provenances set supplier_name = 'Mühle Brandt' where height = 1 and line_no = 0",
    firstBad: 1,
    code: 'provenance_row_differs',
  },
  {
    what: 'where a lot came from added to a line that does not say so',
    text: `insert into provenances select 2, 0, tenant_no, 8, is_leaf, supplier_name, origin_facility,
      supplier_lot_code from provenances where height = 1 and line_no = 0`,
    firstBad: 2,
    code: 'provenance_row_extra',
  },
  {
    what: 'where a lot came from added to a correction',
    text: `insert into provenances select 13, line_no, tenant_no, lot_no, is_leaf, supplier_name,
      origin_facility, supplier_lot_code from provenances where height = 1`,
    firstBad: 13,
    code: 'provenance_row_extra',
  },
  {
    what: 'a quantity removed',
    text: "delete from lot_quantities where lot_no = 2 and product_sku = 'FLOUR'",
    firstBad: 30,
    code: 'quantity_row_missing',
  },
  {
    what: 'a quantity of another unit added to a lot',
    text: "insert into lot_quantities (lot_no, product_sku, unit) values (1, 'FLOUR', 't')",
    firstBad: 6,
    code: 'quantity_row_extra',
  },
  {
    what: 'a quantity added to a lot of which nothing counts',
    text: "insert into lot_quantities (lot_no, product_sku, unit, disposed) values (6, 'X', 'kg', '1')",
    firstBad: 9,
    code: 'quantity_row_extra',
  },
  {
    what: 'a quantity added of a lot that does not exist',
    text: "insert into lot_quantities (lot_no, product_sku, unit) values (99, 'FLOUR', 'kg')",
    firstBad: TIP_HEIGHT,
    code: 'quantity_row_extra',
  },
  {
    what: 'a quantity added of a lot before all lots',
    text: `insert into lot_quantities (lot_no, product_sku, unit)
      values (-9223372036854775808, 'FLOUR', 'kg'), (-5, 'FLOUR', 'kg')`,
    firstBad: TIP_HEIGHT,
    code: 'quantity_row_extra',
  },
  {
    what: 'the text that a lot is found by removed',
    text: 'delete from lot_texts where lot_no = 10',
    firstBad: PACKED_HEIGHT,
    code: 'text_row_missing',
  },
  {
    what: 'a supplier hidden from the text that a lot is found by',
    text: "update lot_texts set text = replace(text, 'mühle brand', '') where lot_no = 1",
    firstBad: 6,
    code: 'text_row_differs',
  },
  {
    what: 'a text added of a lot of another tenant',
    text: "insert into lot_texts (tenant_no, lot_no, text) values (2, 1, 'flour-1')",
    firstBad: TIP_HEIGHT,
    code: 'text_row_extra',
  },
  {
    what: 'a text added of a tenant before all tenants',
    text: `insert into lot_texts (tenant_no, lot_no, text) values (${TENANT_BEFORE_ALL}, 1, 'x')`,
    firstBad: TIP_HEIGHT,
    code: 'text_row_extra',
  },
  {
    what: 'a lot said to be there still',
    text: "update lots set status = 'active', stocked = 1, over_issued = 0 where lot_no = 8",
    firstBad: 2,
    code: 'lot_row_differs',
  },
  {
    what: 'a lot on hold said to be released',
    text: 'update lots set on_hold = 0 where lot_no = 8',
    firstBad: 2,
    code: 'lot_row_differs',
  },
  {
    what: 'a lot of which a hold is over said to be on hold',
    text: 'update lots set on_hold = 1 where lot_no = 3',
    firstBad: PACKED_HEIGHT,
    code: 'lot_row_differs',
  },
  {
    what: 'a hold removed',
    text: 'delete from lot_holds where lot_no = 8',
    firstBad: 20,
    code: 'hold_row_missing',
  },
  {
    what: 'a hold said to be over',
    text: "update lot_holds set released_at = '2026-03-02T06:15:00Z' where lot_no = 8",
    firstBad: 20,
    code: 'hold_row_differs',
  },
  {
    what: 'a hold with a number by which lists leave it out',
    text: 'update lot_holds set hold_no = -hold_no where lot_no = 8',
    firstBad: 20,
    code: 'hold_row_differs',
  },
  {
    what: 'a hold that is over said to go on',
    text: 'update lot_holds set released_at = null where lot_no = 3',
    firstBad: 24,
    code: 'hold_row_differs',
  },
  {
    what: 'a hold added under the block of another',
    text: `insert into lot_holds (
             lot_no, source, reason, held_by, held_since, tenant_no, held_height
           )
           select 1, 'manual', reason, held_by, held_since, tenant_no, held_height
           from lot_holds where lot_no = 8`,
    firstBad: 20,
    code: 'hold_row_extra',
  },
  {
    what: 'a hold added under a block that is none',
    text: `insert into lot_holds (
             lot_no, source, reason, held_by, held_since, tenant_no, held_height
           )
           select 1, 'manual', reason, held_by, held_since, tenant_no, 3
           from lot_holds where lot_no = 8`,
    firstBad: 3,
    code: 'hold_row_extra',
  },
  {
    what: 'the row of a decision removed',
    text: 'delete from decisions where height = 21',
    firstBad: 21,
    code: 'decision_row_missing',
  },
  {
    what: 'the row of a decision added at an event',
    text: `insert into decisions (height, tenant_id, type, subject)
           values (4, 'acme', 'hold', 'manual')`,
    firstBad: 4,
    code: 'decision_row_extra',
  },
  {
    what: 'a private value added that a decision commits to nothing of',
    text: `insert into private_decisions (height, name, value, salt)
           values (20, 'note', 'wet', '${'ab'.repeat(32)}')`,
    firstBad: 20,
    code: 'private_row_extra',
  },
  {
    what: 'a lot that is recalled said not to be',
    text: 'update lots set recalled = 0 where lot_no = 3',
    firstBad: PACKED_HEIGHT,
    code: 'lot_row_differs',
  },
  {
    what: 'a lot that left its case said to be recalled',
    text: 'update lots set recalled = 1 where lot_no = 4',
    firstBad: 8,
    code: 'lot_row_differs',
  },
  {
    what: 'a lot taken out of its case',
    text: 'delete from recall_lots where lot_no = 1',
    firstBad: 25,
    code: 'case_row_missing',
  },
  {
    what: 'a lot said to have left its case',
    text: "update recall_lots set left_at = '2026-03-04T12:00:00.000Z' where lot_no = 1",
    firstBad: 25,
    code: 'case_row_differs',
  },
  {
    what: 'a lot that left its case said to be in it',
    text: 'update recall_lots set left_at = null where lot_no = 6',
    firstBad: 27,
    code: 'case_row_differs',
  },
  {
    what: 'a case said not to have reached notification',
    text: 'update recall_cases set notified_at = null where case_id = 1',
    firstBad: 27,
    code: 'case_row_differs',
  },
  {
    what: 'a case said to be cancelled',
    text: "update recall_cases set status = 'cancelled' where case_id = 1",
    firstBad: 27,
    code: 'case_row_differs',
  },
  {
    what: 'a cancelled case said to go on',
    text: "update recall_cases set status = 'notification' where case_id = 2",
    firstBad: 29,
    code: 'case_row_differs',
  },
  {
    what: 'a case removed',
    text: 'delete from recall_cases where case_id = 1',
    firstBad: 27,
    code: 'case_row_missing',
  },
  {
    what: 'rows said to be derived in an older way',
    text: 'update head set derived_version = 1',
    firstBad: TIP_HEIGHT,
    code: 'head_differs',
  },
];

const ledger = await openForFile(makeStoredLedger());

for (const { what, text, firstBad, code } of TAMPERINGS) {
  test(`${what} is noticed by a round of the verifier`, async () => {
    await using tampering = await ledger.tampering();

    const found = await tampering.undone(async () => {
      await tampering.exec(text);
      return await roundOver(tampering);
    });

    assert.equal(found.firstBad, firstBad, found.codes.join());
    assert.ok(found.codes.includes(code), found.codes.join());
  });

  test(`${what} is noticed by a full verification`, async () => {
    await using copy = await ledger.copy();
    await tamperWith(copy, text);

    const report = await verifyFully(copy);

    assert.equal(report.ok, false);
    assert.equal(report.firstBad, firstBad);
  });
}

test('private values that were erased are no mismatch when the blocks are noted', async () => {
  await using copy = await ledger.copy();
  await tamperWith(
    copy,
    `delete from private_lines; delete from private_notes; delete from private_requests;
     delete from private_changes;`,
  );
  const gone = await verifyFully(copy);
  await using store = await openStore({
    ...{ dataDir: copy.dataDir, databaseUrl: copy.databaseUrl },
    hubName: 'Testhub',
    onFatal: (error) => {
      throw error;
    },
  });
  const heights = gone.mismatches.map(({ height }) => height);
  await store.erase(eraseHeights({ brand: 'acme', at: '2026-03-04T10:00:00.000Z', heights }));
  await store.close();

  const report = await verifyFully(copy);

  assert.deepEqual(
    new Set(gone.mismatches.map(({ code }) => code)),
    new Set(['private_row_missing']),
  );
  assert.deepEqual(report.mismatches, []);
  assert.equal(report.ok, true);
});

test('a tail cut without a trace in the database is noticed by the tip record', async () => {
  await using copy = await ledger.copy();
  await cutTail(copy, 6);

  const report = await verifyFully(copy);

  assert.deepEqual(
    report.mismatches.map(({ height, code }) => ({ height, code })),
    [{ height: 7, code: 'tail_missing' }],
  );
});

test('a tail that was cut and grown again with other blocks is noticed by the tip record', async () => {
  await using copy = await ledger.copy();
  await cutTail(copy, TIP_HEIGHT - 2);
  await withoutTipRecord(copy, async () => {
    await using store = await openStore({ ...copy, hubName: 'Testhub', onFatal });
    const drafts = [oneMore('c'), oneMore('d'), oneMore('e')];
    await store.append({ tenantId: 'acme', caller: TEST_CALLER, drafts, unit: 'all' });
  });

  const report = await verifyFully(copy);

  assert.equal(report.firstBad, TIP_HEIGHT);
  assert.deepEqual(
    report.mismatches.map(({ code }) => code),
    ['tip_differs'],
  );
});

test('a last block that was sealed anew with its rows is noticed by the tip record alone', async () => {
  await using copy = await ledger.copy();
  {
    await using tampering = await copy.tampering();
    await resealLast(tampering, (payload) => ({
      ...payload,
      event: { ...payload.event, reference: 'PACK-2' },
    }));
    await deriveAgain(copy);
    assert.deepEqual((await roundOver(tampering)).mismatches, []);
  }

  const report = await verifyFully(copy);

  assert.deepEqual(
    report.mismatches.map(({ height, code }) => ({ height, code })),
    [{ height: TIP_HEIGHT, code: 'tip_differs' }],
  );
});

test('a last block that was sealed anew around nonsense breaks no verification', async () => {
  await using copy = await ledger.copy();
  await using tampering = await copy.tampering();
  await resealLast(tampering, (payload) => ({ ...payload, event: { lines: [null] } }));

  const found = await roundOver(tampering);

  assert.deepEqual(
    found.mismatches.map(({ height, code }) => ({ height, code })),
    [{ height: TIP_HEIGHT, code: 'payload_unreadable' }],
  );
});

for (const { what, changes } of [
  { what: 'a block that is not there', changes: { corrects_block_height: 70 } },
  { what: 'itself', changes: { corrects_block_height: TIP_HEIGHT } },
  { what: 'the genesis block', changes: { corrects_block_height: 0 } },
  { what: 'a correction', changes: { corrects_block_height: 11 } },
  { what: 'an event of another tenant', changes: { corrects_block_height: 4 } },
  { what: 'another hash than that of the event', changes: { corrects_block_hash: 'f'.repeat(64) } },
  { what: 'a line that the event does not have', changes: { field: 'lines[2].unit' } },
]) {
  test(`a last block that was sealed anew and corrects ${what} is noticed`, async () => {
    await using copy = await ledger.copy();
    await using tampering = await copy.tampering();
    const height = changes.corrects_block_height ?? 1;
    const [row] = await tampering.all('select hash from blocks where height = ?', height);
    await resealLast(tampering, ({ brand, recorded_at, v }) => ({
      brand,
      correction: {
        changes: [{ field: changes.field ?? 'lines[0].unit', from: 'kg', to: 'g' }],
        corrects_block_hash: changes.corrects_block_hash ?? row?.['hash'] ?? 'f'.repeat(64),
        corrects_block_height: height,
        corrects_event_id: height,
        reason: 'typing error',
      },
      recorded_at,
      type: 'correction',
      v,
    }));
    await tampering.exec(
      `insert into corrections (height, tenant_no, corrects_height, change_count)
       values (${TIP_HEIGHT}, 1, ${height}, 1)`,
    );

    const found = await roundOver(tampering);

    assert.ok(found.codes.includes('correction_invalid'), found.codes.join());
    const invalid = found.mismatches.find(({ code }) => code === 'correction_invalid');
    assert.equal(invalid?.height, TIP_HEIGHT);
  });
}

test('accepting the tip accepts nothing else', async () => {
  await using copy = await ledger.copy();
  await cutTail(copy, 6);
  const recorded = readTipRecord(copy.dataDir);
  await tamperWith(copy, "update events set reference = 'X' where height = 2");

  const report = await verifyDatabase({ ...copy, clock: systemClock, tip: 'accept' });

  assert.equal(report.firstBad, 2);
  assert.deepEqual(readTipRecord(copy.dataDir), recorded);
});

test('a full verification reports its progress up to the last block', async () => {
  const heights: number[] = [];

  const report = await verifyDatabase({
    ...ledger,
    clock: systemClock,
    tip: 'compare',
    onProgress: ({ height, total }) => {
      heights.push(height);
      assert.equal(total, TIP_HEIGHT);
    },
  });

  assert.equal(heights.at(-1), TIP_HEIGHT);
  assert.equal(report.blocks, TIP_HEIGHT + 1);
});

/** Lets a store write its own record and puts the old one back, as if it had never been asked. */
async function withoutTipRecord(copy: StoredLedger, work: () => Promise<void>): Promise<void> {
  const file = tipRecordFile(copy.dataDir);
  await cp(file, `${file}.old`);
  await rm(file);
  await work();
  await tamperWith(copy, 'delete from chain_alarms');
  await cp(`${file}.old`, file);
}

function onFatal(error: Error): never {
  throw error;
}
