// Writes the mail about notifications: one of them with its whole text, or several with the beginning of each. Titles
// and bodies are untrusted: senders wrote them.
import { writeMail, type MailBlock, type MailEntry } from '@lothub/delivery/mail/mail-text';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { SEVERITIES, type Severity } from '../store/post.ts';
import { notificationPath } from '../web/browser/notification-item.ts';
import { SEVERITY_WORDS } from '../web/browser/words.ts';
import type { Rhythm } from './rhythm.ts';

/** Notifications that a mail lists; of the others it says how many they are. */
export const LISTED_MAX = 30;
/** Code points of a body in a mail of several. */
const EXCERPT_MAX = 280;
/** Hex digits of the hash that makes one id out of many. */
const ID_DIGITS = 32;
/** Code points of a group's name in a subject: the title is what is to be read on a telephone. */
const SUBJECT_GROUP_MAX = 40;

export interface MailedNotification {
  /** The id of the delivery, which is the same over all tries. */
  readonly deliveryId: string;
  readonly isEscalated: boolean;
  readonly groupId: string;
  readonly groupName: string;
  readonly seq: number;
  readonly title: string;
  readonly body: string | null;
  readonly severity: Severity;
  /** Where the sender points to. */
  readonly url: string | null;
  readonly status: string | null;
  readonly createdAt: number;
  readonly senderName: string;
}

export interface MailFrame {
  readonly publicUrl: string;
  readonly unsubscribeUrl: string;
  readonly zone: string;
  readonly minSeverity: Severity;
  readonly rhythm: Rhythm;
}

export interface NotificationMail {
  readonly id: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** @param all at least one */
export function writeNotificationMail(
  all: readonly [MailedNotification, ...MailedNotification[]],
  frame: MailFrame,
): NotificationMail {
  const [first, ...others] = all;
  const words = others.length === 0 ? wordsOfOne(first, frame) : wordsOfMany(all, frame);
  const { publicUrl, unsubscribeUrl, rhythm, minSeverity } = frame;
  const { subject, heading, blocks } = words;
  const texts = writeMail({
    language: 'en',
    heading,
    blocks,
    footer: [
      `You turned mail on in the inbox: ${SEVERITY_WORDS[minSeverity]}${ABOVE[minSeverity]}, ${RHYTHM_WORDS[rhythm]}.`,
      { label: 'Change it', url: `${publicUrl}/inbox/me#mail` },
      { label: 'Stop these mails', url: unsubscribeUrl },
    ],
  });
  return { id: buildId(all), subject, ...texts };
}

const ABOVE: Readonly<Record<Severity, string>> = {
  info: ' and above',
  warning: ' and above',
  critical: '',
};

export const RHYTHM_WORDS: Readonly<Record<Rhythm, string>> = {
  at_once: 'at once',
  hourly: 'gathered at full hours',
  daily: 'gathered once a day',
};

/**
 * The same for the same deliveries, so that a mail which is sent again after its answer was lost is known for the
 * same. With one more among them it says something else, and is another mail.
 */
function buildId(all: readonly MailedNotification[]): string {
  const ids = all.map(({ deliveryId }) => deliveryId).toSorted();
  return ids.length === 1 ? ids.join('') : `all_${sha256Hex(ids.join('\n')).slice(0, ID_DIGITS)}`;
}

interface Words {
  readonly subject: string;
  readonly heading: string;
  readonly blocks: readonly MailBlock[];
}

function wordsOfOne(one: MailedNotification, frame: MailFrame): Words {
  const { groupName, title, url } = one;
  const kind = nameKind(one);
  return {
    subject: `[${cut(groupName, SUBJECT_GROUP_MAX)}] ${kind}: ${title}`,
    heading: `${kind} in ${groupName}`,
    blocks: [
      buildEntry(one, frame, one.body ?? ''),
      ...(url === null ? [] : [{ kind: 'link', label: 'What the sender points to', url } as const]),
    ],
  };
}

function wordsOfMany(all: readonly MailedNotification[], frame: MailFrame): Words {
  const criticals = all.filter(({ severity }) => severity === 'critical').length;
  const count = `${all.length} notifications${criticals === 0 ? '' : `, ${criticals} critical`}`;
  const names = new Set(all.map(({ groupName }) => groupName));
  const [name = ''] = names;
  const where = names.size === 1 ? name : `${names.size} groups`;
  const sorted = all.toSorted(
    (a, b) =>
      Number(b.isEscalated) - Number(a.isEscalated) ||
      SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) ||
      b.createdAt - a.createdAt ||
      b.seq - a.seq,
  );
  const rest = all.length - LISTED_MAX;
  return {
    subject: `[${cut(where, SUBJECT_GROUP_MAX)}] ${count}`,
    heading: `${count} in ${where}`,
    blocks: [
      ...sorted
        .slice(0, LISTED_MAX)
        .map((one) => buildEntry(one, frame, cut(one.body ?? '', EXCERPT_MAX))),
      ...(rest > 0 ? [{ kind: 'text', text: `And ${rest} more.` } as const] : []),
      { kind: 'link', label: 'Open the inbox', url: `${frame.publicUrl}/inbox` },
    ],
  };
}

function buildEntry(
  one: MailedNotification,
  { publicUrl, zone }: MailFrame,
  text: string,
): MailEntry {
  const { title, severity, groupName, groupId, seq, createdAt, senderName, isEscalated } = one;
  const kind = isEscalated ? `${SEVERITY_WORDS[severity]}, ${NOT_ACKNOWLEDGED}` : nameKind(one);
  return {
    kind: 'entry',
    title,
    note: `${kind} · ${groupName} · ${timeText(createdAt, zone)} · from ${senderName}`,
    text,
    url: `${publicUrl}${notificationPath({ group_id: groupId, seq })}`,
    tone: severity === 'info' ? 'plain' : severity,
  };
}

const NOT_ACKNOWLEDGED = 'not acknowledged';

function nameKind({ severity, status, isEscalated }: MailedNotification): string {
  const word = SEVERITY_WORDS[severity];
  if (isEscalated) return `Not acknowledged`;
  return status === 'resolved' ? `Resolved (${word})` : word;
}

function timeText(ms: number, zone: string): string {
  const time = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: zone,
  }).format(ms);
  return `${time} ${zone}`;
}

function cut(text: string, max: number): string {
  const points = [...text];
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`;
}
