// No query of the public pages scans a table or sorts one: its time does not grow with the chain.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { TEST_CALLER, makeEvent, makeLine, openTestLedger, notePlans } from '../../test/ledger.ts';
import { correctEvent } from '../corrections/correct.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { Notices } from '../lots/notices/notices.ts';
import { readRecordedEvents } from '../lots/chain/recorded-event.ts';
import { Surroundings } from '../verification/surroundings.ts';
import { verifyLot } from '../verification/verify-lot.ts';
import { blockDetail } from './block-detail.ts';
import { BLOCK_TYPES, type BlockFilter } from './filter.ts';
import type { ListQuery } from './list-query.ts';
import { LotBlocks } from './lot-blocks.ts';
import { pageOfTransactions } from './pages.ts';
import { pageOfBlocks, windowOfBlocks } from './block-pages.ts';
import { searchChain, type SearchDeps } from './search.ts';
import { readStats } from './stats.ts';

let hashPrefix = '';
const ledger = await openForFile(openTestLedger());
before(async () => {
  const [first = 0] = await ledger.record([
    makeEvent('RECEIVE', [makeLine('in', 'FLOUR-1')]),
    makeEvent('PRODUCE', [makeLine('in', 'FLOUR-1'), makeLine('out', 'DOUGH-1')]),
    makeEvent('CONSUME', [makeLine('in', 'DOUGH-1')], { reference: 'WO-2' }),
    makeEvent('PRODUCE', [makeLine('out', 'BREAD-1')], { reference: 'WO-2' }),
    makeEvent('SELL', [makeLine('out', 'BREAD-1')]),
  ]);
  for (const to of ['BAKERY-2', 'BAKERY-3']) await moveTo(first, to);
  const block = await ledger.reader.findBlock(3);
  hashPrefix = block!.hash.slice(0, 6);
});

/** Corrects where an event happened, and the quantity of its first line. */
async function moveTo(eventId: number, location: string): Promise<void> {
  const [event] = await readRecordedEvents(ledger.reader, [eventId]);
  const now = event!.effectiveView();
  await correctEvent(
    {
      corrects_event_id: eventId,
      reason: 'wrong dock',
      requested_by: 'Ada',
      changes: [
        { field: 'location', old_value: now.location, new_value: location },
        {
          field: 'lines[0].quantity',
          old_value: now.lines[0]!.quantity,
          new_value: now.lines[0]!.quantity + 1,
        },
      ],
    },
    {
      tenantId: 'bakery',
      caller: TEST_CALLER,
      store: ledger.store,
      reader: ledger.reader,
      newSalt,
    },
  );
}

/** The search by hashes asks its own connection (sqlite/hash-search.test.ts). */
const searchDeps = (reader: LedgerReader): SearchDeps => ({
  reader,
  hashSearch: ledger.store.hashSearch,
});

const page = { limit: 2, offset: 1 };
const blocks = (filter: BlockFilter, behind: number): ListQuery => ({
  ...page,
  filter,
  end: 'newest',
  behind,
});
const PAGES: readonly (readonly [string, (reader: LedgerReader, brand?: string) => unknown])[] = [
  ['blocks', (reader, brand) => pageOfBlocks(reader, blocks({ brand }, 4))],
  [
    'transactions',
    (reader, brand) =>
      pageOfTransactions(reader, { ...page, filter: { brand }, before: { height: 4, index: 1 } }),
  ],
  ['stats', (reader, brand) => readStats({ reader, state: ledger.state }, brand)],
  ['a search by text', (reader, brand) => searchChain(searchDeps(reader), { q: 'BREAD', brand })],
  [
    'a search by reference',
    (reader, brand) => searchChain(searchDeps(reader), { q: 'WO-', brand }),
  ],
  ['a search by type', (reader, brand) => searchChain(searchDeps(reader), { q: 'HOLD', brand })],
  ['a search by height', (reader, brand) => searchChain(searchDeps(reader), { q: '2', brand })],
  [
    'a search by hash',
    (reader, brand) => searchChain(searchDeps(reader), { q: hashPrefix, brand }),
  ],
  ['the newest block', (reader, brand) => pageOfBlocks(reader, blocks({ brand }, 8))],
  [
    'transactions of corrections',
    (reader, brand) =>
      pageOfTransactions(reader, { ...page, filter: { brand }, before: { height: 8, index: 0 } }),
  ],
  [
    'a search by the height of a correction',
    (reader, brand) => searchChain(searchDeps(reader), { q: '7', brand }),
  ],
  ['a corrected block', async (reader) => blockDetail(reader, (await reader.findBlock(1))!)],
  ['a correction', async (reader) => blockDetail(reader, (await reader.findBlock(6))!)],
  [
    'blocks around a lot',
    (reader, brand) =>
      new LotBlocks({ reader, state: ledger.state }).page({
        lotCode: 'BREAD-1',
        brand,
        before: undefined,
        limit: 2,
      }),
  ],
  [
    'verification',
    (reader, brand) =>
      verifyLot(
        {
          reader,
          state: ledger.state,
          hubName: 'Lothub',
          notices: new Notices({ database: reader.database, publicUrl: 'http://hub' }),
          surroundings: new Surroundings({ reader, state: ledger.state }),
          publicUrl: 'http://hub',
        },
        { lotCode: 'BREAD-1', brand },
      ),
  ],
];

