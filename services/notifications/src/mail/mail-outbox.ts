// Sends the notifications that are due to one person as one mail, at the times that the person chose and within a
// limit an hour. Notifications that the person has read are left out.
import { MAY_BE_LOST } from '@lothub/delivery/outbox/record-try';
import type { Outbox, SendResult } from '@lothub/delivery/outbox/outbox';
import type { MailResult } from '@lothub/delivery/mail/smtp-answer';
import { isRead } from '../inbox/notification.ts';
import type { MailDeps } from './mail-settings.ts';
import { MAIL_OUTBOX, claimedMails, type ClaimedMail } from './outbox-queries.ts';
import { writeNotificationMail, type MailedNotification } from './notification-mail.ts';
import { giveBackMailOfHour, hourEndsAt, takeMailOfHour } from './receiver-queries.ts';
import { ZONE_DEFAULT, earliestAt } from './rhythm.ts';
import { MAILS_PER_HOUR_MAX, mailResultText } from './test-mail.ts';
import { unsubscribeToken } from './unsubscribe-token.ts';

/** Deliveries that one mail is sent for; more than it lists, so that a flood is one mail and not many. */
const TOGETHER_MAX = 500;
/** Limit with escalated notifications, which have places of their own beyond the limit of all others. */
const WITH_ESCALATED_PER_HOUR_MAX = 2 * MAILS_PER_HOUR_MAX;
/** As many as the mailer has connections: a mail that waits for one would use up its time-out. */
const MAILS_AT_A_TIME = 4;
/** An address is disabled after this many permanent refusals, */
const DISABLE_AFTER_REFUSALS = 5;
/** if they last at least this long: an hour of a wrongly configured server disables nobody. */
const DISABLE_AFTER_MS = 24 * 60 * 60 * 1_000;
const DISABLED_REASON = 'the mail server refused the address again and again, for a day at least';

const NO_SERVER = 'No mail server is set';

export interface MailOutboxDeps extends Pick<
  MailDeps,
  'store' | 'mailer' | 'publicUrl' | 'linkKey'
> {
  /** Called when the mail server itself refuses, or does not answer. */
  readonly onTrouble: (result: MailResult) => void;
}

export function mailOutbox(deps: MailOutboxDeps): Outbox<ClaimedMail> {
  return {
    name: 'mail',
    tables: MAIL_OUTBOX,
    togetherMax: TOGETHER_MAX,
    triesMax: { receiver: 1, all: MAILS_AT_A_TIME },
    disabling: {
      failures: DISABLE_AFTER_REFUSALS,
      forMs: DISABLE_AFTER_MS,
      reason: DISABLED_REASON,
    },
    readClaimed: claimedMails,
    send: (rows, on) => sendMail(deps, rows, on),
    // It is the person's own, and shown there.
    onDisabled: () => [],
  };
}

async function sendMail(
  deps: MailOutboxDeps,
  rows: readonly ClaimedMail[],
  { atMs, signal }: { readonly atMs: number; readonly signal: AbortSignal },
): Promise<SendResult> {
  const { store, mailer, publicUrl, linkKey, onTrouble } = deps;
  const wanted = rows
    .flatMap((row) => listMailed(row))
    .filter((one, _index, all) => one.isEscalated || !all.some((other) => isSame(one, other)));
  const [first, ...others] = wanted;
  const [receiver] = rows;
  if (typeof receiver?.email !== 'string' || first === undefined) return { kind: 'nothing' };
  if (mailer === undefined) return { kind: 'undecided', status: null, reason: NO_SERVER };
  const { receiverId, rhythm, minSeverity } = receiver;
  const zone = receiver.timeZone ?? ZONE_DEFAULT;
  const hasEscalated = wanted.some(({ isEscalated }) => isEscalated);
  if (!hasEscalated) {
    // One that may go takes the others along.
    const earliest = Math.min(
      ...wanted.map(({ createdAt }) => earliestAt(rhythm, { postedAt: createdAt, zone })),
    );
    if (earliest > atMs) return { kind: 'later', dueAt: earliest };
  }
  const mailsMax = hasEscalated ? WITH_ESCALATED_PER_HOUR_MAX : MAILS_PER_HOUR_MAX;
  const [taken] = await store.write(
    [takeMailOfHour(receiverId, { at: atMs, mailsMax })],
    MAY_BE_LOST,
  );
  if (taken?.length !== 1) {
    return { kind: 'later', dueAt: await hourEndsAt(store.reader, receiverId) };
  }
  const unsubscribeUrl = `${publicUrl}/inbox/unsubscribe/${unsubscribeToken(linkKey, receiverId)}`;
  const mail = writeNotificationMail([first, ...others], {
    publicUrl,
    unsubscribeUrl,
    zone,
    minSeverity,
    rhythm,
  });
  const result = await mailer.send({
    ...mail,
    to: receiver.email,
    atMs,
    unsubscribeUrl,
    signal,
  });
  if (result.kind === 'deferred' || result.kind === 'unanswered') onTrouble(result);
  // What a server refuses while it is out of order uses up nothing of the hour in which it is back.
  if (result.kind !== 'accepted') await store.write([giveBackMailOfHour(receiverId)], MAY_BE_LOST);
  return toSendResult(result);
}

/** Whether the other one says the same with more weight. */
function isSame(one: MailedNotification, other: MailedNotification): boolean {
  return other.isEscalated && other.groupId === one.groupId && other.seq === one.seq;
}

/** Nothing when the person has it already, or is not to have it any more. */
function listMailed(row: ClaimedMail): readonly MailedNotification[] {
  const { title, severity, postedAt, groupName, readUpTo, exception, seq } = row;
  if (title === null || severity === null || postedAt === null || groupName === null) return [];
  if (row.redactedAt !== null || row.isAcknowledged === 1) return [];
  if (readUpTo === null) return [];
  const isEscalated = row.kind === 'escalated';
  // Whoever it is escalated to may have read it, and has not done anything about it.
  if (!isEscalated && isRead({ seq, exception }, readUpTo)) return [];
  return [
    {
      deliveryId: row.id,
      isEscalated,
      groupId: row.notificationGroupId,
      groupName,
      seq,
      title,
      body: row.body,
      severity,
      url: row.url,
      status: row.notificationStatus,
      createdAt: postedAt,
      senderName: row.senderName ?? '',
    },
  ];
}

function toSendResult(result: MailResult): SendResult {
  switch (result.kind) {
    case 'accepted':
      return { kind: 'answered', status: result.status, retryAfter: undefined };
    case 'refused':
      return { kind: 'refused', status: result.status, reason: mailResultText(result) };
    case 'deferred':
      return { kind: 'undecided', status: result.status, reason: mailResultText(result) };
    case 'unanswered':
      return { kind: 'undecided', status: null, reason: mailResultText(result) };
    case 'stopped':
      return result;
  }
}
