// What is sent: the notification as REST shows it, without what is one person's.
import { instantText } from '@lothub/kit/clock';
import type { NotificationRow } from '../feed/feed-entry.ts';
import { senderOf } from '../inbox/notification.ts';

export const CREATED_EVENT = 'notification.created';

export function webhookPayload(notification: NotificationRow): string {
  const createdAt = instantText(notification.createdAt);
  return JSON.stringify({
    type: CREATED_EVENT,
    timestamp: createdAt,
    data: {
      id: notification.id,
      group_id: notification.groupId,
      seq: notification.seq,
      command: 'notify',
      title: notification.title,
      body: notification.body,
      severity: notification.severity,
      created_at: createdAt,
      sender: senderOf(notification),
    },
  });
}
