// The dashboard of a tenant: what it has, what is wrong with it, and how well it could be traced
// (docs/interface/traceability.md#summary).
import { setTimeout as sleep } from 'node:timers/promises';
import { askTogether, type DatabaseReader } from '@lothub/kit/database';
import { instantText, type Clock } from '@lothub/kit/clock';
import { buildRecord } from '@lothub/kit/build-record';
import { inTurns } from '@lothub/kit/in-turns';
import type { Static } from 'typebox';
import { newestAuditEntries, type AuditRow } from '../ledger/audit-reader.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import { chainSummary } from '../ledger/chain-summary.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { lastHeightBefore, readRecordedTimes } from '../ledger/recorded-at.ts';
import { cappedCount } from '../lots/capped-count.ts';
import { lotLabels } from '../lots/queries.ts';
import { countInbound } from '../recall/inbound/inbound.ts';
import { SEVERITIES } from '../terms.ts';
import { SAMPLE_MAX, computeScore, daysSince, judgeDrill, judgeWindow } from './compliance.ts';
import type { Check, Found } from './compliance.ts';
import { EVENTS_COUNTED_MAX, type EventCounts } from './event-counts.ts';
import type { KeptChecks } from './kept-checks.ts';
import {
  countOfTenant,
  findLastDrill,
  findTenantOfDashboard,
  newestEvents,
  openCasesBySeverity,
} from './queries.ts';
import type { DashboardTenant, DrillRow, SeverityCount, TenantCounts } from './queries.ts';
import type { SummarySchema } from './schema.ts';
import { readWindow } from './window.ts';

/** Lots on hold or recalled, and entries of the audit, that are counted: a few milliseconds. */
const COUNTED_MAX = 20_000;
/** Open cases that are counted; people open them. */
const CASES_COUNTED_MAX = 10_000;
const BREACHES_SHOWN = 5;
const MS_PER_DAY = 24 * 3_600_000;
/** As long as a page waits for checks; those of a large tenant take some tenths of a second. */
const CHECK_PATIENCE_MS = 50;
const TOP = Number.MAX_SAFE_INTEGER;

export type Summary = Static<typeof SummarySchema>;
type Compliance = Summary['compliance'];

/** What the checks on the ledger found of a tenant; nothing of it changes with the clock. */
export interface LedgerChecks {
  readonly checks: readonly LabelledCheck[];
  readonly lookedAt: Compliance['looked_at'];
}

interface LabelledCheck {
  readonly check: Check;
  readonly sample: Compliance['checks'][number]['sample'];
}

export interface SummaryDeps {
  readonly reader: LedgerReader;
  readonly state: ChainState;
  readonly clock: Clock;
  readonly kept: KeptChecks<LedgerChecks>;
  readonly eventCounts: EventCounts;
}

/** A tenant that has recorded nothing has a dashboard as well. */
export async function readSummary(deps: SummaryDeps, tenantId: string): Promise<Summary> {
  const standing = await readStanding(deps, tenantId);
  return { ...standing.summary, compliance: await readCompliance(deps, standing) };
}

/** What is read of a tenant at once, and what its checks are judged by. */
export interface Standing {
  readonly summary: Omit<Summary, 'compliance'>;
  readonly tenant: DashboardTenant | undefined;
  readonly lastDrill: DrillRow | undefined;
  /** Its height. */
  readonly newestEvent: number | undefined;
  readonly nowMs: number;
}

