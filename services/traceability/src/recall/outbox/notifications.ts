// The outbox of a case: whom it concerns, how much of its lots reached each of them, and what the brand's
// own tools confirm.
import { instantText } from '@lothub/kit/clock';
import type { Clock } from '@lothub/kit/clock';
import { DatabaseError } from '@lothub/kit/database';
import { Refusal } from '../../errors.ts';
import { insertAuditEntry } from '../../ledger/audit.ts';
import type { Caller } from '../../ledger/draft.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import { readLotsOfCase } from '../case/lots.ts';
import type { RecallCase } from '../case/rows.ts';
import { ERASED } from '../trace/impact-schema.ts';
import { getCase } from '../case/move-case.ts';
import {
  findNotification,
  notificationAsRead,
  notificationsOfCase,
  updateNotification,
} from './queries.ts';
import type { NotificationFilter, NotificationRow } from './queries.ts';
import type { NotificationAnswer, NotificationList } from './schema.ts';
import { judgeNotificationMove } from '../notification-status.ts';
import type { NotificationStatus } from '../notification-status.ts';
import { readReach } from '../trace/reach.ts';
import type { Reach } from '../trace/reach.ts';

/** Others confirm the same notification as well; each time one wins. */
const ATTEMPTS_MAX = 20;

/** A page of the notifications of a case, with what reached whom as it counts now. */
export async function listNotifications(
  reader: LedgerReader,
  asked: NotificationFilter & {
    readonly recallCase: RecallCase;
    readonly after: number | undefined;
    readonly limit: number;
  },
): Promise<NotificationList> {
  const reach = await readReachOfCase(reader, asked.recallCase.caseId);
  return await pageOfNotifications(reader, { ...asked, reach });
}

/** As `listNotifications`, where what reached whom was read already. */
export async function pageOfNotifications(
  { database }: LedgerReader,
  asked: NotificationFilter & {
    readonly recallCase: Pick<RecallCase, 'caseId' | 'caseNo'>;
    readonly after: number | undefined;
    readonly limit: number;
    readonly reach: Reach;
  },
): Promise<NotificationList> {
  const { recallCase, audience, status, after, limit, reach } = asked;
  const rows = await notificationsOfCase(database, {
    caseId: recallCase.caseId,
    audience,
    status,
    above: after ?? 0,
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  return {
    case_no: recallCase.caseNo,
    notifications: shown.map((row) => notificationAnswer(row, reach)),
    next: rows.length > limit ? (shown.at(-1)?.notificationId ?? null) : null,
  };
}

/** What reached whom of the lots that a case covers, as it counts now. */
export async function readReachOfCase(reader: LedgerReader, caseId: number): Promise<Reach> {
  const lots = await readLotsOfCase(reader.database, caseId);
  return await readReach(reader, [...lots.keys()]);
}

export interface Confirmation {
  readonly tenantId: string;
  readonly caseNo: string;
  readonly notificationId: number;
  readonly to: NotificationStatus;
  /** Undefined: what was answered before stays. */
  readonly response: string | undefined;
  readonly caller: Caller;
}

/**
 * Notes what became of a notification; answers once it is on disk. Said again it changes nothing.
 * @throws Refusal `not_found`; `rule_broken` when it may not go there from where it stands
 * @throws DatabaseError as the store's
 */
export async function confirmNotification(
  deps: {
    readonly store: Pick<LedgerStore, 'change'>;
    readonly reader: LedgerReader;
    readonly clock: Clock;
  },
  confirmation: Confirmation,
): Promise<NotificationAnswer> {
  const { store, reader, clock } = deps;
  const { notificationId, to, tenantId, caseNo } = confirmation;
  const { database } = reader;
  const { caseId } = await getCase(database, confirmation);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const row = await findNotification(database, { caseId, notificationId });
    if (row === undefined) {
      throw new Refusal('not_found', 'No notification of this number belongs to the case');
    }
    const judged = judgeNotificationMove(row.status, to);
    if (judged.kind === 'refused') {
      throw new Refusal('rule_broken', refusalOfNotificationMove(row.status, to, judged.allowed));
    }
    const response = confirmation.response ?? row.response;
    if (judged.kind === 'same' && response === row.response)
      return await answerOf(reader, caseId, row);
    const at = instantText(clock.nowMs());
    const reachedAt = (status: NotificationStatus): string | null =>
      judged.kind === 'move' && status === to ? at : null;
    const outcome = await store.change({
      guard: notificationAsRead(row),
      statements: [
        updateNotification({
          notificationId,
          status: to,
          sentAt: reachedAt('sent'),
          acknowledgedAt: reachedAt('acknowledged'),
          resolvedAt: reachedAt('resolved'),
          response,
        }),
        insertAuditEntry({
          at,
          tenantId,
          caller: confirmation.caller,
          action: 'update_notification',
          entityType: 'notification',
          entityId: `${caseNo}/${notificationId}`,
          blockHeight: null,
          details: { audience: row.audience, from: row.status, to },
        }),
      ],
    });
    if (outcome.kind === 'stale') continue;
    const changed = await findNotification(database, { caseId, notificationId });
    return await answerOf(reader, caseId, changed ?? row);
  }
  throw new DatabaseError('database_busy', `others kept changing notification ${notificationId}`);
}

async function answerOf(
  reader: LedgerReader,
  caseId: number,
  row: NotificationRow,
): Promise<NotificationAnswer> {
  return notificationAnswer(row, await readReachOfCase(reader, caseId));
}

function notificationAnswer(row: NotificationRow, reach: Reach): NotificationAnswer {
  const { lots, quantities } = reach.of(row.audience, row.recipient);
  const told = quantities.map(({ quantity, unit }) => ({ quantity: Number(quantity), unit }));
  const only = told.length === 1 ? told[0] : undefined;
  return {
    id: row.notificationId,
    audience: row.audience,
    recipient: row.recipient ?? ERASED,
    ...(row.recipient === null ? { erased: true as const } : {}),
    lots,
    quantity: only?.quantity ?? null,
    unit: only?.unit ?? null,
    quantities: told,
    status: row.status,
    created_at: row.createdAt,
    ready_at: row.readyAt,
    sent_at: row.sentAt,
    acknowledged_at: row.acknowledgedAt,
    resolved_at: row.resolvedAt,
    response: row.response,
  };
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
  return `The notification stands at ${from} and cannot move to ${to}: ${rest}`;
}
