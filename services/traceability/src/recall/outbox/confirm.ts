// Confirms a notification for the brand's own tools: each change is sealed, with the counts of its
// case.
import { instantText, type Clock } from '@lothub/kit/clock';
import { buildRecord } from '@lothub/kit/build-record';
import { repeatWhileStale } from '@lothub/kit/writer/planned-change';
import { Refusal } from '../../errors.ts';
import { insertAuditEntry } from '../../ledger/audit.ts';
import { draftDecision, sealedHeight, type DecidedChange } from '../../ledger/decisions/draft.ts';
import { rowsOfDecision } from '../../ledger/decisions/kinds.ts';
import type { Caller } from '../../ledger/draft.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import type { ResponseDecision } from '../../ledger/record/decisions/contents.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import { CONFIRMED_STATUSES, NOTIFICATION_STATUSES } from '../../terms.ts';
import type { ConfirmedStatus, NotificationStatus } from '../../terms.ts';
import { getCase } from '../case/move-case.ts';
import { judgeNotificationMove } from '../notification-status.ts';
import { refuseUnlessSeen } from '../seen.ts';
import { answerOfNotification } from './notifications.ts';
import type { OneAfterAnother } from './one-after-another.ts';
import {
  caseStanding,
  countNotifications,
  findNotification,
  notificationAsRead,
} from './queries.ts';
import type { NotificationRow } from './queries.ts';
import type { NotificationAnswer } from './schema.ts';

export interface Confirmation {
  readonly tenantId: string;
  readonly caseNo: string;
  readonly notificationId: number;
  readonly to: NotificationStatus;
  /** Undefined: the earlier response stays. */
  readonly response: string | undefined;
  /** Mark of the answer that the caller saw before confirming it (`../seen.ts`). */
  readonly seen?: string | undefined;
  readonly caller: Caller;
}

export interface ConfirmDeps {
  readonly store: Pick<LedgerStore, 'decide'>;
  readonly reader: LedgerReader;
  readonly clock: Clock;
  /** The queues of this process, one for each case. */
  readonly turns: OneAfterAnother;
}

/**
 * Records the new status of a notification; returns once it is on disk. A repeated call changes
 * nothing.
 * @throws as `noteConfirmation`
 */
export async function confirmNotification(
  deps: ConfirmDeps,
  confirmation: Confirmation,
): Promise<NotificationAnswer> {
  const { caseId, row } = await noteConfirmation(deps, confirmation);
  return await answerOfNotification(deps.reader, caseId, row);
}

/**
 * Does the same as `confirmNotification`, without the amounts that reached the recipient.
 * @throws Refusal `not_found`; `rule_broken` when the status does not allow the move, or when its
 * response is not the one that the caller saw
 * @throws DatabaseError as the store's
 */
export async function noteConfirmation(
  deps: ConfirmDeps,
  confirmation: Confirmation,
): Promise<{ readonly caseId: number; readonly row: NotificationRow }> {
  const { caseId } = await getCase(deps.reader.database, confirmation);
  const row = await deps.turns.run(caseId, () => changeNotification(deps, caseId, confirmation));
  return { caseId, row };
}

/** The status and the response of a notification, for its mark. */
export function answerSeen(row: NotificationRow): readonly (string | null)[] {
  return [row.status, row.response];
}

/** @returns the notification as it is from then on */
async function changeNotification(
  { store, reader, clock }: ConfirmDeps,
  caseId: number,
  confirmation: Confirmation,
): Promise<NotificationRow> {
  const { notificationId } = confirmation;
  const { database } = reader;
  const busy = `others kept changing notification ${notificationId}`;
  return await repeatWhileStale({ busy }, async () => {
    // This is read first: a later change of the counts makes the plan stale.
    const standing = await caseStanding(database, caseId);
    const row = await findNotification(database, { caseId, notificationId });
    if (row === undefined || standing === undefined) {
      throw new Refusal('not_found', 'No notification of this number belongs to the case');
    }
    const { seen } = confirmation;
    refuseUnlessSeen(seen, { values: answerSeen(row), what: 'The notification' });
    const isMoved = judgeMove(row.status, confirmation.to);
    const response = confirmation.response ?? row.response;
    if (!isMoved && response === row.response) return row;
    const status = confirmedStatus(confirmation.to);
    const counts = await countsAfter(reader, caseId, { from: row.status, to: status });
    const outcome = await store.decide({
      guard: notificationAsRead(row, { ...standing, caseId }),
      ...buildChange(confirmation, row, {
        status,
        response,
        counts,
        at: instantText(clock.nowMs()),
      }),
    });
    if (outcome.kind === 'stale') return outcome.kind;
    return (await findNotification(database, { caseId, notificationId })) ?? row;
  });
}

