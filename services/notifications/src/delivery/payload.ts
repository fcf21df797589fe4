// What is sent: the notification as REST shows it, without what is one person's.
import { instantText } from '@lothub/kit/clock';
import { senderOf } from '../inbox/notification.ts';
import type { Severity } from '../store/post.ts';

export interface SentNotification {
  readonly id: number;
  readonly groupId: string;
  readonly seq: number;
  readonly title: string;
  readonly body: string | null;
  readonly severity: Severity;
  readonly createdAt: number;
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly accountId: string | null;
  readonly accountName: string | null;
}

export const CREATED_EVENT = 'notification.created';

export function webhookPayload(notification: SentNotification): string {
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
