// The checks of the dashboard and their score, on what was read of a tenant's newest events and lots
// (docs/interface/traceability.md#summary; docs/compliance.md says exactly what each means). Pure.
import Big from 'big.js';
import { LINKS_BY_EVENT, LINKS_BY_REFERENCE } from '../ledger/record/link-basis.ts';
import { getFacts, isProduction, isSale, type EventType } from '../ledger/record/event-types.ts';
import type { LotAccountState } from './lot-accounts.ts';
import type { WindowEvent, WindowLine, WindowLot } from './queries.ts';

export const CHECK_CODES = [
  'provenance_complete',
  'lots_have_origin',
  'production_linked',
  'lots_not_over_issued',
  'yield_plausible',
  'units_agree',
  'recorded_in_time',
  'sales_name_customer',
  'drilled_in_time',
] as const;
export type CheckCode = (typeof CHECK_CODES)[number];

/** Lots or events that a check names, the newest: of a thousand tenants some hundred megabytes at the very worst. */
export const FOUND_MAX = 500;
/** Maximum number of them that the summary shows. */
export const SAMPLE_MAX = 5;
/** An event that is recorded later than this after it occurred could not have been traced meanwhile. */
export const RECORDED_WITHIN_MS = 24 * 3_600_000;
/** What may come out of a production, in percent of what went in: drying, dust, a wrong scale. */
export const YIELD_PERCENT_MIN = 95;
export const YIELD_PERCENT_MAX = 105;
/** Certification schemes for food require at least one trace exercise a year. */
export const DRILL_EVERY_DAYS = 365;
/** One-sided events of one reference that are looked at; of more it cannot be said what belongs together. */
export const ONE_SIDED_MAX = 20;

export interface Found {
  readonly eventId: number | null;
  readonly lotNo: number | null;
}

export interface Check {
  readonly code: CheckCode;
  /** What it found wrong. */
  readonly count: number;
  /** What it looked at: lots, events, or productions. */
  readonly of: number;
  /** The newest of it, up to FOUND_MAX. */
  readonly found: readonly Found[];
}

/** What counts of a tenant's newest events and lots. */
export interface ComplianceWindow {
  /** Newest first. */
  readonly events: readonly WindowEvent[];
  readonly linesOf: ReadonlyMap<number, readonly WindowLine[]>;
  /** Newest first. */
  readonly lots: readonly WindowLot[];
  readonly accountsOf: ReadonlyMap<number, LotAccountState>;
  /** Up to ONE_SIDED_MAX + 1 of each reference by which events of the window link. */
  readonly oneSidedOf: ReadonlyMap<string, readonly OneSided[]>;
  /** Heights of events that were recorded too late. */
  readonly late: ReadonlySet<number>;
  /** Whether a customer was given with a line of a sale, also when it was erased since. */
  readonly hasCustomer: (line: WindowLine) => boolean;
}

export interface OneSided {
  readonly height: number;
  readonly eventType: EventType;
}

/**
 * Judges everything that the ledger contains, check by check; each takes some milliseconds. The drill is judged
 * separately, by the clock.
 */
export function* judgeWindow(window: ComplianceWindow): Generator<Check> {
  const events = window.events.filter((event) => event.voided === 0);
  yield judgeProvenance(window, events);
  yield judgeLots(window, 'lots_have_origin', ({ accounts, hasOrigin }) =>
    accounts === 0 ? undefined : hasOrigin,
  );
  yield judgeEvents(
    'production_linked',
    events.filter(({ eventType }) => isProduction(eventType)),
    (event) => isLinked(event, window),
  );
  yield judgeLots(window, 'lots_not_over_issued', (_, { overIssued }) => overIssued === 0);
  yield judgeYields(window, events);
  yield judgeLots(window, 'units_agree', ({ unitsAgree }) => unitsAgree);
  yield judgeEvents('recorded_in_time', events, ({ height }) => !window.late.has(height));
  yield judgeEvents(
    'sales_name_customer',
    events.filter(({ eventType }) => isSale(eventType)),
    ({ height }) => (window.linesOf.get(height) ?? []).every(window.hasCustomer),
  );
}

const MS_PER_DAY = 24 * 3_600_000;

export function daysSince(moment: string, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - Date.parse(moment)) / MS_PER_DAY));
}

/** @param lastDrilledAt undefined when there was none; a tenant without lots has nothing to drill */
export function judgeDrill(options: {
  readonly lastDrilledAt: string | undefined;
  readonly lots: number;
  readonly nowMs: number;
}): Check {
  const { lastDrilledAt, lots, nowMs } = options;
  const isDue = lastDrilledAt === undefined || daysSince(lastDrilledAt, nowMs) >= DRILL_EVERY_DAYS;
  const total = lots === 0 ? 0 : 1;
  return { code: 'drilled_in_time', of: total, count: isDue ? total : 0, found: [] };
}

/**
 * 0 to 100: the mean, over the checks that had something to look at, of the part in which nothing was
 * wrong; rounded down, so that 100 means that nothing is wrong. 100 when nothing was looked at.
 */
