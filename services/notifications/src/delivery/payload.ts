// What is sent: the notification as REST shows it, without what is one person's.
import { instantText } from '@lothub/kit/clock';
import type { SentNotification } from './formats/format.ts';
import { pickSentMembers } from '../sent-members.ts';
import { toSender } from '../inbox/notification.ts';

export const CREATED_EVENT = 'notification.created' as const;
/** An owner tries the webhook out: there is no such notification. */
export const TEST_EVENT = 'notification.test' as const;
export type WebhookEvent = typeof CREATED_EVENT | typeof TEST_EVENT;

export function webhookPayload(
  notification: SentNotification,
  event: WebhookEvent = CREATED_EVENT,
): string {
  const createdAt = instantText(notification.createdAt);
  const { redactedAt } = notification;
  return JSON.stringify({
    type: event,
    timestamp: createdAt,
    data: {
      id: notification.id,
      group_id: notification.groupId,
      seq: notification.seq,
      command: 'notify',
      title: notification.title,
      body: notification.body,
      severity: notification.severity,
      ...(redactedAt === null
        ? pickSentMembers(notification)
        : { redacted_at: instantText(redactedAt) }),
      created_at: createdAt,
      sender: toSender(notification),
    },
  });
}
