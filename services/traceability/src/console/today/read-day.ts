// Reads what the start page of a brand shows, within a request: no query takes longer when more was recorded.
import { askTogether } from '@lothub/kit/database';
import { instantText } from '@lothub/kit/clock';
import type { BrandRole } from '@lothub/people/brands/rights';
import type { FastifyRequest } from 'fastify';
import { countImportsWithErrors } from '../../csv-import/kept/imports.ts';
import { newestAuditEntries } from '../../ledger/audit-reader.ts';
import { readBeginning } from '../../dashboard/beginning.ts';
import { readComplianceInTime, readStanding } from '../../dashboard/summary.ts';
import type { ConsoleDeps } from '../deps.ts';
import { hasMadeLabel } from './first-label.ts';
import type { StepsView } from './first-steps.ts';
import { openCasesWaiting } from './queries.ts';
import { BREACH_DAYS, IMPORT_DAYS, type Day } from './tasks.ts';

/** Open cases with an entry of their own; the others are counted. */
const CASES_SHOWN = 8;
/** Notifications of a case that are counted at most. */
const NOTIFICATIONS_COUNTED_MAX = 10_000;
const BREACHES_COUNTED_MAX = 100;
const IMPORTS_COUNTED_MAX = 100;
/** Characters of the day at the beginning of an instant. */
const DAY_LENGTH = 10;
const MS_PER_DAY = 24 * 3_600_000;
const TOP = Number.MAX_SAFE_INTEGER;
/** No tenant has this number. */
const NO_TENANT = -1;

export type DayDeps = Pick<
  ConsoleDeps,
  'reader' | 'state' | 'clock' | 'kept' | 'eventCounts' | 'clockWatch' | 'log' | 'witnesses'
>;

/** Reads which first steps a brand has done. */
export async function readSteps(
  { reader: { database } }: Pick<ConsoleDeps, 'reader'>,
  asked: {
    readonly request: Pick<FastifyRequest, 'cookies'>;
    readonly brand: string;
    readonly role: BrandRole;
  },
): Promise<StepsView> {
  const { request, brand, role } = asked;
  const { events, lotCode, hasDrilled } = await readBeginning(database, brand);
  const done = { file: events > 0, label: hasMadeLabel(request), drill: hasDrilled };
  return { brand, role, lotCode, done };
}

export async function readDay(deps: DayDeps, brand: string): Promise<Day> {
  const { database } = deps.reader;
  const standing = await readStanding(deps, brand);
  const { summary, tenant, lastDrill, newestEvent, nowMs } = standing;
  const tenantNo = tenant?.tenantNo ?? NO_TENANT;
  const importsFrom = instantText(nowMs - IMPORT_DAYS * MS_PER_DAY).slice(0, DAY_LENGTH);
  const [cases, entries, wrong] = await askTogether(database, (one) =>
    Promise.all([
      openCasesWaiting(one, {
        tenantNo,
        limit: CASES_SHOWN,
        countLimit: NOTIFICATIONS_COUNTED_MAX,
      }),
      newestAuditEntries(one, {
        tenantId: brand,
        action: 'hold_breach',
        entityId: undefined,
        before: TOP,
        limit: BREACHES_COUNTED_MAX + 1,
      }),
      countImportsWithErrors(one, {
        tenantId: brand,
        since: instantText(Date.parse(importsFrom)),
        limit: IMPORTS_COUNTED_MAX + 1,
        nowMs,
      }),
    ]),
  );
  const since = instantText(nowMs - BREACH_DAYS * MS_PER_DAY);
  const recent = entries.filter(({ at }) => at >= since).length;
  return {
    brand,
    summary,
    isOnItsWay: summary.events_total === 0 || lastDrill === undefined,
    compliance: await readComplianceInTime(deps, standing),
    cases,
    imports: {
      count: Math.min(wrong, IMPORTS_COUNTED_MAX),
      isExact: wrong <= IMPORTS_COUNTED_MAX,
      from: importsFrom,
    },
    breaches: {
      count: Math.min(recent, BREACHES_COUNTED_MAX),
      isExact: recent <= BREACHES_COUNTED_MAX,
    },
    firstBadHeight: deps.state.condition.firstBadHeight,
    isClockTrusted: deps.clockWatch.fault === undefined,
    newestEvent,
    log: deps.log.state,
    witnesses: await deps.witnesses.read(),
  };
}
