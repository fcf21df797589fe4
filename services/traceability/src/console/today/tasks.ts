// Makes the list of what needs attention now, the most urgent first: values in, tasks out.
import { said } from '@lothub/design/desk-parts';
import type { IconName } from '@lothub/design/icons';
import { html, type HtmlValue } from '@lothub/kit/html';
import { WITH_ERRORS } from '../../csv-import/kept/import-filter.ts';
import type { CheckCode } from '../../dashboard/compliance.ts';
import type { Summary } from '../../dashboard/summary.ts';
import type { LogState } from '../../ledger/log/signed-log.ts';
import { SEVERITIES } from '../../terms.ts';
import type { Reader } from '../../web/words/reader.ts';
import { BEHIND_SECONDS_MAX, type WitnessedStanding } from '../../witnessing/standing.ts';
import { addressWith } from '../filters.ts';
import { brandPath, casePagePath, checkPagePath } from '../paths.ts';
import { caseStatusChip, severityChip } from '../recall-parts.ts';
import type { OpenCaseRow } from './queries.ts';

const SECONDS_PER_MINUTE = 60;

/** A number that was counted up to a limit. */
export interface Counted {
  readonly count: number;
  readonly isExact: boolean;
}

/** The values from which the tasks of a brand are made. */
export interface Day {
  readonly brand: string;
  readonly summary: Omit<Summary, 'compliance'>;
  /** Undefined while the first check runs. */
  readonly compliance: Summary['compliance'] | undefined;
  /** True if the page also shows the first steps. */
  readonly isOnItsWay: boolean;
  /** The newest open cases. */
  readonly cases: readonly OpenCaseRow[];
  /** Imports that failed or left rows out, since the day `from`: IMPORT_DAYS ago, in UTC. */
  readonly imports: Counted & { readonly from: string };
  /** Those of the last BREACH_DAYS days. */
  readonly breaches: Counted;
  /** The lowest block that does not match; null when all do. */
  readonly firstBadHeight: number | null;
  readonly isClockTrusted: boolean;
  /** The newest event; undefined while there is none. */
  readonly newestEvent: number | undefined;
  readonly log: LogState;
  readonly witnesses: Pick<WitnessedStanding, 'counts' | 'behindSeconds'>;
}

/** An older breach stays in the audit, and is no task any more. */
export const BREACH_DAYS = 30;
/** An older import was corrected, or nobody misses it any more. */
export const IMPORT_DAYS = 7;

/** `bad`: somebody may come to harm, or nothing can be written. */
export const TONES = ['bad', 'warn', 'info'] as const;
export type Tone = (typeof TONES)[number];

export interface Task {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly title: HtmlValue;
  readonly hint: HtmlValue;
  readonly count: Counted | undefined;
  readonly href: string;
}

/** Checks whose findings make a recall wrong; those of the others only make it slower. */
const GRAVE_CHECKS: ReadonlySet<CheckCode> = new Set([
  'lots_have_origin',
  'lots_not_over_issued',
  'recorded_in_time',
  'drilled_in_time',
]);

/** Lists the tasks by tone; those of one tone in the order of the code below. */
export function listTasks(day: Day, reader: Reader): readonly Task[] {
  const all = [
    ...tasksOfChain(day, reader),
    ...tasksOfCases(day, reader),
    ...tasksOfLots(day, reader),
    ...tasksOfImports(day, reader),
    ...tasksOfChecks(day, reader),
  ];
  return TONES.flatMap((tone) => all.filter((task) => task.tone === tone));
}

function* tasksOfChain(day: Day, { words, formats }: Reader): Generator<Task> {
  const { today } = words.console;
  const link = { href: '/explorer', count: undefined };
  if (day.firstBadHeight !== null) {
    const hint = today.chainFaultyHint(formats.number(day.firstBadHeight));
    yield { ...link, tone: 'bad', icon: 'bad', title: today.chainFaulty, hint };
  }
  if (!day.isClockTrusted) {
    yield { ...link, tone: 'bad', icon: 'clock', title: today.clock, hint: today.clockHint };
  }
  if (day.log === 'held') {
    yield { ...link, tone: 'warn', icon: 'chain', title: today.logHeld, hint: today.logHeldHint };
  }
  const behind = day.witnesses.behindSeconds ?? 0;
  if (behind > BEHIND_SECONDS_MAX) {
    const minutes = formats.number(Math.floor(behind / SECONDS_PER_MINUTE));
    const hint = today.witnessesBehindHint(minutes);
    yield { ...link, tone: 'info', icon: 'shield', title: today.witnessesBehind, hint };
  }
}

