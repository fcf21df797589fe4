// What PostgreSQL looks at to answer each query is bounded by the query's limit and not by what is
// stored, also for values that the planner does not know when it plans.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DatabaseReader } from '@lothub/kit/database';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { startTestPostgres, type TestPostgres } from '@lothub/kit/test/postgres/server';
import sql, { raw, type Sql } from 'sql-template-tag';
import { findStoredEvents } from '../../src/csv-import/queries.ts';
import { RANGE_SORTED_MAX } from '../../src/events/find-heights.ts';
import * as events from '../../src/events/queries.ts';
import { eventsOfExternalIds } from '../../src/events/external-ids.ts';
import { heightsOfBlocks } from '../../src/explorer/block-queries.ts';
import * as explorer from '../../src/explorer/queries.ts';
import { buildHashSearch } from '../../src/ledger/postgres/store.ts';
import { migrateLedger } from '../../src/ledger/postgres/migrate-ledger.ts';
import * as genealogy from '../../src/lots/genealogy/queries.ts';
import * as lotChain from '../../src/lots/chain/queries.ts';
import { placeOfOwnLot } from '../../src/lots/own-lot.ts';
import * as lots from '../../src/lots/queries.ts';
import { noSuchLot } from '../../src/lots/similar-codes.ts';
import * as records from '../../src/lots/record-queries.ts';
import * as recordedSince from '../../src/lots/recorded-since.ts';
import { deleteChanges, deleteLines, deleteNotes } from '../../src/privacy/erasing-writes.ts';
import * as privacy from '../../src/privacy/queries.ts';
import * as verification from '../../src/verification/queries.ts';
import { notingReader } from '../noting-reader.ts';
import { CASE_FILL, CASE_PLANS } from './cases.ts';
import { DASHBOARD_FILL, DASHBOARD_PLANS } from './dashboard.ts';
import { FOLLOW_PLANS } from './following.ts';
import { LOG_FILL, LOG_PLANS } from './log.ts';
import { PACKAGE_FILL, PACKAGE_PLANS } from './package.ts';
import { RECALL_PLANS } from './recall.ts';
import { REPORT_PLANS } from './report.ts';
import { SUPPLIER_FILL, SUPPLIER_PLANS } from './suppliers.ts';
import { CONSOLE_PLANS } from './console.ts';
import { PROFILE_PLANS } from './profiles.ts';

/** Events; half as many lots. A plan that walks through a table looks at tens of thousands of rows. */
const EVENTS = 60_000;
/** Rows that a query may look at, at every step of its plan: no limit below is above 500. */
const ROWS_MAX = 3_000;
/** Named by one line in six. */
const BUSY_LOT = 77;
const TOP = Number.MAX_SAFE_INTEGER;

let server: TestPostgres;
let connection: PostgresConnection;

before(async () => {
  server = await startTestPostgres();
  const { url } = await server.createDatabase();
  connection = await PostgresConnection.open(url, { connectionsMax: 1 });
  await migrateLedger(connection);
  await connection.transaction((transaction) => transaction.execute(FILL));
  await connection.transaction((transaction) => transaction.execute('analyze'));
});

after(async () => {
  await connection.close();
  await server[Symbol.asyncDispose]();
});

/**
 * Four of five rows are of one tenant, every sixth event has one reference, few are disposals, each
 * occurred a minute after the one before, and one lot is busy.
 */
