// The contract of both engines for everything that reads a ledger: the same ledger, copied, gives the
// same rows in the same order, and so the same answers.
import assert from 'node:assert/strict';
import { glob, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { IN_LIST_MAX } from '@lothub/kit/in-list';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { startTestPostgres, type TestPostgres } from '@lothub/kit/test/postgres/server';
import { chooseRounds } from '@lothub/kit/test/rounds';
import { pino } from 'pino';
import sql from 'sql-template-tag';
import * as importQueries from '../../src/csv-import/queries.ts';
import { listEvents } from '../../src/events/list.ts';
import type { OccurredRange } from '../../src/events/occurred-range.ts';
import * as externalIdQueries from '../../src/events/external-ids.ts';
import * as consoleEventQueries from '../../src/console/events/queries.ts';
import * as consoleLotQueries from '../../src/console/lots/queries.ts';
import * as correctionQueries from '../../src/corrections/queries.ts';
import * as eventQueries from '../../src/events/queries.ts';
import type { EventFilter } from '../../src/events/queries.ts';
import { blockDetail } from '../../src/explorer/block-detail.ts';
import { LotBlocks } from '../../src/explorer/lot-blocks.ts';
import { pageOfBlocks, windowOfBlocks } from '../../src/explorer/block-pages.ts';
import { pageOfTransactions } from '../../src/explorer/pages.ts';
import { textAbovePrefix } from '../../src/explorer/prefix.ts';
import * as blockQueries from '../../src/explorer/block-queries.ts';
import * as decisionQueries from '../../src/explorer/decision-queries.ts';
import * as explorerQueries from '../../src/explorer/queries.ts';
import { searchChain } from '../../src/explorer/search.ts';
import { readStats } from '../../src/explorer/stats.ts';
import { listHubKeys } from '../../src/keys/hub-keys.ts';
import { listKeys } from '../../src/keys/key-store.ts';
import { ChainState } from '../../src/ledger/verify/chain-state.ts';
import { copyToPostgres } from '../../src/ledger/operate/copy-to-postgres.ts';
import * as similarCodes from '../../src/lots/similar-codes.ts';
import { readCorrections } from '../../src/ledger/effective-reader.ts';
import { EVENT_TYPES } from '../../src/ledger/record/event-types.ts';
import { searchable } from '../../src/ledger/record/lot-text.ts';
import { openStore } from '../../src/ledger/open-store.ts';
import { readPrivateValues } from '../../src/ledger/private-values.ts';
import { LedgerReader } from '../../src/ledger/read.ts';
import { migrateLedger } from '../../src/ledger/postgres/migrate-ledger.ts';
import type { LedgerStore } from '../../src/ledger/store.ts';
import { genealogyText } from '../../src/lots/genealogy/answer.ts';
import * as genealogyQueries from '../../src/lots/genealogy/queries.ts';
import { findGenealogy } from '../../src/lots/genealogy/genealogy.ts';
import { listLots } from '../../src/lots/list.ts';
import * as lotChainQueries from '../../src/lots/chain/queries.ts';
import * as decidedHeights from '../../src/lots/decided/heights.ts';
import { lotChain } from '../../src/lots/chain/lot-chain.ts';
import { Notices } from '../../src/lots/notices/notices.ts';
import * as lotQueries from '../../src/lots/queries.ts';
import * as recordedSince from '../../src/lots/recorded-since.ts';
import * as recordQueries from '../../src/lots/record-queries.ts';
import { lotRecord } from '../../src/lots/record.ts';
import * as privacyQueries from '../../src/privacy/queries.ts';
import * as verificationQueries from '../../src/verification/queries.ts';
import { Surroundings } from '../../src/verification/surroundings.ts';
import { verifyLot } from '../../src/verification/verify-lot.ts';
import { offChainContracts } from './off-chain.ts';
import { caseContracts } from './cases.ts';
import { consoleContracts } from './console.ts';
import { dashboardContracts } from './dashboard.ts';
import { followContracts } from './following.ts';
import { TILES_TO_FIND, logContracts } from './log.ts';
import { packageContracts } from './package.ts';
import { recallContracts } from './recall.ts';
import { reportContracts } from './report.ts';
import { supplierContracts } from './suppliers.ts';
import { profileContracts } from './profiles.ts';
import { STRANGE_CODES, buildRichLedger, openRich, type RichLedger } from '../rich-ledger.ts';

/** One engine, with what reads it. */
interface Side {
  readonly store: LedgerStore;
  readonly database: DatabaseReader;
  readonly reader: LedgerReader;
  readonly state: ChainState;
}

let server: TestPostgres;
let ledger: RichLedger;
let dataDir: string;
let sqlite: Side;
let postgres: Side;
/** What there is to ask for. */
let tenantNos: readonly number[];
let lotNos: readonly number[];
let heights: readonly number[];
let lots: readonly { readonly lotNo: number; readonly tenantNo: number; readonly code: string }[];
let references: readonly string[];
let hashes: readonly string[];

before(async () => {
  server = await startTestPostgres();
  ledger = await buildRichLedger();
  dataDir = await mkdtemp(join(tmpdir(), 'lothub-test-'));
  const { url } = await server.createDatabase();
  {
    await using from = openRich(ledger);
    await using to = await PostgresConnection.open(url);
    await migrateLedger(to);
    await copyToPostgres({ from, to });
  }
  sqlite = await openSide({ dataDir: ledger.dataDir });
  postgres = await openSide({ dataDir, databaseUrl: url });
  for (const { store } of [sqlite, postgres]) await store.write(TILES_TO_FIND);
  const { database } = sqlite;
  lots = await database.all(
    sql`select lot_no as "lotNo", tenant_no as "tenantNo", lot_code as code from lots`,
  );
  lotNos = lots.map((lot) => lot.lotNo);
  tenantNos = [...new Set(lots.map((lot) => lot.tenantNo)), 99];
  const blocks = await database.all<{ height: number; hash: string }>(
    sql`select height, hash from blocks order by height`,
  );
  heights = blocks.map((block) => block.height);
  hashes = blocks.map((block) => block.hash);
  const events = await database.all<{ reference: string }>(
    sql`select distinct reference from events order by reference`,
  );
  references = events.map((event) => event.reference);
});

after(async () => {
  await sqlite.store.close();
  await postgres.store.close();
  await ledger[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
  await server[Symbol.asyncDispose]();
});

async function openSide(place: {
  readonly dataDir: string;
  readonly databaseUrl?: string;
}): Promise<Side> {
  const store = await openStore({
    ...place,
    hubName: 'Lothub',
    onFatal: (error) => {
      throw error;
    },
  });
  const state = new ChainState({ store, clock: systemClock, log: pino({ level: 'silent' }) });
  const reader = new LedgerReader({ database: store.reader, state });
  return { store, database: store.reader, reader, state };
}

type Question = (side: Side) => Promise<unknown>;

/** Rows without their order, for queries that promise none. */
function unordered(rows: unknown): unknown {
  assert.ok(Array.isArray(rows));
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

/** Rows of an engine's own making compare as plain objects. */
function plain(answer: unknown): unknown {
  return answer === undefined ? undefined : JSON.parse(JSON.stringify(answer));
}

/** What a side answers, or how it refuses. */
async function settleAnswer(side: Side, ask: Question): Promise<unknown> {
  try {
    return { answer: plain(await ask(side)) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'not_found') return 'not found';
    throw error;
  }
}

/** Asks both; fails when nothing but emptiness was ever answered. */
async function assertAlike(questions: Iterable<Question>): Promise<void> {
  let tellsSomething = false;
  let asked = 0;
  for (const ask of questions) {
    asked += 1;
    const expected = await settleAnswer(sqlite, ask);
    assert.deepEqual(
      await settleAnswer(postgres, ask),
      expected,
      `question ${asked}: ${String(ask)}`,
    );
    tellsSomething ||= !/^(?:"not found"|\{\}|\{"answer":(?:\[\]|null)\})$/.test(
      JSON.stringify(expected),
    );
  }
  assert.ok(tellsSomething, 'every answer was empty');
}

/** Every fifth of a long list of combinations, which has each value of each of them; in the long run all. */
function pickSome(questions: readonly Question[]): readonly Question[] {
  const step = chooseRounds({ usual: 5, long: 1 });
  return questions.filter((_question, index) => index % step === 0);
}

/** Lists of several lengths, with what is not there among them. */
function* varyList<Value>(values: readonly Value[], strangers: readonly Value[]) {
  yield values.slice(0, 1);
  yield strangers.slice(0, 1);
  yield [...values.slice(3, 8).toReversed(), ...strangers];
  yield values.slice(0, IN_LIST_MAX);
}

const lotLists = () => varyList(lotNos, [-1, 1_000_000]);
const heightLists = () => varyList(heights, [-1, 1_000_000]);
const LIMITS = [1, 3, 1_000];
const PREFIXES = ['', 'L', 'LOT', 'LOT%', 'LOT_', 'LOT\\', 'É', 'é', '🥖', '\u{10ffff}', ' ', 'WO'];
const aboves = () => [0, 3, heights.length - 20];
const belows = () => [Number.MAX_SAFE_INTEGER, heights.length - 10, 40, 1];
const tenants = () => [undefined, ...tenantNos];
const quotePages = () =>
  CUSTOMERS.flatMap((text) =>
    tenantNos.flatMap((tenantNo) =>
      [-1, 40].map((above) => ({ tenantNo, text, above, through: 10_000, limit: 30 })),
    ),
  );

/** With and without a fraction of a second, which does not sort as text. */
const OCCURRED_RANGES: readonly OccurredRange[] = [
  { from: undefined, to: undefined },
  { from: '2026-03-02T06:15:00', to: undefined },
  { from: '2026-03-02T06:15:00.5', to: '2026-03-31T00:00:00' },
  { from: undefined, to: '2026-03-02T06:15:00.25' },
];
const eventPages = () =>
  (['newest', 'oldest'] as const).flatMap((end) =>
    LIMITS.flatMap((limit) => belows().map((behind) => ({ end, limit, behind }))),
  );
const filtered =
  (list: readonly number[], filter: EventFilter): Question =>
  async ({ database }) =>
    unordered(await eventQueries.filterEvents(database, list, filter));

function* lotsWithLines() {
  for (const list of lotLists())
    for (const linesMax of [1, 3, 1_000]) yield { lotNos: list, linesMax };
}

type Questions = () => Iterable<Question>;

/** The questions to each query; `of` names every query that a file exports. */
const QUERIES: readonly {
  readonly subjects: object;
  readonly file: string;
  readonly questions: Readonly<Record<string, Questions>>;
}[] = [
  {
    file: 'lots/similar-codes.ts',
    subjects: similarCodes,
    questions: {
      *similarCodes() {
        for (const lotCode of ['flour-1', 'FLOUR 1', 'flour1', 'nothing', ...STRANGE_CODES])
          yield ({ database }) =>
            similarCodes.similarCodes(database, { lotCode, brand: undefined });
      },
      *noSuchLot() {
        const asked = ['flour-1', ' FLOUR-1', 'nothing', '.', ...STRANGE_CODES, 'br-1'];
        for (const lotCode of asked)
          for (const tenantId of [...ledger.tenantIds, 'nobody']) {
            yield async ({ database }) =>
              (await similarCodes.noSuchLot(database, { lotCode, tenantId })).facts.similar;
            for (const brand of [tenantId, undefined])
              yield async ({ database }) =>
                (await similarCodes.noSuchLot(database, { lotCode, brand })).facts.similar;
          }
      },
    },
  },
  {
    file: 'lots/queries.ts',
    subjects: lotQueries,
    questions: {
      *lotsReceivedAs() {
        for (const supplierLotCode of [...STRANGE_CODES, 'S lot', 'nothing'])
          for (const tenantNo of [...tenantNos, undefined])
            for (const limit of LIMITS)
              yield ({ database }) =>
                lotQueries.lotsReceivedAs(database, { supplierLotCode, tenantNo, limit });
      },
      *findTenant() {
        for (const id of [...ledger.tenantIds, 'ACME', 'nobody', ''])
          yield ({ database }) => lotQueries.findTenant(database, id);
      },
      *lotsOfCode() {
        for (const code of [...STRANGE_CODES, 'nothing'])
          for (const limit of LIMITS)
            yield ({ database }) => lotQueries.lotsOfCode(database, code, limit);
      },
      *findLot() {
        for (const lotCode of [...STRANGE_CODES, 'nothing'])
          for (const tenantId of [undefined, 'acme', 'zoe', 'nobody'])
            yield ({ database }) => lotQueries.findLot(database, { lotCode, tenantId });
      },
      *lotLabels() {
        for (const list of lotLists())
          yield async ({ database }) => unordered(await lotQueries.lotLabels(database, list));
      },
      *readLotCodes() {
        for (const list of lotLists())
          yield async ({ database }) =>
            unordered([...(await lotQueries.readLotCodes(database, list))]);
      },
      *endsOfLots() {
        for (const start of [0, 40, lotNos.length - 5])
          for (const blocks of ['carrying', 'concerning'] as const)
            for (const end of ['oldest', 'newest'] as const)
              for (const above of aboves())
                for (const limit of LIMITS) {
                  const page = { blocks, end, above, limit, below: heights.length - 3 };
                  const list = lotNos.slice(start, start + lotQueries.LOTS_PER_COMPOUND - 1);
                  yield async ({ database }) =>
                    unordered(await lotQueries.endsOfLots(database, { ...page, lotNos: list }));
                }
      },
      *heightsOfLot() {
        for (const lotNo of lotNos)
          for (const limit of LIMITS)
            yield ({ database }) => lotQueries.heightsOfLot(database, { lotNo, above: 0, limit });
      },
      *pagesOfLot() {
        for (const lotNo of lotNos.slice(0, 20))
          yield ({ database }) =>
            Array.fromAsync(lotQueries.pagesOfLot(database, { lotNo, above: 0, limit: 2 }));
      },
      *lotsWithPrefix() {
        for (const prefix of PREFIXES)
          for (const tenantNo of tenants())
            for (const limit of LIMITS) {
              const search = { prefix, above: textAbovePrefix(prefix), tenantNo, limit };
              yield ({ database }) => lotQueries.lotsWithPrefix(database, search);
            }
      },
    },
  },
  {
    file: 'lots/record-queries.ts',
    subjects: recordQueries,
    questions: {
      *standingsOfLots() {
        for (const list of lotLists())
          yield async ({ database }) =>
            unordered(await recordQueries.standingsOfLots(database, list));
      },
      *readStandings() {
        for (const list of lotLists())
          yield async ({ database }) =>
            unordered([...(await recordQueries.readStandings(database, list)).values()]);
      },
      *filterLots() {
        for (const list of lotLists())
          for (const status of [undefined, 'active', 'depleted', 'disposed', 'recalled'] as const)
            for (const onHold of [undefined, 0, 1] as const)
              yield async ({ database }) =>
                unordered(await recordQueries.filterLots(database, list, { status, onHold }));
      },
      *lotsHoldingText() {
        for (const list of lotLists())
          for (const tenantNo of tenantNos)
            for (const text of SEARCHED)
              yield async ({ database }) =>
                unordered(
                  await recordQueries.lotsHoldingText(database, {
                    tenantNo,
                    lotNos: list,
                    text: searchable(text),
                  }),
                );
      },
      *newestLots() {
        for (const page of lotPages())
          yield ({ database }) => recordQueries.newestLots(database, page);
      },
      *newestLotsOfStatus() {
        for (const page of lotPages())
          for (const status of ['active', 'depleted', 'disposed'] as const)
            yield ({ database }) => recordQueries.newestLotsOfStatus(database, { ...page, status });
      },
      *newestRecalledLots() {
        for (const page of lotPages())
          yield ({ database }) => recordQueries.newestRecalledLots(database, page);
      },
      *newestLotsOnHold() {
        for (const page of lotPages())
          yield ({ database }) => recordQueries.newestLotsOnHold(database, page);
      },
      *accountsOfLots() {
        for (let from = 0; from < lotNos.length; from += 31)
          for (const limit of LIMITS) {
            const page = { lotNos: lotNos.slice(from, from + 31), limit };
            yield async ({ database }) =>
              unordered(await recordQueries.accountsOfLots(database, page));
            yield async ({ database }) =>
              groupOrders(await recordQueries.accountsOfLots(database, page));
          }
      },
      *accountsOfSku() {
        for (const lotNo of lotNos.slice(0, 60))
          for (const productSku of ['FLOUR', 'BREAD', 'roll\\', 'nothing'])
            for (const limit of LIMITS)
              yield ({ database }) =>
                recordQueries.accountsOfSku(database, { lotNo, productSku, limit });
      },
      *lotsWithSkus() {
        for (const list of lotLists())
          for (const skus of [['FLOUR'], ['BREAD', 'roll\\'], ['nothing']])
            yield async ({ database }) =>
              unordered(await recordQueries.lotsWithSkus(database, { lotNos: list, skus }));
      },
      *openHoldsOfLot() {
        for (const lotNo of lotNos)
          for (const limit of LIMITS)
            yield ({ database }) => recordQueries.openHoldsOfLot(database, { lotNo, limit });
      },
      *provenancesOfLot() {
        for (const lotNo of lotNos)
          for (const limit of LIMITS)
            yield ({ database }) => recordQueries.provenancesOfLot(database, { lotNo, limit });
      },
    },
  },
  {
    file: 'lots/genealogy/queries.ts',
    subjects: genealogyQueries,
    questions: {
      *linkEventsOfLots() {
        for (const page of linePages())
          for (const side of ['in', 'out'] as const)
            for (const limit of LIMITS)
              yield ({ database }) =>
                genealogyQueries.linkEventsOfLots(database, { ...page, side, limit });
      },
      *eventsOfReferences() {
        for (const list of varyList(references, ['nothing', '']))
          for (const tenantNo of tenantNos)
            for (const above of aboves())
              for (const limit of LIMITS) {
                const page = { tenantNo, references: list, above, limit };
                yield ({ database }) => genealogyQueries.eventsOfReferences(database, page);
              }
      },
      *lotsOfEvents() {
        for (const list of heightLists())
          for (const side of ['in', 'out'] as const)
            for (const limit of LIMITS)
              yield ({ database }) =>
                genealogyQueries.lotsOfEvents(database, { heights: list, side, limit });
      },
      *eventLabels() {
        for (const list of heightLists())
          yield async ({ database }) =>
            unordered(await genealogyQueries.eventLabels(database, list));
      },
      *deliveriesOfLots() {
        for (const list of lotLists())
          for (const above of aboves())
            for (const limit of LIMITS)
              yield ({ database }) =>
                genealogyQueries.deliveriesOfLots(database, { lotNos: list, above, limit });
      },
      *deliveriesOfSupplierLot() {
        for (const supplierLotCode of ['S-1', 'S-2', 'A', 'S LOT%', 's lot%', 'S \\N'])
          for (const tenantNo of tenantNos)
            for (const lotNo of [0, 5, 20])
              for (const limit of LIMITS) {
                const after = { lotNo, height: 10, lineNo: 0 };
                const page = { tenantNo, supplierLotCode, after, limit };
                yield ({ database }) => genealogyQueries.deliveriesOfSupplierLot(database, page);
              }
      },
    },
  },
  {
    file: 'lots/recorded-since.ts',
    subjects: recordedSince,
    questions: {
      *findProgress() {
        for (const tenantNo of tenantNos)
          yield ({ database }) => recordedSince.findProgress(database, tenantNo);
      },
      *eventsRecordedSince() {
        for (const tenantNo of tenantNos)
          for (const above of aboves())
            for (const limit of LIMITS) {
              const page = { tenantNo, above, limit };
              yield ({ database }) => recordedSince.eventsRecordedSince(database, page);
            }
      },
      *linesOfEvents() {
        for (const list of heightLists())
          for (const limit of LIMITS)
            yield ({ database }) => recordedSince.linesOfEvents(database, { heights: list, limit });
      },
      *findLinesSince() {
        for (const tenantNo of tenantNos)
          for (const above of aboves())
            yield ({ database }) => recordedSince.findLinesSince(database, { tenantNo, above });
      },
    },
  },
  {
    file: 'lots/chain/queries.ts',
    subjects: lotChainQueries,
    questions: {
      *momentsOfEvents() {
        for (const list of heightLists())
          yield async ({ database }) =>
            unordered(await lotChainQueries.momentsOfEvents(database, list));
      },
      *lotsOfSupplierCode() {
        for (const supplierLotCode of ['S-1', 'S-2', 'A', 'S LOT%', 's lot%', 'nothing'])
          for (const tenantNo of tenantNos)
            for (const limit of LIMITS)
              yield ({ database }) =>
                lotChainQueries.lotsOfSupplierCode(database, { tenantNo, supplierLotCode, limit });
      },
    },
  },
  {
    file: 'explorer/block-queries.ts',
    subjects: blockQueries,
    questions: {
      *heightsOfBlocks() {
        const brands = [
          undefined,
          ...ledger.tenantIds.map((tenantId, index) => ({ tenantId, tenantNo: tenantNos[index] })),
          { tenantId: 'nobody', tenantNo: undefined },
        ];
        for (const brand of brands)
          for (const type of [undefined, 'RECEIVE', 'CORRECTION', 'HOLD', 'AUDIT'] as const)
            for (const end of ['newest', 'oldest'] as const)
              for (const offset of [0, 2]) {
                const page = { above: 3, below: 60, end, limit: 7, offset };
                yield ({ database }) =>
                  blockQueries.heightsOfBlocks(database, { brand, type, ...page });
              }
      },
    },
  },
  {
    file: 'explorer/decision-queries.ts',
    subjects: decisionQueries,
    questions: {
      *countDecisions() {
        for (const tenantId of [...ledger.tenantIds, 'nobody'])
          yield ({ database }) => decisionQueries.countDecisions(database, tenantId);
      },
      *heightsOfDecisions() {
        for (const type of ['hold', 'nothing'])
          for (const subject of ['', 'RC-2026-0001'])
            for (const tenantNo of tenants())
              for (const limit of LIMITS)
                yield ({ database }) =>
                  decisionQueries.heightsOfDecisions(database, { type, subject, tenantNo, limit });
      },
    },
  },
  {
    file: 'lots/decided/heights.ts',
    subjects: decidedHeights,
    questions: {
      *newestDecidedHeights() {
        for (const { lotNo } of lots)
          for (const below of [20, Number.MAX_SAFE_INTEGER])
            yield ({ database }) =>
              decidedHeights.newestDecidedHeights(database, { lotNo, below, limit: 2 });
      },
    },
  },
  {
    file: 'explorer/queries.ts',
    subjects: explorerQueries,
    questions: {
      *newestTransactionCounts() {
        for (const tenantNo of tenants())
          for (const atMost of belows())
            for (const limit of LIMITS)
              for (const type of [undefined, 'RECEIVE', 'CORRECTION'] as const)
                for (const above of [-1, 10])
                  yield ({ database }) =>
                    explorerQueries.newestTransactionCounts(database, {
                      ...{ tenantNo, type, above, atMost, limit },
                    });
      },
      *isBlockOfTenant() {
        for (const tenantNo of tenantNos)
          for (const height of [0, 1, 20, heights.length - 5, 1_000_000])
            yield ({ database }) => explorerQueries.isBlockOfTenant(database, { height, tenantNo });
      },
      *heightsOfReference() {
        for (const reference of [...references, 'nothing'])
          for (const tenantNo of tenants())
            for (const limit of LIMITS)
              yield ({ database }) =>
                explorerQueries.heightsOfReference(database, { reference, tenantNo, limit });
      },
      *heightsWithReferencePrefix() {
        for (const prefix of [...PREFIXES, 'R-', 'PO ', 'PO LOT', 'PO É'])
          for (const tenantNo of tenants())
            for (const limit of LIMITS) {
              const search = { prefix, above: textAbovePrefix(prefix), tenantNo, limit };
              yield ({ database }) => explorerQueries.heightsWithReferencePrefix(database, search);
            }
      },
      *heightsWithHashPrefix() {
        for (const prefix of [
          '',
          '0',
          'a',
          'ff',
          ...hashes.slice(0, 5).map((one) => one.slice(0, 4)),
        ])
          for (const tenantNo of tenants())
            for (const limit of LIMITS) {
              const search = { prefix, above: textAbovePrefix(prefix), tenantNo, limit };
              yield ({ database, store: { hashSearch } }) =>
                explorerQueries.heightsWithHashPrefix({ database, hashSearch }, search);
            }
      },
      *findEventStanding() {
        for (const height of [...heights, -1])
          yield ({ database }) => explorerQueries.findEventStanding(database, height);
      },
      *correctionsOfEvent() {
        for (const height of heights)
          for (const limit of [1, 10])
            yield ({ database }) => explorerQueries.correctionsOfEvent(database, { height, limit });
      },
      *lotsOfLines() {
        const places = heights.flatMap((height) => [0, 1, 2].map((lineNo) => ({ height, lineNo })));
        for (const count of [1, 3, explorerQueries.LINES_PER_QUERY])
          for (const start of [0, 60])
            yield async ({ database }) =>
              unordered(
                await explorerQueries.lotsOfLines(database, places.slice(start, start + count)),
              );
      },
    },
  },
  {
    file: 'verification/queries.ts',
    subjects: verificationQueries,
    questions: {
      *linksAt() {
        for (const list of heightLists())
          yield async ({ database }) =>
            unordered(await verificationQueries.linksAt(database, list));
      },
      *originsAndMoves() {
        for (const page of lotsWithLines())
          yield async ({ database }) => {
            const { events, end } = await verificationQueries.originsAndMoves(database, page);
            return [unordered(events), end];
          };
      },
      *salesOfLots() {
        for (const page of lotsWithLines())
          yield async ({ database }) => {
            const { events, end } = await verificationQueries.salesOfLots(database, page);
            return [unordered(events), end];
          };
      },
      *oneSidedLines() {
        for (const list of varyList(references, ['nothing', '']))
          for (const tenantNo of tenantNos)
            for (const eventsMax of LIMITS) {
              const page = { tenantNo, references: list, eventsMax, limit: 100_000 };
              yield async ({ database }) =>
                unordered(await verificationQueries.oneSidedLines(database, page));
            }
      },
    },
  },
  {
    file: 'events/external-ids.ts',
    subjects: externalIdQueries,
    questions: {
      *eventsOfExternalIds() {
        const all = [...STRANGE_CODES.map((code) => `wms ${code}`), 'nothing'];
        for (const tenantNo of tenantNos)
          for (const externalIds of [all, ...all.map((one) => [one]), []])
            yield async ({ database }) =>
              unordered(
                await externalIdQueries.eventsOfExternalIds(database, { tenantNo, externalIds }),
              );
      },
      *blocksOfExternalIds() {
        const all = [...STRANGE_CODES.map((code) => `wms ${code}`), 'fix', 'nothing'];
        for (const tenantNo of tenantNos)
          for (const externalIds of [all, ...all.map((one) => [one]), []])
            yield async ({ database }) =>
              unordered(
                await externalIdQueries.blocksOfExternalIds(database, { tenantNo, externalIds }),
              );
      },
    },
  },
  {
    file: 'corrections/queries.ts',
    subjects: correctionQueries,
    questions: {
      *keptOfCorrection() {
        for (const height of heights.slice(0, 400))
          yield async ({ database }) =>
            unordered(await correctionQueries.keptOfCorrection(database, height));
      },
      *movementsOfLot() {
        for (const lotNo of lotNos)
          for (const after of [-1, 40])
            for (const limit of LIMITS)
              yield ({ database }) =>
                correctionQueries.movementsOfLot(database, {
                  ...{ lotNo, limit, after: { height: after, lineNo: 0 } },
                });
      },
    },
  },
  {
    file: 'console/lots/queries.ts',
    subjects: consoleLotQueries,
    questions: {
      *namedSkus() {
        for (const tenantId of [...ledger.tenantIds, 'nobody'])
          for (const after of ['', 'FLOUR'])
            for (const limit of LIMITS)
              yield ({ database }) =>
                consoleLotQueries.namedSkus(database, { tenantId, after, limit });
      },
      *lotsOfReferences() {
        for (const prefix of PREFIXES)
          for (const tenantNo of tenantNos)
            for (const limit of LIMITS) {
              const search = { prefix, above: textAbovePrefix(prefix), tenantNo, limit, events: 7 };
              yield ({ database }) => consoleLotQueries.lotsOfReferences(database, search);
            }
      },
      *casesCoveringLot() {
        for (const lotNo of lotNos)
          for (const limit of LIMITS)
            yield ({ database }) => consoleLotQueries.casesCoveringLot(database, { lotNo, limit });
      },
    },
  },
  {
    file: 'console/events/queries.ts',
    subjects: consoleEventQueries,
    questions: {
      *casesOfIds() {
        for (const caseIds of [[1], [3, 2, 1], [9_999]])
          yield ({ database }) => consoleEventQueries.casesOfIds(database, caseIds);
      },
    },
  },
  {
    file: 'events/queries.ts',
    subjects: eventQueries,
    questions: {
      *heightsOfEvents() {
        for (const tenantNo of tenantNos)
          for (const page of eventPages())
            for (const narrowed of [
              {},
              ...references.slice(0, 10).map((reference) => ({ reference })),
            ])
              yield ({ database }) =>
                eventQueries.heightsOfEvents(database, { ...page, tenantNo, ...narrowed });
      },
      *heightsOfType() {
        for (const tenantNo of tenantNos)
          for (const page of eventPages())
            for (const eventType of EVENT_TYPES)
              yield ({ database }) =>
                eventQueries.heightsOfType(database, { ...page, tenantNo, eventType });
      },
      *isEventOfTenant() {
        for (const tenantId of [...ledger.tenantIds, 'nobody'])
          for (const height of [...heights, 1_000_000])
            yield ({ database }) => eventQueries.isEventOfTenant(database, { tenantId, height });
      },
      *eventsByOccurrence() {
        for (const tenantNo of tenantNos)
          for (const range of OCCURRED_RANGES)
            yield async ({ database }) =>
              unordered(
                await eventQueries.eventsByOccurrence(database, { tenantNo, range, limit: 10_000 }),
              );
      },
      *filterEvents() {
        for (const list of heightLists()) {
          for (const reference of references.slice(0, 10))
            yield filtered(list, { reference, eventType: 'PRODUCE' });
          for (const lotNo of lotNos.slice(0, 20)) yield filtered(list, { lotNo });
          for (const eventType of EVENT_TYPES) yield filtered(list, { eventType });
          for (const occurred of OCCURRED_RANGES) yield filtered(list, { occurred });
          for (const code of STRANGE_CODES) yield filtered(list, { externalId: `wms ${code}` });
        }
      },
    },
  },
  {
    file: 'csv-import/queries.ts',
    subjects: importQueries,
    questions: {
      *findTip() {
        yield ({ database }) => importQueries.findTip(database);
      },
      *findStoredEvents() {
        const externalIds = STRANGE_CODES.map((code) => `wms ${code}`);
        const { database: stored } = sqlite;
        for (const tenantId of [...ledger.tenantIds, 'nobody'])
          yield async ({ database }) => {
            const keys = await stored.all<{ key: string }>(
              sql`select distinct group_key as key from import_keys order by key limit 100`,
            );
            const groupKeys = [...keys.map((row) => row.key), 'nothing'];
            return await importQueries.findStoredEvents(database, tenantId, {
              externalIds,
              groupKeys,
            });
          };
      },
    },
  },
  {
    file: 'privacy/queries.ts',
    subjects: privacyQueries,
    questions: {
      *linesOfCustomer() {
        for (const customerRef of CUSTOMERS)
          for (const after of [
            { height: 0, lineNo: 0 },
            { height: 40, lineNo: 1 },
          ])
            for (const through of belows()) {
              const page = { customerRef, after, through, limit: 3 };
              yield ({ database }) => privacyQueries.linesOfCustomer(database, page);
            }
      },
      *changesOfCustomer() {
        for (const customerRef of CUSTOMERS)
          for (const side of ['from', 'to'] as const)
            for (const through of belows()) {
              const after = { height: 0, changeNo: 0 };
              const page = { customerRef, side, after, through, limit: 3 };
              yield ({ database }) => privacyQueries.changesOfCustomer(database, page);
            }
      },
      *notesQuoting() {
        for (const text of CUSTOMERS)
          for (const list of heightLists())
            yield async ({ database }) =>
              unordered(await privacyQueries.notesQuoting(database, { text, heights: list }));
      },
      *sealedQuotes() {
        for (const page of quotePages())
          yield ({ database }) => privacyQueries.sealedQuotes(database, page);
      },
      *changeQuotes() {
        for (const page of quotePages())
          yield ({ database }) => privacyQueries.changeQuotes(database, page);
      },
      *sealedOpenings() {
        for (const height of heights)
          yield async ({ database }) =>
            unordered(await privacyQueries.sealedOpenings(database, height));
      },
      *changeOpenings() {
        for (const list of heightLists())
          yield async ({ database }) =>
            unordered(await privacyQueries.changeOpenings(database, list));
      },
      *responsesToCustomer() {
        for (const customerRef of [...CUSTOMERS, 'answered'])
          for (const tenantId of ledger.tenantIds)
            for (const above of [0, 10_000])
              yield ({ database }) =>
                privacyQueries.responsesToCustomer(database, {
                  ...{ tenantId, customerRef, above, limit: 5 },
                });
      },
      *notificationsToCustomer() {
        for (const customerRef of CUSTOMERS)
          for (const tenantNo of tenantNos)
            for (const above of [0, 1_000_001])
              yield ({ database }) =>
                privacyQueries.notificationsToCustomer(database, {
                  ...{ tenantNo, customerRef, above, limit: 5 },
                });
      },
      *blocksWithRecipients() {
        for (const tenantId of ledger.tenantIds)
          for (const caseNo of ['RC-2026-0001', 'RC-2026-0002'])
            for (const above of [-1, 30])
              yield ({ database }) =>
                privacyQueries.blocksWithRecipients(database, {
                  ...{ tenantId, caseNo, above, limit: 5 },
                });
      },
    },
  },
  ...caseContracts(() => ({
    tenantIds: ledger.tenantIds,
    tenantNos,
    lotNos,
    lotCodes: lots.map(({ code }) => code),
  })),
  ...offChainContracts(() => ({ tenantIds: ledger.tenantIds, heights })),
  ...consoleContracts(() => ({ tenantIds: ledger.tenantIds, heights })),
  ...followContracts(() => ({ lotNos, heights, references })),
  ...logContracts(),
  ...reportContracts(() => ({ tenantIds: ledger.tenantIds, lotNos, heights })),
  ...recallContracts(() => ({
    tenantNos,
    lotNos,
    lotCodes: [...new Set(lots.map((lot) => lot.code))],
    heights,
  })),
  ...packageContracts(() => ({
    tenantIds: ledger.tenantIds,
    lotCodes: lots.map((lot) => lot.code),
  })),
  ...supplierContracts(() => ({ tenantIds: ledger.tenantIds, tenantNos, lotNos })),
  ...profileContracts(() => ({ tenantIds: ledger.tenantIds, tenantNos, heights })),
  ...dashboardContracts(() => ({
    tenantIds: ledger.tenantIds,
    tenantNos,
    heights,
    lotNos,
    references,
  })),
];

/** Those of the sales, those of their corrections, and one who bought nothing. */
const CUSTOMERS = [...STRANGE_CODES, ...STRANGE_CODES.map((code) => `not ${code}`), 'nobody'];

/** Of lots, the order of each one's accounts: the lots themselves come in any order. */
function groupOrders(rows: readonly { readonly lotNo: number }[]): unknown {
  return [...Map.groupBy(rows, (row) => row.lotNo)].sort(([a], [b]) => a - b);
}

function* lotPages() {
  for (const tenantNo of tenantNos)
    for (const below of [Number.MAX_SAFE_INTEGER, 50, 1])
      for (const limit of LIMITS) yield { tenantNo, below, limit };
}

function* linePages() {
  for (const list of lotLists())
    for (const above of aboves())
      for (const linesMax of [1, 7, 20_000]) yield { lotNos: list, above, linesMax };
}

test('every file of queries of the console, of imports and of webhooks is asked', async () => {
  const sources = fileURLToPath(new URL('../../src', import.meta.url));
  const files = await Array.fromAsync(
    glob('{console,csv-import,webhooks}/**/*queries*.ts', { cwd: sources }),
  );

  const asked = new Set(QUERIES.map(({ file }) => file));

  assert.ok(files.length > 0);
  assert.deepEqual(
    files.filter((file) => !asked.has(file)),
    [],
    'not asked on both engines: add its functions to a file of contracts of this folder',
  );
});

for (const { file, subjects, questions } of QUERIES) {
  for (const [name, ask] of Object.entries(questions)) {
    test(`${name} of ${file} answers alike on both engines`, async () => {
      await assertAlike(ask());
    });
  }

  test(`every query of ${file} is asked`, () => {
    const exported = Object.entries(subjects).flatMap(([name, value]) =>
      typeof value === 'function' ? [name] : [],
    );

    assert.deepEqual(Object.keys(questions).toSorted(), exported.toSorted());
  });
}

/** Texts that lots may be found by, and some that are patterns elsewhere. */
const SEARCHED = [
  'l',
  'lo',
  'lot',
  'LOT-1',
  'flour',
  'Mill',
  '%',
  '_',
  '\\',
  '%_\\',
  'lot%',
  'lot_',
  '\\n',
  '--',
  "'",
  '"',
  'É',
  'é-1',
  'SS',
  'ß',
  'straße',
  'strasse',
  'i̇',
  '批',
  '批次-',
  '🥖',
  ' ',
  'mühle',
  'roll\\',
  'nothing at all',
];

test('the search of lots finds the same lots in the same order on both engines', async () => {
  const questions: Question[] = [];
  for (const tenantNo of tenantNos)
    for (const text of SEARCHED)
      for (const limit of [1, 7, 1_001])
        questions.push(async ({ store }) => {
          const found: number[] = [];
          let below: number | null = Number.MAX_SAFE_INTEGER;
          while (below !== null) {
            const query = { tenantNo, text: searchable(text), below, limit };
            const page: Awaited<ReturnType<typeof store.lotSearch.lotsWithText>> =
              await store.lotSearch.lotsWithText(query);
            assert.ok(page.lotNos.length <= limit);
            found.push(...page.lotNos);
            below = page.next;
          }
          return found;
        });

  await assertAlike(pickSome(questions));
});

test('the lists of lots are the same on both engines', async () => {
  const questions: Question[] = [];
  for (const tenantId of [...ledger.tenantIds, 'nobody'])
    for (const q of [undefined, ...SEARCHED])
      for (const status of [undefined, 'active', 'disposed', 'recalled'] as const)
        for (const holdStatus of [undefined, 'on_hold', 'released'] as const)
          questions.push(({ database, store }) =>
            listLots(
              { database, lotSearch: store.lotSearch },
              { tenantId, q, status, holdStatus, limit: 20, offset: q === undefined ? 3 : 0 },
            ),
          );

  await assertAlike(pickSome(questions));
});

test('the record, the chain and the genealogy of every lot are the same on both engines', async () => {
  const tenantOf = new Map(
    (
      await sqlite.database.all<{ no: number; id: string }>(
        sql`select tenant_no as no, tenant_id as id from tenants`,
      )
    ).map(({ no, id }) => [no, id]),
  );
  const questions: Question[] = [];
  for (const { tenantNo, code } of lots) {
    const tenantId = tenantOf.get(tenantNo) ?? '';
    questions.push(({ reader }) => lotRecord(reader, { tenantId, lotCode: code }));
  }
  for (const { tenantNo, code } of lots.filter(({ lotNo }) => lotNo % 9 === 0)) {
    const tenantId = tenantOf.get(tenantNo) ?? '';
    questions.push(
      ({ reader }) => lotChain(reader, { tenantId, lotCode: code, after: undefined, limit: 50 }),
      async ({ database }) => {
        const found = await findGenealogy({ database, tenantId, lotCode: code, depth: 5 });
        return found === undefined
          ? undefined
          : (await Array.fromAsync(genealogyText(found))).join('');
      },
    );
  }
  for (const lotCode of ['S-1', 'S-2', 'S LOT%', 'nothing'])
    questions.push(
      ({ reader }) => lotChain(reader, { tenantId: 'acme', lotCode, after: undefined, limit: 5 }),
      async ({ database }) =>
        await findGenealogy({ database, tenantId: 'acme', lotCode, depth: 3 }).then((found) =>
          found === undefined ? undefined : Array.fromAsync(genealogyText(found)),
        ),
    );

  await assertAlike(questions);
});

test('the public pages are the same on both engines', async () => {
  const questions: Question[] = [];
  for (const brand of [undefined, ...ledger.tenantIds, 'nobody']) {
    const list = { filter: { brand }, end: 'newest' } as const;
    questions.push(
      (side) => readStats(side, brand),
      ({ reader }) => pageOfBlocks(reader, { ...list, behind: 1_000_000, limit: 50, offset: 1 }),
      ({ reader }) => pageOfBlocks(reader, { ...list, behind: 60, limit: 7, offset: 0 }),
      ({ reader }) =>
        windowOfBlocks(reader, { filter: { brand }, before: undefined, after: 20, limit: 7 }),
      ({ reader }) =>
        pageOfTransactions(reader, { filter: { brand }, before: undefined, limit: 50, offset: 3 }),
      ({ reader }) =>
        pageOfTransactions(reader, {
          filter: { brand, type: 'RECEIVE' },
          before: { height: 50, index: 1 },
          limit: 9,
          offset: 0,
        }),
    );
    for (const q of [...STRANGE_CODES, '7', 'R-1', hashes[9]?.slice(0, 6) ?? '', 'PO '])
      questions.push(({ reader, store: { hashSearch } }) =>
        searchChain({ reader, hashSearch }, { q, brand }),
      );
    for (const lotCode of ['lot', 'LOT%', 'é-1', 'A', 'A.1'])
      questions.push(
        (side) => new LotBlocks(side).page({ lotCode, brand, before: undefined, limit: 20 }),
        ({ reader, state }) =>
          verifyLot(
            {
              reader,
              state,
              hubName: 'Lothub',
              publicUrl: 'http://hub',
              notices: new Notices({ database: reader.database, publicUrl: 'http://hub' }),
              surroundings: new Surroundings({ reader, state }),
            },
            { lotCode, brand },
          ),
      );
  }
  for (const height of heights)
    questions.push(async ({ reader }) => {
      const block = await reader.findBlock(height);
      return block === undefined ? undefined : blockDetail(reader, block);
    });

  await assertAlike(questions);
});

test('blocks, events with their private values, keys and alarms are the same on both engines', async () => {
  const questions: Question[] = [
    ({ reader }) => reader.head(),
    ({ reader }) => reader.chainId(),
    ({ reader }) => reader.blocks(heights.toReversed()),
    ({ reader }) => reader.newest(sql`height < ${90}`, 20, 3),
    async ({ store }) => await listKeys({ reader: store.reader, write: () => Promise.resolve([]) }),
    ...[undefined, ...ledger.tenantIds].map(
      (tenantId): Question =>
        ({ database }) =>
          listHubKeys(database, { tenantId, before: null, nowMs: 0 }),
    ),
    async ({ reader }) => [...(await readCorrections(reader, heights))],
    async ({ reader, database }) => {
      const corrections = await readCorrections(reader, heights);
      const values = await readPrivateValues(database, heights, corrections);
      return heights.map((height) => {
        const { notes, lines } = values.effective(height);
        return [values.sealed(height).notes, notes, [...lines].sort(([a], [b]) => a - b)];
      });
    },
    async ({ state }) => {
      await state.refresh();
      return state.condition;
    },
    ...ledger.tenantIds.map(
      (tenantId): Question =>
        ({ reader }) =>
          listEvents(reader, {
            tenantId,
            end: 'newest',
            behind: Number.MAX_SAFE_INTEGER,
            limit: 200,
          }),
    ),
  ];

  await assertAlike(questions);
});
