// Reads what the checks of the dashboard found wrong, and breaches of holds, page by page.
import { readChecksInTime } from '../../dashboard/summary.ts';
import { CHECK_CODES, FOUND_MAX, type CheckCode, type Found } from '../../dashboard/compliance.ts';
import { readAuditPage, type AuditPage } from '../../ledger/audit-reader.ts';
import { instantText } from '@lothub/kit/clock';
import { eventLabels, type EventLabel } from '../../lots/genealogy/queries.ts';
import { lotLabels } from '../../lots/queries.ts';
import type { ConsoleDeps } from '../deps.ts';
import { BREACH_DAYS } from './tasks.ts';

export const HOLD_BREACHES = 'hold_breaches';
/** The check of drills has no list: it only finds that no drill was made. */
export type ListedCheck = Exclude<CheckCode, 'drilled_in_time'>;

export const FOUND_PER_PAGE = 100;
const MS_PER_DAY = 24 * 3_600_000;
const TOP = Number.MAX_SAFE_INTEGER;

export function isListedCheck(text: string): text is ListedCheck {
  return text !== 'drilled_in_time' && CHECK_CODES.some((code) => code === text);
}

export interface FoundItem {
  readonly event: EventLabel | undefined;
  readonly lot: { readonly lotCode: string; readonly productSku: string } | undefined;
}

export interface CheckView {
  readonly brand: string;
  readonly code: ListedCheck;
  /** The number of all findings. */
  readonly count: number;
  /** The number of all that was checked. */
  readonly looked: number;
  /** The number of findings that pages can show. */
  readonly listed: number;
  readonly items: readonly FoundItem[];
  readonly offset: number;
  readonly checkedAt: string;
}

type Deps = Pick<ConsoleDeps, 'reader' | 'kept'>;

/** @returns undefined while the first check runs */
export async function readCheck(
  deps: Deps,
  asked: { readonly brand: string; readonly code: ListedCheck; readonly offset: number },
): Promise<CheckView | undefined> {
  const { brand, code, offset } = asked;
  const checks = await readChecksInTime(deps, brand);
  const check = checks?.result.checks.find((one) => one.check.code === code)?.check;
  if (checks === undefined || check === undefined) return undefined;
  return {
    ...{ brand, code, offset },
    count: check.count,
    looked: check.of,
    listed: Math.min(check.found.length, FOUND_MAX),
    items: await readItems(deps, check.found.slice(offset, offset + FOUND_PER_PAGE)),
    checkedAt: instantText(checks.checkedMs),
  };
}

async function readItems(
  { reader: { database } }: Deps,
  found: readonly Found[],
): Promise<readonly FoundItem[]> {
  const heights = found.flatMap(({ eventId }) => eventId ?? []);
  const lotNos = found.flatMap(({ lotNo }) => lotNo ?? []);
  const events = heights.length === 0 ? [] : await eventLabels(database, heights);
  const lots = lotNos.length === 0 ? [] : await lotLabels(database, lotNos);
  const eventAt = new Map(events.map((event) => [event.height, event]));
  const lotOf = new Map(lots.map((lot) => [lot.lotNo, lot]));
  return found.map(({ eventId, lotNo }) => ({
    event: eventId === null ? undefined : eventAt.get(eventId),
    lot: lotNo === null ? undefined : lotOf.get(lotNo),
  }));
}

/** Reads those of the last BREACH_DAYS days; the audit has older ones. */
export async function readBreaches(
  { reader, clock }: Pick<ConsoleDeps, 'reader' | 'clock'>,
  { brand, before = TOP }: { readonly brand: string; readonly before: number | undefined },
): Promise<AuditPage> {
  return await readAuditPage(reader.database, {
    tenantId: brand,
    action: 'hold_breach',
    entityType: undefined,
    entityId: undefined,
    since: instantText(clock.nowMs() - BREACH_DAYS * MS_PER_DAY),
    before,
    limit: FOUND_PER_PAGE,
  });
}
