// Names the codes of the API on pages, in words for people who never read its description.
import { findFieldPath } from '../ledger/record/field-path.ts';
import { isDecisionType } from '../ledger/record/decisions/facts.ts';
import { isEventType } from '../ledger/record/event-types.ts';
import type { CaseStatus, HoldStatus, LotStatus, Severity } from '../terms.ts';
import type { Reader } from './words/reader.ts';

/** The reader of the words. */
type For = Pick<Reader, 'words'>;

export function severityWords(severity: Severity, { words }: For): string {
  return words.labels.severities[severity];
}

export function caseStatusWords(status: CaseStatus, { words }: For): string {
  return words.labels.caseStatuses[status];
}

/** Names the status that a correction gives an event. */
export function statedStatusWords(status: string, { words }: For): string {
  return lookUpLabel(status, words.labels.statedStatuses);
}

export function eventWords(eventType: string, { words }: For): string {
  const { labels } = words;
  if (eventType === 'GENESIS') return labels.genesis;
  if (isEventType(eventType)) return labels.eventTypes[eventType];
  const type = eventType.toLowerCase();
  return isDecisionType(type) ? labels.decisionTypes[type] : eventType;
}

export function channelWords(channel: string, { words }: For): string {
  return lookUpLabel(channel, words.labels.channelClasses);
}

export function statusWords(status: LotStatus, { words }: For): string {
  return words.labels.lotStatuses[status];
}

export function holdWords(holdStatus: HoldStatus, { words }: For): string {
  return words.labels.holdStatuses[holdStatus];
}

/** `lines[0].quantity` as `quantity, line 1`: lines are counted from 1, as people do. */
export function fieldWords(field: string, { words }: For): string {
  const path = findFieldPath(field);
  if (path === undefined) return field;
  const { fieldOfLine, fields } = words.labels;
  const label = fields[path.field];
  return path.kind === 'line' ? fieldOfLine(label, String(path.lineNo + 1)) : label;
}

/**
 * Names a word of the chain. The chain may be tampered with, so an unknown word is shown unchanged.
 */
function lookUpLabel(word: string, labels: Readonly<Record<string, string>>): string {
  return (Object.hasOwn(labels, word) ? labels[word] : undefined) ?? word;
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