const FILL = `
  set local session_replication_role = replica;
  create temporary view numbers as
    select n, case when n % 10 < 8 then 1 else 2 + n % 2 end as tenant_no
    from generate_series(1, ${EVENTS}) n;
  insert into tenants (tenant_no, tenant_id, first_height, last_height, events, transactions, lots)
    select n, 't' || n, 1, 1, 1, 1, 1 from generate_series(1, 3) n;
  insert into blocks (height, hash, canonical)
    select n, md5(n::text) || md5((-n)::text), '{}' from generate_series(1, ${2 * EVENTS}) n;
  insert into events (height, tenant_no, event_type, external_id, occurred_at, reference, line_count,
      link_basis)
    select n, tenant_no, case when n % 500 = 7 then 'DISPOSE' else 'CONSUME' end, 'x' || n,
      to_char(timestamp '2026-03-02 06:15:00' + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      case when n % 6 = 2 then 'R-1' else 'WO-' || n / 4 end, 2, n % 3
    from numbers;
  insert into lots (lot_no, tenant_no, lot_code, product_sku, first_height, status, on_hold,
      recalled)
    select n, tenant_no, 'LOT-' || n, 'SKU', n,
      case when n % 3 = 0 then 'active' else 'depleted' end, case when n % 5 = 0 then 1 else 0 end,
      case when n % 7 = 0 then 1 else 0 end
    from numbers where n <= ${EVENTS / 2};
  insert into lines (height, line_no, lot_no, product_sku, direction, quantity, unit, link_basis)
    select n, l, case when l = 1 and n % 3 = 0 then ${BUSY_LOT} else 1 + n * 7 % ${EVENTS / 2} end,
      'SKU', case when l = 0 then 'in' else 'out' end, '1', 'kg', n % 3
    from numbers, generate_series(0, 1) l;
  insert into lot_quantities (lot_no, product_sku, unit)
    select n, 'SKU', 'kg' from numbers where n <= ${EVENTS / 2};
  insert into lot_texts (tenant_no, lot_no, text) select tenant_no, lot_no, 'text' from lots;
  insert into provenances (height, line_no, tenant_no, lot_no, is_leaf, supplier_lot_code)
    select n, 0, tenant_no, case when n % 3 = 0 then ${BUSY_LOT} else n end, 1, 'SUP-' || n % 2
    from numbers;
  insert into corrections (height, tenant_no, corrects_height, change_count)
    select ${EVENTS} + n, tenant_no, case when n % 3 = 0 then 5 else n end, 1 from numbers;
  insert into decisions (height, tenant_id, type, subject)
    select ${EVENTS} + n, 't' || tenant_no, case when n % 500 = 7 then 'hold' else 'response' end, 'x'
    from numbers;
  insert into lot_mentions (height, lot_no) select ${EVENTS} + n, ${BUSY_LOT} from numbers;
  insert into postings (first_height, last_height, actor, came)
    select n, n, 'key', 'key' from numbers;
  insert into import_keys (height, tenant_no, group_key) select n, tenant_no, 'k' || n from numbers;
  insert into private_lines (height, line_no, customer_ref, salt)
    select n, 1, case when n % 6 = 2 then 'BUSY' else 'C-' || n end, '' from numbers;
  insert into private_notes (height, notes, salt) select n, 'notes', '' from numbers;
  insert into private_changes (height, change_no, from_text, to_text, salt)
    select ${EVENTS} + n, 0, case when n % 6 = 2 then 'BUSY' else 'C-' || n end,
      case when n % 6 = 3 then 'BUSY' else 'C-' || n end, '' from numbers;
  insert into lot_holds (lot_no, tenant_no, source, reason, held_by, held_since)
    select case when n % 2 = 0 then ${BUSY_LOT} else n end, case when n % 2 = 0 then 0 else tenant_no end,
      'case ' || n, '', '', '' from numbers;
  ${CASE_FILL}
  ${DASHBOARD_FILL}
  ${LOG_FILL}
  ${SUPPLIER_FILL}
  ${PACKAGE_FILL}
`;

interface Step {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Step[];
}

/** Runs a query with a plan that was made without its values; answers every step of it. */
async function readSteps(query: Sql): Promise<readonly Step[]> {
  return await connection.transaction(async (transaction) => {
    await transaction.execute('set local plan_cache_mode = force_generic_plan');
    await transaction.execute(`prepare asked as ${query.text}`);
    const values = query.values.map((value) => `'${String(value).replaceAll("'", "''")}'`);
    const call = values.length === 0 ? '' : `(${values.join(', ')})`;
    const [row] = await transaction.all<{ readonly 'QUERY PLAN': string }>(
      sql`explain (analyze, timing off, costs off, format json) execute asked ${raw(call)}`,
    );
    await transaction.execute('deallocate asked');
    const [plan] = JSON.parse(row!['QUERY PLAN']) as readonly { readonly Plan: Step }[];
    return [...stepsBelow(plan!.Plan)];
  });
}

function* stepsBelow(step: Step): Generator<Step> {
  yield step;
  for (const below of step.Plans ?? []) yield* stepsBelow(below);
}

function countRows(step: Step): number {
  return (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'];
}

const range = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index);

