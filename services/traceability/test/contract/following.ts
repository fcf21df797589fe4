// What the contracts of both engines ask of following the chain and of the outbox of a case: each query for
// its answers, and those that could grow for their plans.
import type { DatabaseReader } from '@lothub/kit/database';
import { IN_LIST_MAX } from '@lothub/kit/in-list';
import * as caseLotQueries from '../../src/recall/case/lot-queries.ts';
import * as editQueries from '../../src/recall/edit/queries.ts';
import * as followQueries from '../../src/recall/follow/queries.ts';
import * as notificationQueries from '../../src/recall/outbox/queries.ts';
import { AUDIENCES } from '../../src/recall/notification-status.ts';
import { NOTIFICATION_STATUSES } from '../../src/terms.ts';

type Question = (side: { readonly database: DatabaseReader }) => Promise<unknown>;

/** What there is to ask for; known when the ledger has been built. */
export interface Given {
  readonly lotNos: readonly number[];
  readonly heights: readonly number[];
  readonly references: readonly string[];
}

const CASE_IDS = [1, 2, 3];
const LIMITS = [1, 3, 1_000];

/** Rows without their order, for queries that promise none. */
function unordered(rows: readonly unknown[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

function* varyList(values: readonly number[]): Generator<readonly number[]> {
  yield values.slice(0, 1);
  yield [1_000_000];
  yield [...values.slice(3, 8).toReversed(), 1_000_000];
  yield values.slice(0, IN_LIST_MAX);
}

export function followContracts(given: () => Given) {
  const lotLists = () => varyList(given().lotNos);
  const heightLists = () => varyList(given().heights);
  /** Queries of events by their heights, which promise no order. */
  const byHeights = (
    ask: (database: DatabaseReader, heights: readonly number[]) => Promise<readonly unknown[]>,
  ) =>
    function* (): Iterable<Question> {
      for (const heights of heightLists())
        yield async ({ database }) => unordered(await ask(database, heights));
    };
  return [
    {
      file: 'recall/case/lot-queries.ts',
      subjects: caseLotQueries,
      questions: {
        *lotsOfCaseAmong(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            for (const lotNos of lotLists())
              yield async ({ database }) =>
                unordered(await caseLotQueries.lotsOfCaseAmong(database, { caseId, lotNos }));
        },
        *everCoveredAmong(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            for (const lotNos of lotLists())
              yield async ({ database }) =>
                unordered(await caseLotQueries.everCoveredAmong(database, { caseId, lotNos }));
        },
        *lotsOfCase(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            for (const after of [0, 40])
              for (const limit of LIMITS)
                yield ({ database }) =>
                  caseLotQueries.lotsOfCase(database, { caseId, after, limit });
        },
        *notifiedAmong(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            for (const audience of AUDIENCES)
              for (const recipients of [['lot', 'LOT%', 'nobody'], ['é-1']])
                yield async ({ database }) =>
                  unordered(
                    await caseLotQueries.notifiedAmong(database, { caseId, audience, recipients }),
                  );
        },
      },
    },
    {
      file: 'recall/edit/queries.ts',
      subjects: {
        lotsByHand: editQueries.lotsByHand,
        namedLotsByHand: editQueries.namedLotsByHand,
        countByHand: editQueries.countByHand,
        newestEdits: editQueries.newestEdits,
        countEdits: editQueries.countEdits,
      },
      questions: {
        *lotsByHand(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            for (const after of [0, 3])
              for (const limit of LIMITS)
                yield ({ database }) => editQueries.lotsByHand(database, { caseId, after, limit });
        },
        *namedLotsByHand(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            for (const said of editQueries.BY_HAND)
              for (const above of [0, 3])
                for (const limit of LIMITS)
                  yield ({ database }) =>
                    editQueries.namedLotsByHand(database, { caseId, said, above, limit });
        },
        *countByHand(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            yield ({ database }) => editQueries.countByHand(database, caseId);
        },
        *newestEdits(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            for (const limit of LIMITS)
              yield ({ database }) => editQueries.newestEdits(database, { caseId, limit });
        },
        *countEdits(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            yield ({ database }) => editQueries.countEdits(database, caseId);
        },
      },
    },
    {
      file: 'recall/follow/queries.ts',
      subjects: followQueries,
      questions: {
        *readFollowing(): Iterable<Question> {
          yield ({ database }) => followQueries.readFollowing(database);
        },
        *findHash(): Iterable<Question> {
          for (const height of [0, 12])
            yield ({ database }) => followQueries.findHash(database, height);
        },
        *correctionsBetween(): Iterable<Question> {
          for (const above of [0, 30])
            for (const through of [20, 1_000])
              yield async ({ database }) =>
                unordered(await followQueries.correctionsBetween(database, { above, through }));
        },
        *eventsAt(): Iterable<Question> {
          for (const heights of heightLists())
            yield ({ database }) => followQueries.eventsAt(database, heights);
        },
        coveredLines: byHeights(followQueries.coveredLines),
        excludedLines: byHeights(followQueries.excludedLines),
        lotsMentionedAt: byHeights(followQueries.lotsMentionedAt),
        coveredDeliveries: byHeights(followQueries.coveredDeliveries),
        deliveriesAmong: byHeights(followQueries.deliveriesAmong),
        lotsOnSides: byHeights(followQueries.lotsOnSides),
        soldLinesAt: byHeights(followQueries.soldLinesAt),
        suppliersAt: byHeights(followQueries.suppliersAt),
        *coveredAmong(): Iterable<Question> {
          for (const lotNos of lotLists())
            yield async ({ database }) =>
              unordered(await followQueries.coveredAmong(database, lotNos));
        },
        *excludedAmong(): Iterable<Question> {
          for (const lotNos of lotLists())
            yield async ({ database }) =>
              unordered(await followQueries.excludedAmong(database, lotNos));
        },
        *readOneSidedEvents(): Iterable<Question> {
          for (const tenantNo of [1, 2, 3])
            for (const references of [given().references.slice(0, IN_LIST_MAX), ['nothing']])
              yield async ({ database }) =>
                unordered(
                  await followQueries.readOneSidedEvents(database, {
                    ...{ tenantNo, references, limit: 1_000 },
                  }),
                );
        },
        *casesOfLots(): Iterable<Question> {
          for (const lotNos of lotLists())
            for (const after of [
              { lotNo: 0, caseId: 0 },
              { lotNo: lotNos[0] ?? 0, caseId: 1 },
            ])
              for (const limit of LIMITS)
                yield ({ database }) =>
                  followQueries.casesOfLots(database, { lotNos, after, limit });
        },
        *findFollowedCase(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            yield ({ database }) => followQueries.findFollowedCase(database, caseId);
        },
        *findOpenCaseAfter(): Iterable<Question> {
          for (const after of [0, ...CASE_IDS])
            yield async ({ database }) =>
              (await followQueries.findOpenCaseAfter(database, after)) ?? 'none';
        },
        *casesExcludingLots(): Iterable<Question> {
          for (const lotNos of lotLists())
            for (const after of [
              { lotNo: 0, caseId: 0 },
              { lotNo: lotNos[0] ?? 0, caseId: 1 },
            ])
              for (const limit of LIMITS)
                yield ({ database }) =>
                  followQueries.casesExcludingLots(database, { lotNos, after, limit });
        },
      },
    },
    {
      file: 'recall/outbox/queries.ts',
      subjects: {
        notificationsOfCase: notificationQueries.notificationsOfCase,
        findNotification: notificationQueries.findNotification,
        countNotifications: notificationQueries.countNotifications,
        respondedCustomers: notificationQueries.respondedCustomers,
      },
      questions: {
        *notificationsOfCase(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            for (const audience of [undefined, ...AUDIENCES])
              for (const status of [undefined, ...NOTIFICATION_STATUSES])
                for (const above of [0, 3]) {
                  const page = { caseId, audience, status, above, limit: 5 };
                  yield ({ database }) => notificationQueries.notificationsOfCase(database, page);
                }
        },
        *findNotification(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            for (const notificationId of [1_000_001, 1_000_002, 999])
              yield ({ database }) =>
                notificationQueries.findNotification(database, { caseId, notificationId });
        },
        *countNotifications(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            yield async ({ database }) =>
              unordered(await notificationQueries.countNotifications(database, caseId));
        },
        *respondedCustomers(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            for (const above of [0, 4])
              for (const limit of LIMITS)
                yield ({ database }) =>
                  notificationQueries.respondedCustomers(database, { caseId, above, limit });
        },
      },
    },
  ];
}

const many = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index + 60);

/** Following asks for as many at once. */
const BLOCKS = many(500);

/** Queries that look at no more rows than their blocks have lines, or than their limits. */
export const FOLLOW_PLANS: Readonly<
  Record<string, (database: DatabaseReader) => Promise<unknown>>
> = {
  // The ledger of the plans has no head, which is requested besides.
  'how far the chain was followed': (database) =>
    followQueries.readFollowing(database).catch(() => undefined),
  'corrections among some blocks': (database) =>
    followQueries.correctionsBetween(database, { above: 70_000, through: 70_200 }),
  'events of some blocks': (database) => followQueries.eventsAt(database, BLOCKS),
  'lines of some blocks that cases cover': (database) =>
    followQueries.coveredLines(database, BLOCKS),
  'lines of some blocks that cases exclude': (database) =>
    followQueries.excludedLines(database, BLOCKS),
  'lots that some blocks mention': (database) => followQueries.lotsMentionedAt(database, BLOCKS),
  'blocks that may deliver what cases cover': (database) =>
    followQueries.deliveriesAmong(database, BLOCKS),
  'those of some lots that open cases cover': (database) =>
    followQueries.coveredAmong(database, many(500)),
  'those of some lots that open cases exclude': (database) =>
    followQueries.excludedAmong(database, many(500)),
  'one-sided events of some references': (database) =>
    followQueries.readOneSidedEvents(database, {
      tenantNo: 1,
      references: many(500).map((number) => `WO-${number}`),
      limit: 1_000,
    }),
  'deliveries of some blocks that cases cover': (database) =>
    followQueries.coveredDeliveries(database, BLOCKS),
  'lots on the sides of some blocks': (database) => followQueries.lotsOnSides(database, BLOCKS),
  'sold lines of some blocks': (database) => followQueries.soldLinesAt(database, BLOCKS),
  'suppliers of some blocks': (database) => followQueries.suppliersAt(database, BLOCKS),
  'open cases of some lots': (database) =>
    followQueries.casesOfLots(database, {
      lotNos: many(500),
      after: { lotNo: 0, caseId: 0 },
      limit: 500,
    }),
  'open cases that exclude some lots': (database) =>
    followQueries.casesExcludingLots(database, {
      lotNos: many(500),
      after: { lotNo: 0, caseId: 0 },
      limit: 500,
    }),
  'lots of a case by hand': (database) =>
    editQueries.lotsByHand(database, { caseId: 9, after: 0, limit: 500 }),
  'excluded lots of a case': (database) =>
    editQueries.namedLotsByHand(database, { caseId: 9, said: 'excluded', above: 0, limit: 201 }),
  'newest edits of a case': (database) =>
    editQueries.newestEdits(database, { caseId: 9, limit: 100 }),
  'a followed case': (database) => followQueries.findFollowedCase(database, 9),
  'the next open case': (database) => followQueries.findOpenCaseAfter(database, 9),
  'those of some lots that a case covers': (database) =>
    caseLotQueries.lotsOfCaseAmong(database, { caseId: 9, lotNos: many(500) }),
  'those of some lots that a case covered ever': (database) =>
    caseLotQueries.everCoveredAmong(database, { caseId: 9, lotNos: many(500) }),
  'lots of a followed case': (database) =>
    caseLotQueries.lotsOfCase(database, { caseId: 9, after: 0, limit: 500 }),
  'those of some customers that a case has notified': (database) =>
    caseLotQueries.notifiedAmong(database, {
      caseId: 9,
      audience: 'customer',
      recipients: many(500).map((number) => `C-${number}`),
    }),
  'notifications of a case': (database) =>
    notificationQueries.notificationsOfCase(database, { caseId: 9, above: 0, limit: 200 }),
  'notifications of a case by status and audience': (database) =>
    notificationQueries.notificationsOfCase(database, {
      caseId: 9,
      audience: 'customer',
      status: 'ready',
      above: 0,
      limit: 200,
    }),
  'customers who responded': (database) =>
    notificationQueries.respondedCustomers(database, { caseId: 9, above: 0, limit: 500 }),
};