/** Every column of the index is given: nothing is read that does not belong to the list. */
const WHOLE_INDEX: readonly RegExp[] = [
  /^SEARCH events USING (?:COVERING )?INDEX events_by_(?:tenant_)?type \((?:tenant_no=\? AND )?event_type=\? AND height>\? AND height<\?\)$/,
  /^SEARCH decisions USING (?:COVERING )?INDEX decisions_by_(?:tenant_)?type \((?:tenant_id=\? AND )?type=\? AND height>\? AND height<\?\)$/,
];

for (const brand of [undefined, 'bakery']) {
  for (const type of BLOCK_TYPES) {
    test(`blocks of the type ${type} of ${brand ?? 'the hub'} are a range of an index, both ways`, async () => {
      const recorded = { recordedFrom: '2026-01-01', recordedTo: '2100-01-01' };
      const filter = { brand, type, ...recorded };

      const plans = await notePlans(ledger, async (reader) => {
        for (const place of [{ before: 4 }, { after: 0 }])
          await windowOfBlocks(reader, {
            before: undefined,
            after: undefined,
            ...place,
            filter,
            limit: 2,
          });
      });

      const ofTables = plans.filter((step) => /^(?:SEARCH|SCAN) (?:events|decisions)\b/.test(step));
      assert.deepEqual(
        ofTables.filter((step) => !WHOLE_INDEX.some((index) => index.test(step))),
        [],
      );
      assert.deepEqual(
        plans.filter(
          (step, index) =>
            /SCAN|TEMP B-TREE|AUTOMATIC/.test(step) && !isBounded(step, index, plans),
        ),
        [],
      );
    });
  }
}

const IN_ORDER =
  /^(?:SCAN ends|SEARCH p USING COVERING INDEX recall_parts_(?:of_case \(case_id=\?|by_case \(case_id=\? AND step_no=\? AND part=\?) AND height<\?\))$/;

/** Steps over what an inner query has cut to a limit, or over values that the query names. */
const BOUNDED =
  /^(?:SCAN ends|SCAN first_lines|SCAN linking|SCAN CONSTANT ROW|SCAN \d+-ROW VALUES CLAUSE|USE TEMP B-TREE FOR DISTINCT)$/;

/**
 * For two tables that are walked as one, what the limit of each has left is put in order; and the moves and edits
 * of the
 * cases of a lot, with the widenings that name it.
 */
function isBounded(step: string, index: number, steps: readonly string[]): boolean {
  if (step === 'USE TEMP B-TREE FOR ORDER BY') return IN_ORDER.test(steps[index - 1] ?? '');
  return BOUNDED.test(step);
}

for (const [what, read] of PAGES) {
  for (const brand of [undefined, 'bakery']) {
    test(`${what} of ${brand ?? 'the hub'} are read through indexes`, async () => {
      const plans = await notePlans(ledger, async (reader) => await read(reader, brand));

      assert.notEqual(plans.length, 0);
      assert.deepEqual(
        plans.filter(
          (step, index) =>
            /SCAN|TEMP B-TREE|AUTOMATIC/.test(step) && !isBounded(step, index, plans),
        ),
        [],
      );
    });
  }
}