const MANY = range(60, 500);
const BUSY = range(60, 32);
const ofTenant = { tenantNo: 1, below: TOP, limit: 200 } as const;
const blockPage = { above: 10, below: TOP, limit: 200, offset: 100 } as const;
const eventPage = { tenantNo: 1, limit: 201 } as const;
const counted = { type: undefined, above: -1, limit: 200 } as const;
const hashesIn = (database: DatabaseReader) => ({
  database,
  hashSearch: buildHashSearch(database),
});
const prefix = { prefix: 'WO-', above: 'WO.', limit: 20 } as const;
/** A lot of the first tenant: 77 ends in a digit below eight. */
const OWN_LOT = placeOfOwnLot({ lotCode: `LOT-${BUSY_LOT}`, tenantId: 't1' });
const busyChanges = {
  customerRef: 'BUSY',
  after: { height: EVENTS + 20_000, changeNo: 0 },
  through: TOP,
  limit: 500,
} as const;
const QUOTES = { tenantNo: 1, text: 'BUSY', above: EVENTS / 2, through: TOP, limit: 500 } as const;
const ends = { blocks: 'concerning', above: 0, below: TOP } as const;

const QUERIES: Readonly<Record<string, (database: DatabaseReader) => Promise<unknown>>> = {
  'lots of a code': (database) => lots.lotsOfCode(database, 'LOT-5', 20),
  'a lot': (database) => lots.findLot(database, { lotCode: 'LOT-5', tenantId: 't1' }),
  'labels of lots': (database) => lots.lotLabels(database, MANY),
  'the newest blocks of lots': (database) =>
    lots.endsOfLots(database, { ...ends, lotNos: BUSY, end: 'newest', limit: 20 }),
  'the oldest blocks of a busy lot': (database) =>
    lots.endsOfLots(database, { ...ends, lotNos: [BUSY_LOT], end: 'oldest', limit: 500 }),
  'lots by prefix': (database) =>
    lots.lotsWithPrefix(database, {
      prefix: 'LOT-',
      above: 'LOT.',
      tenantNo: undefined,
      limit: 20,
    }),
  'lots of a tenant by prefix': (database) =>
    lots.lotsWithPrefix(database, { prefix: 'LOT-', above: 'LOT.', tenantNo: 1, limit: 20 }),
  'standings of lots': (database) => records.standingsOfLots(database, MANY),
  'lots that a filter leaves': (database) =>
    records.filterLots(database, MANY, { status: 'active', onHold: 0 }),
  'lots holding a text': (database) =>
    records.lotsHoldingText(database, { tenantNo: 1, lotNos: MANY, text: 'tex' }),
  'newest lots': (database) => records.newestLots(database, ofTenant),
  'newest lots of a status': (database) =>
    records.newestLotsOfStatus(database, { ...ofTenant, status: 'active' }),
  'newest recalled lots': (database) => records.newestRecalledLots(database, ofTenant),
  'newest lots on hold': (database) => records.newestLotsOnHold(database, ofTenant),
  'accounts of lots': (database) => records.accountsOfLots(database, { lotNos: BUSY, limit: 101 }),
  'holds of a busy lot': (database) =>
    records.openHoldsOfLot(database, { lotNo: BUSY_LOT, limit: 101 }),
  'provenances of a busy lot': (database) =>
    records.provenancesOfLot(database, { lotNo: BUSY_LOT, limit: 201 }),
  'provenances of a lot that is looked up': (database) =>
    records.provenancesOfLot(database, { lotNo: OWN_LOT.lotNo, limit: 201 }),
  'accounts of a lot that is looked up': (database) =>
    records.accountsOfLots(database, { lotNos: [OWN_LOT.lotNo], limit: 101 }),
  'events that link lots': (database) =>
    genealogy.linkEventsOfLots(database, {
      lotNos: MANY,
      side: 'in',
      above: 0,
      linesMax: 400,
      limit: 100,
    }),
  'events of a common reference': (database) =>
    genealogy.eventsOfReferences(database, {
      tenantNo: 1,
      references: ['R-1'],
      above: 30_000,
      limit: 100,
    }),
  'events of rare references': (database) =>
    genealogy.eventsOfReferences(database, {
      tenantNo: 1,
      references: MANY.map((number) => `WO-${number}`),
      above: 0,
      limit: 500,
    }),
  'lots of events': (database) =>
    genealogy.lotsOfEvents(database, { heights: range(1, 64), side: 'in', limit: 100 }),
  'labels of events': (database) => genealogy.eventLabels(database, MANY),
  'deliveries of lots': (database) =>
    genealogy.deliveriesOfLots(database, { lotNos: MANY, above: 0, limit: 200 }),
  'deliveries of a common supplier lot': (database) =>
    genealogy.deliveriesOfSupplierLot(database, {
      tenantNo: 1,
      supplierLotCode: 'SUP-1',
      after: { lotNo: 20_000, height: 0, lineNo: 0 },
      limit: 200,
    }),
  'events recorded since a height': (database) =>
    recordedSince.eventsRecordedSince(database, { tenantNo: 1, above: 100, limit: 500 }),
  'lines recorded since a height': (database) =>
    recordedSince.linesOfEvents(database, { heights: MANY, limit: 2_000 }),
  'moments of events': (database) => lotChain.momentsOfEvents(database, MANY),
  ...Object.fromEntries(
    [undefined, { tenantId: 't1', tenantNo: 1 }].flatMap((brand) =>
      ([undefined, 'DISPOSE', 'CORRECTION', 'HOLD', 'AUDIT'] as const).flatMap((type) =>
        (['newest', 'oldest'] as const)
          .filter(() => brand === undefined || type !== 'AUDIT')
          .map((end) => [
            `${end} blocks of ${brand?.tenantId ?? 'all'} of the type ${type ?? 'any'}`,
            (database: DatabaseReader) =>
              heightsOfBlocks(database, { ...blockPage, brand, type, end }),
          ]),
      ),
    ),
  ),
  'newest transactions': (database) =>
    explorer.newestTransactionCounts(database, { ...counted, tenantNo: undefined, atMost: TOP }),
  'newest transactions of a tenant': (database) =>
    explorer.newestTransactionCounts(database, { ...counted, tenantNo: 1, atMost: 40_000 }),
  ...Object.fromEntries(
    (['RECEIVE', 'DISPOSE', 'CORRECTION'] as const).flatMap((type) =>
      [undefined, 1].map((tenantNo) => [
        `newest transactions of ${tenantNo ?? 'all'} of the type ${type}`,
        (database: DatabaseReader) =>
          explorer.newestTransactionCounts(database, { ...counted, tenantNo, type, atMost: TOP }),
      ]),
    ),
  ),
  'whose a block is': (database) => explorer.isBlockOfTenant(database, { height: 7, tenantNo: 1 }),
  'blocks of a common reference': (database) =>
    explorer.heightsOfReference(database, { reference: 'R-1', tenantNo: undefined, limit: 20 }),
  'blocks of a tenant by a common reference': (database) =>
    explorer.heightsOfReference(database, { reference: 'R-1', tenantNo: 1, limit: 20 }),
  'references by prefix': (database) =>
    explorer.heightsWithReferencePrefix(database, { ...prefix, tenantNo: undefined }),
  'references of a tenant by prefix': (database) =>
    explorer.heightsWithReferencePrefix(database, { ...prefix, tenantNo: 1 }),
  'hashes by prefix': (database) =>
    explorer.heightsWithHashPrefix(hashesIn(database), {
      prefix: 'a',
      above: 'b',
      tenantNo: undefined,
      limit: 20,
    }),
  'hashes of a tenant by prefix': (database) =>
    explorer.heightsWithHashPrefix(hashesIn(database), {
      prefix: 'a',
      above: 'b',
      tenantNo: 3,
      limit: 20,
    }),
  'what an event has become': (database) => explorer.findEventStanding(database, 7),
  'corrections of an event': (database) =>
    explorer.correctionsOfEvent(database, { height: 5, limit: 500 }),
  'lots of lines': (database) =>
    explorer.lotsOfLines(
      database,
      range(1, explorer.LINES_PER_QUERY).map((height) => ({ height, lineNo: 0 })),
    ),
  'external ids of a tenant': (database) =>
    eventsOfExternalIds(database, {
      tenantNo: 1,
      externalIds: range(1, 100).map((number) => `x${number}`),
    }),
  'lots that came in under a lot code': async (database) => {
    for (const tenantNo of [1, undefined])
      await lots.lotsReceivedAs(database, { supplierLotCode: 'S-77', tenantNo, limit: 20 });
    return [];
  },
  'codes like that of no lot': async (database) => {
    for (const asked of [{ tenantId: 't1' }, { brand: 't1' }, { brand: undefined }])
      await noSuchLot(database, { lotCode: 'no such lot', ...asked });
    return [];
  },
  'newest events of a tenant': (database) =>
    events.heightsOfEvents(database, { ...eventPage, end: 'newest', behind: TOP }),
  'oldest events of a tenant by a common reference': (database) =>
    events.heightsOfEvents(database, {
      ...eventPage,
      end: 'oldest',
      behind: 0,
      reference: 'R-1',
    }),
  'newest events of a tenant of a rare type': (database) =>
    events.heightsOfType(database, {
      ...eventPage,
      end: 'newest',
      behind: TOP,
      eventType: 'DISPOSE',
    }),
  'the event of an external id': (database) =>
    eventsOfExternalIds(database, { tenantNo: 1, externalIds: ['x77'] }),
  'whose an event is': (database) =>
    events.isEventOfTenant(database, { tenantId: 't1', height: 77 }),
  'events of a wide range of moments': (database) =>
    events.eventsByOccurrence(database, {
      tenantNo: 1,
      range: { from: '2026-03-04', to: undefined },
      limit: RANGE_SORTED_MAX + 1,
    }),
  'events of a short range of moments': (database) =>
    events.eventsByOccurrence(database, {
      tenantNo: 1,
      range: { from: '2026-03-04T01:00:00', to: '2026-03-04T02:00:00.5' },
      limit: RANGE_SORTED_MAX + 1,
    }),
  'events that filters leave': (database) =>
    events.filterEvents(database, MANY, {
      reference: 'R-1',
      lotNo: BUSY_LOT,
      eventType: 'CONSUME',
      occurred: { from: '2026-03-01', to: '2026-03-31' },
    }),
  'stored events of a file': (database) =>
    findStoredEvents(database, 't1', {
      externalIds: range(1, 100).map((number) => `x${number}`),
      groupKeys: range(1, 100).map((number) => `k${number}`),
    }),
  'lines of a busy customer': (database) =>
    privacy.linesOfCustomer(database, {
      customerRef: 'BUSY',
      after: { height: 20_000, lineNo: 0 },
      through: TOP,
      limit: 500,
    }),
  'changes from a busy customer': (database) =>
    privacy.changesOfCustomer(database, { ...busyChanges, side: 'from' }),
  'changes to a busy customer': (database) =>
    privacy.changesOfCustomer(database, { ...busyChanges, side: 'to' }),
  'notes that quote a text': (database) =>
    privacy.notesQuoting(database, { text: 'BUSY', heights: MANY }),
  'notes of a tenant that quote somebody': (database) => privacy.sealedQuotes(database, QUOTES),
  'corrections of a tenant that quote somebody': (database) =>
    privacy.changeQuotes(database, QUOTES),
  'deleting private rows': async (database) => {
    await database.all(deleteLines(MANY.map((height) => ({ height, lineNo: 1 }))));
    await database.all(
      deleteChanges(MANY.map((height) => ({ height: EVENTS + height, changeNo: 0 }))),
    );
    await database.all(deleteNotes(MANY));
  },
  'links of blocks': (database) => verification.linksAt(database, MANY),
  'origins and moves of busy lots': (database) =>
    verification.originsAndMoves(database, { lotNos: MANY, linesMax: 1_000 }),
  'sales of busy lots': (database) =>
    verification.salesOfLots(database, { lotNos: MANY, linesMax: 1_000 }),
  'one-sided lines of a common reference': (database) =>
    verification.oneSidedLines(database, {
      tenantNo: 1,
      references: ['R-1'],
      eventsMax: 500,
      limit: 1_000,
    }),
  ...CASE_PLANS,
  ...DASHBOARD_PLANS,
  ...RECALL_PLANS,
  ...FOLLOW_PLANS,
  ...LOG_PLANS,
  ...REPORT_PLANS,
  ...SUPPLIER_PLANS,
  ...CONSOLE_PLANS,
  ...PROFILE_PLANS,
  ...PACKAGE_PLANS,
};

for (const [what, ask] of Object.entries(QUERIES)) {
  test(`${what}: a bounded number of rows is looked at on PostgreSQL`, async () => {
    const noting = notingReader(connection);
    await ask(noting);
    const steps = [];

    for (const query of noting.queries) steps.push(...(await readSteps(query)));

    assert.notEqual(steps.length, 0);
    assert.deepEqual(
      steps
        .filter((step) => countRows(step) > ROWS_MAX)
        .map((step) => [step['Node Type'], countRows(step)]),
      [],
    );
  });
}
