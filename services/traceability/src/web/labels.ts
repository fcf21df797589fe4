// What pages call the codes of the API, in words for people who never read its description.
import { findFacts, findFieldPath } from '../ledger/record/field-path.ts';
import { factsOf, isEventType } from '../ledger/record/event-types.ts';

const CHANNEL_WORDS: Readonly<Record<string, string>> = {
  retail: 'shops',
  online: 'online shops',
  wholesale: 'wholesale',
  food_service: 'restaurants and catering',
  direct: 'direct sale',
  export: 'export',
  other: 'other channels',
};

const STATUS_WORDS: Readonly<Record<string, string>> = {
  active: 'in circulation',
  depleted: 'used up or sold out',
  disposed: 'disposed of',
  recalled: 'recalled',
};

const HOLD_WORDS: Readonly<Record<string, string>> = {
  released: 'not on hold',
  on_hold: 'on hold, not to be used until it is released',
};

const SEVERITY_WORDS: Readonly<Record<string, string>> = {
  class_i: 'Class I: use may cause serious harm or death',
  class_ii: 'Class II: use may cause temporary harm',
  class_iii: 'Class III: use is not likely to cause harm',
  market_withdrawal: 'Market withdrawal: taken back, not likely to cause harm',
  unclassified: 'Not classified yet',
};

const CASE_STATUS_WORDS: Readonly<Record<string, string>> = {
  investigation: 'under investigation',
  notification: 'those concerned are being notified',
  containment: 'being contained',
  closed: 'closed',
  cancelled: 'cancelled',
};

/** A code that is not known stands for itself. */
export function severityWords(severity: string): string {
  return SEVERITY_WORDS[severity] ?? severity;
}

export function caseStatusWords(status: string): string {
  return CASE_STATUS_WORDS[status] ?? status;
}

export function eventWords(eventType: string): string {
  if (eventType === 'GENESIS') return 'Beginning of the chain';
  return isEventType(eventType) ? factsOf(eventType).label : eventType;
}

export function channelWords(channel: string): string {
  return CHANNEL_WORDS[channel] ?? channel;
}

export function statusWords(status: string): string {
  return STATUS_WORDS[status] ?? status;
}

export function holdWords(holdStatus: string): string {
  return HOLD_WORDS[holdStatus] ?? holdStatus;
}

/** `lines[0].quantity` as `quantity, line 1`: lines are counted from 1, as people do. */
export function fieldWords(field: string): string {
  const path = findFieldPath(field);
  if (path === undefined) return field;
  const words = findFacts(path)?.label ?? 'whether it happened';
  return path.kind === 'line' ? `${words}, line ${path.lineNo + 1}` : words;
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