export function computeScore(checks: readonly Check[]): number {
  const judged = checks.filter(({ of: total }) => total > 0);
  if (judged.length === 0) return 100;
  const wrong = judged.reduce((sum, { count, of: total }) => sum + count / total, 0);
  return Math.floor(100 * (1 - wrong / judged.length));
}

function judgeEvents(
  code: CheckCode,
  events: readonly WindowEvent[],
  isGood: (event: WindowEvent) => boolean,
): Check {
  const wrong = events.filter((event) => !isGood(event)).map(({ height }) => height);
  return { code, of: events.length, count: wrong.length, found: foundEvents(wrong) };
}

function foundEvents(heights: readonly number[]): readonly Found[] {
  return heights.slice(0, FOUND_MAX).map((height) => ({ eventId: height, lotNo: null }));
}

/** @param isGood undefined: there is nothing to say of such a lot */
function judgeLots(
  { lots, accountsOf }: ComplianceWindow,
  code: CheckCode,
  isGood: (accounts: LotAccountState, lot: WindowLot) => boolean | undefined,
): Check {
  let total = 0;
  const wrong: number[] = [];
  for (const lot of lots) {
    const verdict = isGood(accountsOf.get(lot.lotNo) ?? NO_ACCOUNTS, lot);
    if (verdict === undefined) continue;
    total += 1;
    if (!verdict) wrong.push(lot.lotNo);
  }
  return {
    code,
    of: total,
    count: wrong.length,
    found: wrong.slice(0, FOUND_MAX).map((lotNo) => ({ eventId: null, lotNo })),
  };
}

const NO_ACCOUNTS: LotAccountState = { accounts: 0, hasOrigin: false, unitsAgree: true };

/** Received lots with a line that lacks the supplier, the origin, or the supplier's lot code. */
function judgeProvenance({ linesOf }: ComplianceWindow, events: readonly WindowEvent[]): Check {
  const received = new Set<number>();
  const wrong = new Map<number, Found>();
  for (const { height, eventType } of events) {
    if (!getFacts(eventType).isOrigin) continue;
    for (const { direction, lotNo, hasProvenance } of linesOf.get(height) ?? []) {
      if (direction === 'out') continue;
      received.add(lotNo);
      if (hasProvenance === 0 && !wrong.has(lotNo)) wrong.set(lotNo, { eventId: height, lotNo });
    }
  }
  return {
    code: 'provenance_complete',
    of: received.size,
    count: wrong.size,
    found: [...wrong.values()].slice(0, FOUND_MAX),
  };
}

/** Whether inputs are linked to outputs; a reference with very many events counts as linked. */
function isLinked(
  { height, reference, linkBasis }: WindowEvent,
  { linesOf, oneSidedOf }: ComplianceWindow,
): boolean {
  if (linkBasis === LINKS_BY_EVENT) return true;
  if (linkBasis === LINKS_BY_REFERENCE) {
    const others = oneSidedOf.get(reference) ?? [];
    return others.length > ONE_SIDED_MAX || new Set(others.map(isInSide)).size > 1;
  }
  // Both sides are of one lot: it was worked on, and nothing else became of it.
  return new Set((linesOf.get(height) ?? []).map(({ direction }) => direction)).size > 1;
}

/** Whether an event is the incoming one of two that are linked by their reference. */
function isInSide({ eventType }: OneSided): boolean {
  return getFacts(eventType).linkedAlone === 'in';
}

/**
 * Productions with everything in one unit: events that link by themselves, and references whose
 * one-sided events are all in the window.
 */
function judgeYields(window: ComplianceWindow, events: readonly WindowEvent[]): Check {
  const { linesOf, oneSidedOf } = window;
  const inWindow = new Set(events.map(({ height }) => height));
  const references = new Set<string>();
  const wrong: number[] = [];
  let total = 0;
  for (const { height, linkBasis, reference } of events) {
    let heights: readonly number[] = [];
    if (linkBasis === LINKS_BY_EVENT) heights = [height];
    else if (linkBasis === LINKS_BY_REFERENCE && !references.has(reference)) {
      references.add(reference);
      const others = oneSidedOf.get(reference) ?? [];
      const isWhole =
        others.length <= ONE_SIDED_MAX && others.every((one) => inWindow.has(one.height));
      if (isWhole && new Set(others.map(isInSide)).size > 1)
        heights = others.map((one) => one.height);
    }
    const isGood = isYieldPlausible(heights.flatMap((one) => linesOf.get(one) ?? []));
    if (isGood === undefined) continue;
    total += 1;
    if (!isGood) wrong.push(height);
  }
  return { code: 'yield_plausible', of: total, count: wrong.length, found: foundEvents(wrong) };
}

/** @returns undefined when in and out cannot be compared */
function isYieldPlausible(lines: readonly WindowLine[]): boolean | undefined {
  const [first] = lines;
  if (first === undefined || lines.some(({ unit }) => unit !== first.unit)) return undefined;
  const sums = { in: new Big(0), out: new Big(0) };
  for (const { direction, quantity } of lines) sums[direction] = sums[direction].plus(quantity);
  const percent = sums.out.times(100);
  return (
    percent.gte(sums.in.times(YIELD_PERCENT_MIN)) && percent.lte(sums.in.times(YIELD_PERCENT_MAX))
  );
}
