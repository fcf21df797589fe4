// What the contracts of both engines ask of the dashboard, the audit, the operator's overview and keys, and the
// drills: each query for its answers, and those that could grow for their plans.
import type { DatabaseReader } from '@lothub/kit/database';
import * as adminQueries from '../../src/admin/queries.ts';
import * as todayQueries from '../../src/console/today/queries.ts';
import * as dashboardQueries from '../../src/dashboard/queries.ts';
import * as hubKeys from '../../src/keys/hub-keys.ts';
import * as auditReader from '../../src/ledger/audit-reader.ts';
import * as recordedAt from '../../src/ledger/recorded-at.ts';
import * as drillQueries from '../../src/recall/drill/queries.ts';

type Question = (side: { readonly database: DatabaseReader }) => Promise<unknown>;

/** What there is to ask for; known when the ledger has been built. */
export interface Given {
  readonly tenantIds: readonly string[];
  readonly tenantNos: readonly number[];
  readonly heights: readonly number[];
  readonly lotNos: readonly number[];
  readonly references: readonly string[];
}

const TOP = Number.MAX_SAFE_INTEGER;
const LIMITS = [1, 3, 1_000];
const NO_FILTER = { tenantId: undefined, action: undefined, entityId: undefined };

function unordered(rows: readonly unknown[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

export function dashboardContracts(given: () => Given) {
  return [
    {
      file: 'dashboard/queries.ts',
      subjects: dashboardQueries,
      questions: {
        *findTenantOfDashboard(): Iterable<Question> {
          for (const tenantId of [...given().tenantIds, 'nobody'])
            yield ({ database }) => dashboardQueries.findTenantOfDashboard(database, tenantId);
        },
        *countOfTenant(): Iterable<Question> {
          for (const [index, tenantId] of given().tenantIds.entries())
            for (const limit of LIMITS) {
              const tenant = { tenantId, tenantNo: given().tenantNos[index] ?? 1, limit };
              yield ({ database }) => dashboardQueries.countOfTenant(database, tenant);
            }
        },
        *openCasesBySeverity(): Iterable<Question> {
          for (const tenantNo of given().tenantNos)
            for (const limit of LIMITS)
              yield ({ database }) =>
                dashboardQueries.openCasesBySeverity(database, { tenantNo, limit });
        },
        *countEventsAbove(): Iterable<Question> {
          for (const tenantNo of given().tenantNos)
            for (const limit of LIMITS)
              yield ({ database }) =>
                dashboardQueries.countEventsAbove(database, { tenantNo, above: 20, limit });
        },
        *newestEvents(): Iterable<Question> {
          for (const tenantNo of given().tenantNos)
            for (const below of [TOP, 40, 1])
              for (const limit of LIMITS)
                yield ({ database }) =>
                  dashboardQueries.newestEvents(database, { tenantNo, below, limit });
        },
        *linesOfEvents(): Iterable<Question> {
          for (const heights of [given().heights.slice(0, 500), given().heights.slice(-3), [-1]])
            for (const limit of LIMITS)
              yield ({ database }) => dashboardQueries.linesOfEvents(database, { heights, limit });
        },
        *newestLotsOfTenant(): Iterable<Question> {
          for (const tenantNo of given().tenantNos)
            for (const below of [TOP, 50, 1])
              for (const limit of LIMITS)
                yield ({ database }) =>
                  dashboardQueries.newestLotsOfTenant(database, { tenantNo, below, limit });
        },
        *oneSidedEvents(): Iterable<Question> {
          for (const tenantNo of given().tenantNos)
            for (let from = 0; from < given().references.length; from += 31)
              for (const limit of LIMITS) {
                const references = given().references.slice(from, from + 31);
                yield async ({ database }) =>
                  unordered(
                    await dashboardQueries.oneSidedEvents(database, {
                      tenantNo,
                      references,
                      limit,
                    }),
                  );
              }
        },
        *hasErased(): Iterable<Question> {
          for (const tenantId of [...given().tenantIds, 'nobody'])
            yield ({ database }) => dashboardQueries.hasErased(database, tenantId);
        },
        *findLastDrill(): Iterable<Question> {
          for (const tenantNo of given().tenantNos)
            yield ({ database }) => dashboardQueries.findLastDrill(database, tenantNo);
        },
      },
    },
    {
      file: 'console/today/queries.ts',
      subjects: todayQueries,
      questions: {
        *openCasesWaiting(): Iterable<Question> {
          for (const tenantNo of given().tenantNos)
            for (const limit of LIMITS)
              for (const countLimit of LIMITS)
                yield ({ database }) =>
                  todayQueries.openCasesWaiting(database, { tenantNo, limit, countLimit });
        },
      },
    },
    {
      file: 'admin/queries.ts',
      subjects: adminQueries,
      questions: {
        *tenantsAfter(): Iterable<Question> {
          for (const after of ['', 'acme', 'zzz'])
            for (const tenantId of [undefined, 'acme', 'zoe'])
              for (const limit of LIMITS) {
                const page = { after, tenantId, limit, countLimit: 2 };
                yield ({ database }) => adminQueries.tenantsAfter(database, page);
              }
        },
        *throughputAfter(): Iterable<Question> {
          for (const after of ['', 'acme', 'zzz'])
            for (const above of [-1, 20])
              for (const limit of LIMITS) {
                const page = { after, limit, above, countLimit: 2 };
                yield ({ database }) => adminQueries.throughputAfter(database, page);
              }
        },
        *openAlarms(): Iterable<Question> {
          for (const limit of LIMITS)
            // All of them are cleared: that none is reported is the answer.
            yield async ({ database }) => ({
              alarms: await adminQueries.openAlarms(database, limit),
            });
        },
      },
    },
    {
      file: 'ledger/audit-reader.ts',
      subjects: auditReader,
      questions: {
        *newestAuditEntries(): Iterable<Question> {
          for (const tenantId of [undefined, ...given().tenantIds])
            for (const before of [TOP, 9])
              for (const limit of LIMITS) {
                const page = { ...NO_FILTER, tenantId, before, limit };
                yield ({ database }) => auditReader.newestAuditEntries(database, page);
              }
        },
        *readAuditPage(): Iterable<Question> {
          for (const tenantId of [undefined, ...given().tenantIds])
            for (const action of [undefined, 'hold_lot', 'correct_event'])
              for (const entityType of [undefined, 'lot', 'key'])
                for (const entityId of [undefined, 'lot', 'LOT%'])
                  yield ({ database }) =>
                    auditReader.readAuditPage(database, {
                      tenantId,
                      action,
                      entityType,
                      entityId,
                      before: TOP,
                      limit: 3,
                    });
          for (const actor of [undefined, 'a person', 'nobody'])
            for (const since of [undefined, '2026-03-01T00:00:00.000Z'])
              for (const until of [
                undefined,
                '2026-03-02T00:00:00.000Z',
                '2999-01-01T00:00:00.000Z',
              ])
                for (const tenantId of given().tenantIds)
                  yield ({ database }) =>
                    auditReader.readAuditPage(database, {
                      ...{ ...NO_FILTER, entityType: undefined, tenantId, actor, since, until },
                      ...{ before: TOP, limit: 3 },
                    });
        },
        *entryAtOrBelow(): Iterable<Question> {
          for (const id of [TOP, 9, 0])
            yield async ({ database }) =>
              (await auditReader.entryAtOrBelow(database, id)) ?? 'none';
        },
      },
    },
    {
      file: 'ledger/recorded-at.ts',
      subjects: recordedAt,
      questions: {
        *readRecordedTimes(): Iterable<Question> {
          for (const heights of [given().heights, [-1], []])
            yield async ({ database }) =>
              unordered([...(await recordedAt.readRecordedTimes(database, heights))]);
        },
        *lastHeightBefore(): Iterable<Question> {
          for (const moment of ['2000-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'])
            for (const headHeight of [0, 5, given().heights.length - 1])
              yield ({ database }) => recordedAt.lastHeightBefore(database, { moment, headHeight });
        },
      },
    },
    {
      file: 'recall/drill/queries.ts',
      subjects: drillQueries,
      questions: {
        *lotNumbersOfTenant(): Iterable<Question> {
          for (const tenantNo of given().tenantNos)
            yield ({ database }) => drillQueries.lotNumbersOfTenant(database, tenantNo);
        },
        *findLotCodeFrom(): Iterable<Question> {
          for (const tenantNo of given().tenantNos)
            for (const lotNo of [1, 30, given().lotNos.length, TOP])
              yield ({ database }) => drillQueries.findLotCodeFrom(database, { tenantNo, lotNo });
        },
        *newestDrills(): Iterable<Question> {
          for (const tenantId of [...given().tenantIds, 'nobody'])
            for (const limit of LIMITS)
              yield ({ database }) =>
                drillQueries.newestDrills(database, { tenantId, before: TOP, limit });
        },
        *lastDrillId(): Iterable<Question> {
          yield ({ database }) => drillQueries.lastDrillId(database);
        },
        *isNextDrill(): Iterable<Question> {
          for (const drillId of [1, 2])
            yield ({ database }) => database.all(drillQueries.isNextDrill(drillId));
        },
        *findDrill(): Iterable<Question> {
          for (const tenantId of [...given().tenantIds, 'nobody'])
            for (const drillId of [1, 2])
              yield ({ database }) => drillQueries.findDrill(database, { tenantId, drillId });
        },
      },
    },
  ] as const;
}

/** Rows for `DASHBOARD_PLANS`, beside what the plans of other queries need. */
export const DASHBOARD_FILL = `
  insert into audit_entries (at, tenant_id, actor, action, entity_type, entity_id, details)
    select '', case when n < 20 then 't3' else 't1' end, '', case when n % 4 = 0 then 'hold_lot' else 'hold_breach' end, 'lot',
      case when n % 6 = 2 then 'BUSY' else 'LOT-' || n end, '{}'
    from numbers;
  insert into recall_drills (drill_id, tenant_no, lot_code, drilled_at, actor, height, tip_hash,
      elapsed_us, result)
    select n, tenant_no, 'LOT-1', '', '', 1, '', 1, '{}' from numbers;
  insert into api_keys (key_id, role, label, key_hash, tenant_id, origin, created_at)
    select 'k' || n, 'tenant', '', n, 't' || tenant_no, 'issued', '2026-03-' || n % 28 from numbers;
`;

const ofTenant = { tenantNo: 1, limit: 500 } as const;
const auditPage = { ...NO_FILTER, tenantId: 't1', before: TOP, limit: 200 } as const;
const HEIGHTS = Array.from({ length: 500 }, (_, index) => 60 + index);

/** A tenant that has nothing. */
const rare = { tenantNo: 99, limit: 500 } as const;

export const DASHBOARD_PLANS: Readonly<
  Record<string, (database: DatabaseReader) => Promise<unknown>>
> = {
  'counts of a tenant': (database) =>
    dashboardQueries.countOfTenant(database, { ...ofTenant, tenantId: 't1' }),
  'counts of a tenant that has nothing': (database) =>
    dashboardQueries.countOfTenant(database, { ...rare, tenantId: 't99' }),
  'what a tenant has that has nothing': async (database) => {
    await dashboardQueries.openCasesBySeverity(database, rare);
    await dashboardQueries.countEventsAbove(database, { ...rare, above: 100 });
    await dashboardQueries.newestEvents(database, { ...rare, below: TOP });
    await dashboardQueries.newestLotsOfTenant(database, { ...rare, below: TOP });
    await dashboardQueries.findLastDrill(database, 99);
    await drillQueries.lotNumbersOfTenant(database, 99);
  },
  'open cases of a tenant': (database) => dashboardQueries.openCasesBySeverity(database, ofTenant),
  'events of a tenant since a block': (database) =>
    dashboardQueries.countEventsAbove(database, { ...ofTenant, above: 100 }),
  'newest events of a tenant with what links them': (database) =>
    dashboardQueries.newestEvents(database, { ...ofTenant, below: TOP }),
  'lines of events with their customers': (database) =>
    dashboardQueries.linesOfEvents(database, { heights: HEIGHTS, limit: 2_000 }),
  'newest lots of a tenant that are over-issued or not': (database) =>
    dashboardQueries.newestLotsOfTenant(database, { ...ofTenant, below: TOP }),
  'one-sided events of common and rare references': (database) =>
    dashboardQueries.oneSidedEvents(database, {
      tenantNo: 1,
      references: ['R-1', ...Array.from({ length: 30 }, (_, index) => `WO-${index}`)],
      limit: 21,
    }),
  'whether a tenant erased something': (database) => dashboardQueries.hasErased(database, 't1'),
  'the last drill': (database) => dashboardQueries.findLastDrill(database, 1),
  'open cases of a tenant with what they wait for': (database) =>
    todayQueries.openCasesWaiting(database, { ...ofTenant, countLimit: 500 }),
  'open cases of a tenant that has none': (database) =>
    todayQueries.openCasesWaiting(database, { ...rare, countLimit: 500 }),
  'all tenants': (database) =>
    adminQueries.tenantsAfter(database, {
      after: '',
      tenantId: undefined,
      limit: 3,
      countLimit: 500,
    }),
  'what tenants recorded since a block': (database) =>
    adminQueries.throughputAfter(database, { after: '', limit: 3, above: 100, countLimit: 500 }),
  'keys of the hub, the newest and those behind one, of all brands and of one': async (
    database,
  ) => {
    for (const tenantId of [undefined, 't1'])
      for (const behind of [undefined, { createdAt: '2026-03-10', keyId: 'k100' }])
        await hubKeys.newestKeysBehind(database, { tenantId, behind });
  },
  'newest entries of the audit': (database) =>
    auditReader.newestAuditEntries(database, { ...auditPage, tenantId: undefined }),
  'newest entries of a tenant': (database) => auditReader.newestAuditEntries(database, auditPage),
  'newest entries of a tenant that has few': (database) =>
    auditReader.newestAuditEntries(database, { ...auditPage, tenantId: 't3' }),
  'the entry at an id or below it': (database) => auditReader.entryAtOrBelow(database, 777),
  'entries of a rare action': (database) =>
    auditReader.newestAuditEntries(database, { ...auditPage, action: 'update_brand' }),
  'entries on a thing': (database) =>
    auditReader.newestAuditEntries(database, { ...auditPage, entityId: 'BUSY' }),
  'moments of blocks': (database) => recordedAt.readRecordedTimes(database, HEIGHTS),
  'numbers of the lots of a tenant': (database) => drillQueries.lotNumbersOfTenant(database, 1),
  'a lot at a number or behind it': (database) =>
    drillQueries.findLotCodeFrom(database, { tenantNo: 1, lotNo: 777 }),
  'the greatest number of a drill': (database) => drillQueries.lastDrillId(database),
  'whether a drill is the next one': (database) => database.all(drillQueries.isNextDrill(7)),
  'newest drills of a tenant': (database) =>
    drillQueries.newestDrills(database, { tenantId: 't1', before: TOP, limit: 200 }),
  'a drill of a tenant': (database) =>
    drillQueries.findDrill(database, { tenantId: 't1', drillId: 7 }),
};
