// The worker that sends notifications to devices.
import type { Outbox, SendResult } from '@lothub/delivery/outbox/outbox';
import { OutboxWorker, type OutboxWorkerOptions } from '@lothub/delivery/outbox/worker';
import type { PushSend } from '@lothub/delivery/push/push-sender';
import { insertAuditEntry, type Actor } from '../store/audit.ts';
import type { NotificationStore } from '../store/store.ts';
import { forgetDevice } from './device-queries.ts';
import { quietHoursFrom } from './preferences.ts';
import { PUSH_TTL_MS, URGENCY, pushMessage, makeTopic } from './push-message.ts';
import { DEVICE_OUTBOX, claimedPushes, type PushRow } from './push-queries.ts';
import { isQuiet } from './quiet-hours.ts';

const SERVICE: Actor = { accountId: null, name: 'service' };
const MS_PER_SECOND = 1_000;
/** Deliveries that may wait for a device. A device with more of them is disabled; its person reads the inbox. */
const PENDING_MAX = 10_000;

export interface PushWorkerOptions extends OutboxWorkerOptions<NotificationStore> {
  readonly push: PushSend;
}

export class PushWorker extends OutboxWorker<PushRow> {
  constructor({ push, ...options }: PushWorkerOptions) {
    super(pushOutbox(push), { pendingMax: PENDING_MAX, ...options });
  }
}

function pushOutbox(push: PushSend): Outbox<PushRow> {
  return {
    name: 'push',
    tables: DEVICE_OUTBOX,
    togetherMax: 1,
    readClaimed: claimedPushes,
    send: async ([row], { atMs, signal }): Promise<SendResult> => {
      if (row === undefined) return { kind: 'nothing' };
      const { notificationId: id, groupName, inGroup: groupId } = row;
      if (id === null || groupName === null || !isWanted(row, atMs)) return { kind: 'nothing' };
      const leftMs = row.createdAt + PUSH_TTL_MS - atMs;
      if (leftMs <= 0) return { kind: 'nothing' };
      const pushed = { ...row, id, groupId, groupName };
      return await push(row, pushMessage(pushed), {
        urgency: URGENCY[row.severity],
        topic: makeTopic(pushed),
        ttlSeconds: Math.ceil(leftMs / MS_PER_SECOND),
        signal,
      });
    },
    onDisabled: (row, { at, reason, isGone }) => [
      ...(isGone ? [forgetDevice(row.receiverId)] : []),
      insertAuditEntry({
        at,
        actor: SERVICE,
        action: isGone ? 'device_removed' : 'device_disabled',
        groupId: null,
        subject: row.receiverId,
        details: { reason },
      }),
    ],
  };
}

/** Whether to notify the person now. An escalated notification is always sent. */
function isWanted(row: PushRow, atMs: number): boolean {
  if (row.redactedAt !== null || row.isSeen === 1) return false;
  if (row.kind === 'escalated') return true;
  if (row.isMember === 0) return false;
  const quiet = quietHoursFrom(row);
  return quiet === undefined || !isQuiet(quiet, { severity: row.severity, atMs });
}