function* tasksOfCases({ brand, cases, summary }: Day, reader: Reader): Generator<Task> {
  const { today } = reader.words.console;
  for (const severity of SEVERITIES)
    for (const one of cases.filter((row) => row.severity === severity)) {
      const waiting = one.toSend + one.unanswered;
      yield {
        tone: severity === 'class_i' || waiting > 0 ? 'bad' : 'warn',
        icon: 'warning',
        title: html`${one.caseNo} ${said(one.title)}`,
        hint: html`${severityChip(severity, reader)} ${caseStatusChip(one.status, reader)}
        ${waitsFor(one, reader)}`,
        count: waiting === 0 ? undefined : { count: waiting, isExact: true },
        href: casePagePath(brand, one.caseNo),
      };
    }
  if (summary.open_recalls > cases.length) {
    yield {
      tone: 'warn',
      icon: 'warning',
      title: today.allCases,
      hint: today.allCasesHint,
      count: { count: summary.open_recalls, isExact: summary.open_recalls_is_exact !== false },
      href: addressWith(brandPath(brand, 'recalls'), { status: 'open' }),
    };
  }
}

/** Writes what the notifications of a case wait for. */
function waitsFor({ status, toSend, unanswered }: OpenCaseRow, { words, formats }: Reader): string {
  const { today } = words.console;
  if (toSend === 0 && unanswered === 0) {
    return status === 'investigation' ? today.notNotified : today.allAnswered;
  }
  return [
    toSend === 0 ? undefined : today.toSend(formats.number(toSend)),
    unanswered === 0 ? undefined : today.unanswered(formats.number(unanswered)),
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

function* tasksOfLots(day: Day, { words, formats }: Reader): Generator<Task> {
  const { brand, summary, breaches } = day;
  const { today } = words.console;
  if (summary.inbound_recalls > 0) {
    yield {
      tone: 'bad',
      icon: 'inbox',
      title: today.inbound,
      hint: today.inboundHint,
      count: {
        count: summary.inbound_recalls,
        isExact: summary.inbound_recalls_is_exact !== false,
      },
      href: `${brandPath(brand, 'recalls')}/inbound`,
    };
  }
  if (breaches.count > 0) {
    yield {
      tone: 'bad',
      icon: 'hold',
      title: today.breaches,
      hint: today.breachesHint(formats.number(BREACH_DAYS)),
      count: breaches,
      href: checkPagePath(brand, 'hold_breaches'),
    };
  }
  if (summary.lots_on_hold > 0) {
    yield {
      tone: 'warn',
      icon: 'hold',
      title: today.onHold,
      hint: today.onHoldHint,
      count: { count: summary.lots_on_hold, isExact: summary.lots_on_hold_is_exact !== false },
      href: `${brandPath(brand, 'lots')}?hold_status=on_hold`,
    };
  }
}

function* tasksOfImports({ brand, imports }: Day, { words, formats }: Reader): Generator<Task> {
  const { today } = words.console;
  if (imports.count === 0) return;
  yield {
    tone: 'warn',
    icon: 'upload',
    title: today.imports,
    hint: today.importsHint(formats.number(IMPORT_DAYS)),
    count: imports,
    href: addressWith(brandPath(brand, 'imports'), { state: WITH_ERRORS, from: imports.from }),
  };
}

function* tasksOfChecks(
  { brand, compliance, isOnItsWay }: Day,
  { words }: Reader,
): Generator<Task> {
  const { today } = words.console;
  for (const { code, count } of compliance?.checks ?? []) {
    const isDrill = code === 'drilled_in_time';
    // The first drill is among the first steps.
    if (count === 0 || (isDrill && isOnItsWay)) continue;
    const { title, advice: hint } = today.checks[code];
    yield {
      tone: GRAVE_CHECKS.has(code) ? 'warn' : 'info',
      icon: isDrill ? 'clock' : 'info',
      title,
      hint,
      count: isDrill ? undefined : { count, isExact: true },
      href: isDrill ? brandPath(brand, 'drills') : checkPagePath(brand, code),
    };
  }
}