/** All of the dashboard but its checks. */
export async function readStanding(
  deps: Omit<SummaryDeps, 'kept'>,
  tenantId: string,
): Promise<Standing> {
  const { reader, clock, eventCounts } = deps;
  const nowMs = clock.nowMs();
  const [head, tenant] = await reader.together((one) =>
    Promise.all([one.head(), findTenantOfDashboard(one.database, tenantId)]),
  );
  const dayAgo = await lastHeightBefore(reader.database, {
    moment: instantText(nowMs - MS_PER_DAY),
    headHeight: head.height,
  });
  const figures = await readFigures(reader.database, {
    ...{ tenant, tenantId, eventCounts },
    above: dayAgo,
  });
  const { counts, cases, breaches, events24h, lastEventAt, lastDrill } = figures;
  const inbound = await countInbound(reader.database, tenantId);
  const summary = {
    lots_total: tenant?.lots ?? 0,
    ...cappedCount('lots_on_hold', counts.lotsOnHold, COUNTED_MAX),
    ...cappedCount('lots_recalled', counts.lotsRecalled, COUNTED_MAX),
    ...countedCases(cases),
    inbound_recalls: inbound.count,
    ...(inbound.isExact ? {} : { inbound_recalls_is_exact: false as const }),
    events_total: tenant?.events ?? 0,
    ...cappedCount('events_24h', events24h, EVENTS_COUNTED_MAX),
    last_event_at: lastEventAt,
    chain: await chainSummary(deps, head),
    hold_breaches: {
      ...cappedCount('count', counts.holdBreaches, COUNTED_MAX),
      latest: breaches.map(({ at, entityId, blockHeight }) => ({
        at,
        lot_code: entityId,
        event_id: blockHeight,
      })),
    },
  };
  return { summary, tenant, lastDrill, newestEvent: figures.newestEvent, nowMs };
}

interface Figures {
  readonly counts: TenantCounts;
  readonly cases: readonly SeverityCount[];
  readonly breaches: readonly AuditRow[];
  readonly events24h: number;
  readonly lastEventAt: string | null;
  readonly newestEvent: number | undefined;
  readonly lastDrill: DrillRow | undefined;
}

async function readFigures(
  database: DatabaseReader,
  query: {
    readonly tenant: DashboardTenant | undefined;
    readonly tenantId: string;
    readonly above: number;
    readonly eventCounts: EventCounts;
  },
): Promise<Figures> {
  const { tenant, tenantId, above, eventCounts } = query;
  const tenantNo = tenant?.tenantNo ?? NO_TENANT;
  const [counts, cases, breaches, events24h, newest, lastDrill] = await askTogether(
    database,
    (one) =>
      Promise.all([
        countOfTenant(one, { tenantNo, tenantId, limit: COUNTED_MAX + 1 }),
        openCasesBySeverity(one, { tenantNo, limit: CASES_COUNTED_MAX + 1 }),
        newestAuditEntries(one, {
          tenantId,
          action: 'hold_breach',
          entityId: undefined,
          before: TOP,
          limit: BREACHES_SHOWN,
        }),
        eventCounts.countAbove(one, { tenantNo, above }),
        newestEvents(one, { tenantNo, below: TOP, limit: 1 }),
        findLastDrill(one, tenantNo),
      ]),
  );
  const height = newest[0]?.height;
  const moments = height === undefined ? undefined : await readRecordedTimes(database, [height]);
  const lastEventAt = moments?.get(height ?? 0) ?? null;
  return { counts, cases, breaches, events24h, lastEventAt, newestEvent: height, lastDrill };
}

/** No tenant has this number. */
const NO_TENANT = -1;

function countedCases(
  cases: readonly SeverityCount[],
): Pick<Summary, 'open_recalls' | 'open_recalls_is_exact' | 'open_recalls_by_severity'> {
  const total = cases.reduce((sum, { count }) => sum + count, 0);
  const countOf = new Map(cases.map(({ severity, count }) => [severity, count]));
  return {
    ...cappedCount('open_recalls', total, CASES_COUNTED_MAX),
    open_recalls_by_severity: buildRecord(SEVERITIES, (severity) => countOf.get(severity) ?? 0),
  };
}

type Judged = Pick<Standing, 'tenant' | 'lastDrill' | 'nowMs'>;
type CheckDeps = Pick<SummaryDeps, 'reader' | 'kept'>;

async function readCompliance(deps: CheckDeps, judged: Judged): Promise<Compliance> {
  return judgeCompliance(await readChecks(deps, judged.tenant), judged);
}

