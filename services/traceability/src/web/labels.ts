// What pages call the codes of the API, in words for people who never read its description.
import { findFacts, findFieldPath } from '../ledger/record/field-path.ts';
import type { DecisionType } from '../ledger/record/decisions/contents.ts';
import { isDecisionType } from '../ledger/record/decisions/facts.ts';
import { factsOf, isEventType } from '../ledger/record/event-types.ts';
import {
  CASE_STATUS_LABELS,
  CHANNEL_CLASS_LABELS,
  HOLD_STATUS_LABELS,
  LOT_STATUS_LABELS,
  SEVERITY_LABELS,
  STATED_STATUS_LABELS,
} from '../terms.ts';
import type { CaseStatus, HoldStatus, LotStatus, Severity } from '../terms.ts';

const DECISION_LABELS: Readonly<Record<DecisionType, string>> = {
  brand: 'Decision: what consumers are told',
  drill: 'Decision: recall drill',
  erasure: 'Decision: erasure of private values',
  hold: 'Decision: hold or release',
  recall: 'Decision: step of a recall case',
  response: 'Decision: answer to a notification',
};

/** Of words that stand on the chain, which may be tampered with: an unknown one stands for itself. */
const STATED_STATUSES: ReadonlyMap<string, string> = new Map(Object.entries(STATED_STATUS_LABELS));
const CHANNEL_CLASSES: ReadonlyMap<string, string> = new Map(Object.entries(CHANNEL_CLASS_LABELS));

export function severityWords(severity: Severity): string {
  return SEVERITY_LABELS[severity];
}

export function caseStatusWords(status: CaseStatus): string {
  return CASE_STATUS_LABELS[status];
}

/** Of the status that a correction says an event has. */
export function statedStatusWords(status: string): string {
  return STATED_STATUSES.get(status) ?? status;
}

export function eventWords(eventType: string): string {
  if (eventType === 'GENESIS') return 'Beginning of the chain';
  if (isEventType(eventType)) return factsOf(eventType).label;
  const type = eventType.toLowerCase();
  return isDecisionType(type) ? DECISION_LABELS[type] : eventType;
}

export function channelWords(channel: string): string {
  return CHANNEL_CLASSES.get(channel) ?? channel;
}

export function statusWords(status: LotStatus): string {
  return LOT_STATUS_LABELS[status];
}

export function holdWords(holdStatus: HoldStatus): string {
  return HOLD_STATUS_LABELS[holdStatus];
}

/** `lines[0].quantity` as `quantity, line 1`: lines are counted from 1, as people do. */
export function fieldWords(field: string): string {
  const path = findFieldPath(field);
  if (path === undefined) return field;
  const words = findFacts(path)?.label ?? 'whether it happened';
  return path.kind === 'line' ? `${words}, line ${path.lineNo + 1}` : words;
}

/** `1234` as `1,234`. */
export function groupedNumber(value: number): string {
  return value.toLocaleString('en-US');
}

/** `2026-03-02T06:15:09.123Z` as `2026-03-02 06:15 UTC`: one reading in every country. */
export function instantWords(instant: string): string {
  const match = /^(\d{4,}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(instant);
  return match === null ? instant : `${match[1]} ${match[2]} UTC`;
}

/** `2026-03-02T06:15:09.5Z` as `2026-03-02 06:15:09.5 UTC`. */
export function exactInstantWords(instant: string): string {
  return instant.replace('T', ' ').replace(/Z$/, ' UTC');
}
