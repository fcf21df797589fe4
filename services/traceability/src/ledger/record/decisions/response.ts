// The shape, subject and summary of blocks about the state of a notification of a case.
import { CONFIRMED_STATUSES, NOTIFICATION_STATUSES } from '../../../terms.ts';
import type { ResponseDecision } from './contents.ts';
import { hasDecisionMembers, hasOnly, isCount, isFields, isText, mayBeText } from './members.ts';
import type { Fields } from './members.ts';

const MEMBERS = [
  'acknowledged_at',
  'at',
  'case_no',
  'committed',
  'counts',
  'migrated',
  'notification',
  'resolved_at',
  'sent_at',
  'status',
] as const;

export function isResponseDecision(content: Fields): boolean {
  const { case_no: caseNo, counts, notification, status } = content;
  return (
    hasDecisionMembers(content) &&
    hasOnly(content, MEMBERS) &&
    isText(caseNo) &&
    isFields(counts) &&
    hasOnly(counts, NOTIFICATION_STATUSES) &&
    NOTIFICATION_STATUSES.every((one) => isCount(counts[one])) &&
    isCount(notification) &&
    CONFIRMED_STATUSES.some((one) => one === status) &&
    mayBeText(content, ['acknowledged_at', 'resolved_at', 'sent_at'])
  );
}

export function summaryOfResponse(
  { case_no: caseNo, counts, status }: ResponseDecision,
  brand: string,
): string {
  const { sent, acknowledged, resolved } = counts;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const notified = sent + acknowledged + resolved;
  return `A notification of ${caseNo} of ${brand} ${status}: ${notified} of ${all} sent, ${acknowledged + resolved} answered`;
}

/** A notification is identified by its case and its number. */
export function subjectOfResponse({
  case_no: caseNo,
  notification,
}: Pick<ResponseDecision, 'case_no' | 'notification'>): string {
  return `${caseNo}/${notification}`;
}