/**
 * The same for a page that cannot wait: returns the last result while a new check runs.
 * @returns undefined while the first check runs
 */
export async function readComplianceInTime(
  deps: CheckDeps,
  judged: Judged,
): Promise<Compliance | undefined> {
  const checks = await checksInTime(deps, judged.tenant);
  return checks && judgeCompliance(checks, judged);
}

/** What the checks of a tenant found, as `readComplianceInTime`. */
export async function readChecksInTime(
  deps: CheckDeps,
  tenantId: string,
): Promise<KeptLedgerChecks | undefined> {
  return await checksInTime(deps, await findTenantOfDashboard(deps.reader.database, tenantId));
}

async function checksInTime(
  deps: CheckDeps,
  tenant: DashboardTenant | undefined,
): Promise<KeptLedgerChecks | undefined> {
  const checking = readChecks(deps, tenant);
  const isSoon = await Promise.race([
    checking.then(() => true),
    sleep(CHECK_PATIENCE_MS, false, { ref: false }),
  ]);
  return isSoon ? await checking : deps.kept.getLast((tenant ?? NOTHING_RECORDED).tenantNo);
}

export interface KeptLedgerChecks {
  readonly result: LedgerChecks;
  readonly checkedMs: number;
}

function readChecks(
  { kept, reader }: CheckDeps,
  tenant: DashboardTenant = NOTHING_RECORDED,
): Promise<KeptLedgerChecks> {
  return kept.of(tenant, () => checkLedger(reader, tenant));
}

function judgeCompliance({ result, checkedMs }: KeptLedgerChecks, judged: Judged): Compliance {
  const { tenant, lastDrill, nowMs } = judged;
  const known = tenant ?? NOTHING_RECORDED;
  const drill = judgeDrill({ lastDrilledAt: lastDrill?.drilledAt, lots: known.lots, nowMs });
  const checks = [...result.checks, { check: drill, sample: [] }];
  return {
    score: computeScore(checks.map(({ check }) => check)),
    checks: checks.map(({ check, sample }) => ({
      code: check.code,
      ok: check.count === 0,
      count: check.count,
      of: check.of,
      sample,
    })),
    last_drill:
      lastDrill === undefined
        ? null
        : {
            id: lastDrill.drillId,
            lot_code: lastDrill.lotCode,
            drilled_at: lastDrill.drilledAt,
            days_ago: daysSince(lastDrill.drilledAt, nowMs),
            seconds: lastDrill.elapsedUs / US_PER_SECOND,
          },
    looked_at: result.lookedAt,
    checked_at: instantText(checkedMs),
  };
}

const US_PER_SECOND = 1_000_000;

const NOTHING_RECORDED: DashboardTenant = {
  tenantNo: NO_TENANT,
  tenantId: '',
  lastHeight: -1,
  events: 0,
  lots: 0,
};

async function checkLedger(reader: LedgerReader, tenant: DashboardTenant): Promise<LedgerChecks> {
  const { window, lookedAt } = await readWindow(reader, tenant);
  const checks: Check[] = [];
  for await (const check of inTurns(judgeWindow(window))) checks.push(check);
  const lotNos = checks.flatMap((check) => takeSample(check).flatMap(({ lotNo }) => lotNo ?? []));
  const labels = lotNos.length === 0 ? [] : await lotLabels(reader.database, lotNos);
  const codeOf = new Map(labels.map(({ lotNo, lotCode }) => [lotNo, lotCode]));
  return {
    checks: checks.map((check) => ({
      check,
      sample: takeSample(check).map(({ eventId, lotNo }) => ({
        event_id: eventId,
        lot_code: lotNo === null ? null : (codeOf.get(lotNo) ?? null),
      })),
    })),
    lookedAt,
  };
}

function takeSample({ found }: Check): readonly Found[] {
  return found.slice(0, SAMPLE_MAX);
}
