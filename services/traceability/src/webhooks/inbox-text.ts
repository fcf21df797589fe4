// What is posted into a group of the inbox: a title and a text in the language of the person who connected it.
import { isLanguage } from '@lothub/languages';
import type { SentEvent } from '../ledger/webhooks/event-types.ts';
import { readerIn, type Reader } from '../web/words/reader.ts';
import type { InboxNotification } from './inbox.ts';
import { buildLinks, parseData, textIn, type SentData, type SentRow } from './payload.ts';

/** Severity of a recall by what people must do; of other messages by who must look, and how soon. */
const SEVERITIES: Readonly<Record<SentEvent, InboxNotification['severity']>> = {
  'recall.opened': 'critical',
  'recall.moved': 'warning',
  'lot.held': 'warning',
  'hold.breached': 'critical',
  'recall.inbound': 'critical',
  'import.failed': 'warning',
  'chain.alarm': 'critical',
  'webhook.test': 'info',
};
/** Maximum length of a title in the inbox (docs/interface/notifications.md#ingest). */
const TITLE_MAX = 120;
const LOTS_IN_TEXT = 5;

/** The body of a try that goes to a group. */
export function notificationText(
  row: SentRow & { readonly language: string },
  publicUrl: string,
): string {
  const reader = readerIn(isLanguage(row.language) ? row.language : 'en');
  const notification: InboxNotification = {
    title: cut(formatTitle(row, reader)),
    body: `${formatBody(row, reader)}${publicUrl}${buildLinks(row).console}`,
    severity: SEVERITIES[row.eventType],
  };
  return JSON.stringify(notification);
}

/** @throws Error for a text that `notificationText` has not made */
export function readNotification(text: string): InboxNotification {
  const parsed: unknown = JSON.parse(text);
  if (!isNotification(parsed)) throw new Error('a try to the inbox is no notification');
  return parsed;
}

function isNotification(value: unknown): value is InboxNotification {
  return (
    typeof value === 'object' &&
    value !== null &&
    'title' in value &&
    'body' in value &&
    'severity' in value
  );
}

function formatTitle(row: SentRow, { words, formats }: Reader): string {
  const { inbox } = words.console.webhooks;
  const data = parseData(row);
  const caseNo = textIn(data, 'case_no');
  switch (row.eventType) {
    case 'recall.opened':
      return inbox.opened(caseNo);
    case 'recall.moved':
      return inbox.moved(caseNo);
    case 'lot.held':
      return inbox.held(formats.number(countIn(data, 'lots_total')));
    case 'hold.breached':
      return inbox.breached;
    case 'recall.inbound':
      return inbox.inbound(textIn(data, 'supplier'));
    case 'import.failed':
      return inbox.importFailed;
    case 'chain.alarm':
      return inbox.alarm;
    case 'webhook.test':
      return inbox.test;
  }
}

/** Lines with their ends. */
function formatBody(row: SentRow, { words }: Reader): string {
  const { inbox } = words.console.webhooks;
  const { caseStatuses } = words.labels;
  const data = parseData(row);
  const lines = [
    data['confidential'] === true ? inbox.confidential : textIn(data, 'title'),
    lookUpState(textIn(data, 'to'), caseStatuses),
    listLots(data).join(', '),
    row.eventType === 'webhook.test' ? inbox.testText : '',
  ];
  return lines
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
    .join('');
}

function lookUpState(status: string, labels: Readonly<Record<string, string>>): string {
  return labels[status] ?? '';
}

function listLots(data: SentData): readonly string[] {
  const { lots } = data;
  if (!Array.isArray(lots)) return [];
  const codes = lots.filter((code): code is string => typeof code === 'string');
  const more = countIn(data, 'lots_total') > LOTS_IN_TEXT ? ['…'] : [];
  return [...codes.slice(0, LOTS_IN_TEXT), ...more];
}

function countIn(data: SentData, name: string): number {
  const value = data[name];
  return typeof value === 'number' ? value : 0;
}

function cut(title: string): string {
  const characters = [...title];
  return characters.length <= TITLE_MAX ? title : `${characters.slice(0, TITLE_MAX - 1).join('')}…`;
}
