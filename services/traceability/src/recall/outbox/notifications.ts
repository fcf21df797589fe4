// The outbox of a case: its recipients, and how much of its lots reached each of them.
import { cutPage } from '@lothub/kit/rows/cut-page';
import type { LedgerReader } from '../../ledger/read.ts';
import { readLotsOfCase } from '../case/lots.ts';
import type { RecallCase } from '../case/rows.ts';
import { ERASED } from '../trace/impact-schema.ts';
import { notificationsOfCase, type NotificationFilter, type NotificationRow } from './queries.ts';
import type { NotificationAnswer, NotificationList } from './schema.ts';
import { readReach, type Reach } from '../trace/reach.ts';

/** The stored rows, for pages that read the amounts separately. */
export { countNotifications, findNotification, notificationsOfCase } from './queries.ts';
export type { NotificationCount, NotificationFilter, NotificationRow } from './queries.ts';

/** A page of the notifications of a case, with the amounts that reached each recipient as they count now. */
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

/** Does the same as `listNotifications`, with amounts that were read already. */
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
  const { rows: shown, last } = cutPage(rows, limit);
  return {
    case_no: recallCase.caseNo,
    notifications: shown.map((row) => notificationAnswer(row, reach)),
    next: last?.notificationId ?? null,
  };
}

/** Reads how much of the lots of a case reached each recipient, as it counts now. */
export async function readReachOfCase(reader: LedgerReader, caseId: number): Promise<Reach> {
  const lots = await readLotsOfCase(reader.database, caseId);
  return await readReach(reader, [...lots.keys()]);
}

/** One notification, with what reached its recipient as it counts now. */
export async function answerOfNotification(
  reader: LedgerReader,
  caseId: number,
  row: NotificationRow,
): Promise<NotificationAnswer> {
  return notificationAnswer(row, await readReachOfCase(reader, caseId));
}

function notificationAnswer(row: NotificationRow, reach: Reach): NotificationAnswer {
  const { lots, quantities } = reach.of(row.audience, row.recipient);
  const amounts = quantities.map(({ quantity, unit }) => ({ quantity: Number(quantity), unit }));
  const only = amounts.length === 1 ? amounts[0] : undefined;
  return {
    id: row.notificationId,
    audience: row.audience,
    recipient: row.recipient ?? ERASED,
    ...(row.recipient === null ? { erased: true as const } : {}),
    lots,
    quantity: only?.quantity ?? null,
    unit: only?.unit ?? null,
    quantities: amounts,
    status: row.status,
    created_at: row.createdAt,
    ready_at: row.readyAt,
    sent_at: row.sentAt,
    acknowledged_at: row.acknowledgedAt,
    resolved_at: row.resolvedAt,
    response: row.response,
    block_height: row.blockHeight,
    block_hash: row.blockHash,
  };
}
