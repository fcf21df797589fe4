// What a device is sent: enough to show a notification, and to find it. Small, because push services charge phones for
// each byte, and take no long ones.
import { createHash } from 'node:crypto';
import { PUSH_BYTES_MAX, TOPIC_LENGTH_MAX, type Urgency } from '@lothub/delivery/push/push-sender';
import { instantText } from '@lothub/kit/clock';
import type { NotificationRow } from '../feed/feed-entry.ts';
import type { Severity } from '../store/post.ts';

/** Characters of the text that are sent: more than a phone shows. */
const BODY_CHARS_MAX = 240;
const MORE = '…';

/** A push service delivers no older message: a device that was offline for longer shows the inbox instead. */
export const PUSH_TTL_MS = 24 * 60 * 60 * 1_000;

export const URGENCY: Readonly<Record<Severity, Urgency>> = {
  critical: 'high',
  warning: 'normal',
  info: 'low',
};

/** What web/browser/worker reads. */
export interface PushMessage {
  readonly kind: 'created' | 'escalated' | 'test';
  readonly title: string;
  readonly body: string | null;
  /** null: of a test. */
  readonly notification: {
    readonly id: number;
    readonly group_id: string;
    readonly group: string;
    readonly seq: number;
    readonly severity: Severity;
    readonly status: string | null;
    readonly created_at: string;
  } | null;
  /** A notification that is shown is replaced by a newer one of the same tag. */
  readonly tag: string;
  /** What the person has not read in all groups. */
  readonly unread: number | null;
}

export interface Pushed extends Pick<
  NotificationRow,
  'id' | 'groupId' | 'seq' | 'title' | 'body' | 'severity' | 'status' | 'dedupKey' | 'createdAt'
> {
  readonly kind: 'created' | 'escalated';
  readonly groupName: string;
  readonly unread: number;
}

/** PUSH_BYTES_MAX bytes at most. */
export function pushMessage(pushed: Pushed): string {
  const { id, groupId, groupName, seq, severity, status, createdAt } = pushed;
  const message: PushMessage = {
    kind: pushed.kind,
    title: pushed.title,
    body: null,
    notification: {
      id,
      group_id: groupId,
      group: groupName,
      seq,
      severity,
      status,
      created_at: instantText(createdAt),
    },
    tag: makeTopic(pushed) ?? `n${id}`,
    unread: pushed.unread,
  };
  for (let chars = BODY_CHARS_MAX; pushed.body !== null && chars > 0; chars = chars >> 1) {
    const text = JSON.stringify({ ...message, body: shortened(pushed.body, chars) });
    if (Buffer.byteLength(text) <= PUSH_BYTES_MAX) return text;
  }
  return JSON.stringify(message);
}

export function testMessage(deviceName: string): string {
  const message: PushMessage = {
    kind: 'test',
    title: 'Test notification',
    body: `Notifications reach ${deviceName}.`,
    notification: null,
    tag: 'test',
    unread: null,
  };
  return JSON.stringify(message);
}

/**
 * What belongs together has one topic, so a device that was away is sent the newest of it alone. A hash: the push
 * service reads it.
 */
export function makeTopic({
  groupId,
  dedupKey,
}: Pick<NotificationRow, 'groupId' | 'dedupKey'>): string | undefined {
  if (dedupKey === null) return undefined;
  const hash = createHash('sha256').update(`${groupId} ${dedupKey}`).digest('base64url');
  return hash.slice(0, TOPIC_LENGTH_MAX);
}

/** In whole characters. */
function shortened(text: string, charsMax: number): string {
  const chars = [...text];
  return chars.length <= charsMax ? text : chars.slice(0, charsMax - 1).join('') + MORE;
}