/**
 * @returns whether the status changes
 * @throws Refusal `rule_broken`
 */
function judgeMove(from: NotificationStatus, to: NotificationStatus): boolean {
  const judged = judgeNotificationMove(from, to);
  if (judged.kind !== 'refused') return judged.kind === 'move';
  throw new Refusal('rule_broken', refusalOfNotificationMove(from, to, judged.allowed));
}

async function countsAfter(
  { database }: LedgerReader,
  caseId: number,
  move: { readonly from: NotificationStatus; readonly to: NotificationStatus },
): Promise<ResponseDecision['counts']> {
  const rows = await countNotifications(database, caseId);
  return buildRecord(NOTIFICATION_STATUSES, (status) => {
    const counted = rows
      .filter((row) => row.status === status)
      .reduce((sum, { notifications }) => sum + notifications, 0);
    return counted + Number(status === move.to) - Number(status === move.from);
  });
}

function buildChange(
  { tenantId: brand, caseNo, notificationId, caller }: Confirmation,
  row: NotificationRow,
  to: {
    readonly status: ConfirmedStatus;
    readonly response: string | null;
    readonly counts: ResponseDecision['counts'];
    readonly at: string;
  },
): Pick<DecidedChange, 'decisions' | 'statements'> {
  const { at, counts, response, status } = to;
  const reachedAt = (step: ConfirmedStatus, before: string | null): string | null =>
    before ?? (status === step && row.status !== step ? at : null);
  const decision: ResponseDecision = {
    at,
    case_no: caseNo,
    counts,
    notification: notificationId,
    status,
    ...whenKnown('sent_at', reachedAt('sent', row.sentAt)),
    ...whenKnown('acknowledged_at', reachedAt('acknowledged', row.acknowledgedAt)),
    ...whenKnown('resolved_at', reachedAt('resolved', row.resolvedAt)),
  };
  const { audience, recipient } = row;
  const committed = { audience, by: caller.actor, recipient, response };
  const opened = { by: caller.actor, ...whenKnown('response', response) };
  return {
    decisions: [draftDecision({ brand, type: 'response', content: decision }, committed)],
    statements: [
      ...rowsOfDecision('response', { height: sealedHeight(0), brand, decision, opened }),
      insertAuditEntry({
        at,
        tenantId: brand,
        caller,
        action: 'update_notification',
        entityType: 'notification',
        entityId: `${caseNo}/${notificationId}`,
        blockHeight: sealedHeight(0),
        details: { audience, from: row.status, to: status },
      }),
    ],
  };
}

function whenKnown<Name extends string>(
  name: Name,
  value: string | null,
): Partial<Record<Name, string>> {
  return value === null ? {} : ({ [name]: value } as Record<Name, string>);
}

/** @throws Refusal `rule_broken` of a status that the case alone sets */
function confirmedStatus(status: NotificationStatus): ConfirmedStatus {
  const found = CONFIRMED_STATUSES.find((one) => one === status);
  if (found !== undefined) return found;
  throw new Refusal(
    'rule_broken',
    `The notification is ${status}: what was answered belongs to one that was sent`,
  );
}

function refusalOfNotificationMove(
  from: NotificationStatus,
  to: NotificationStatus,
  allowed: readonly NotificationStatus[],
): string {
  const rest =
    from === 'pending'
      ? 'it becomes ready when the case reaches notification'
      : allowed.length === 0
        ? 'no move is allowed any more'
        : `from there it may move to ${allowed.join(' or ')}`;
  return `The notification is ${from} and cannot move to ${to}: ${rest}`;
}
