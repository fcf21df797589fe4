// Events of a stream as bytes (text/event-stream of the HTML standard). Most are made once and sent to
// all readers that get them.
import { instantText } from '@lothub/kit/clock';
import type { FeedEntry, Signal } from '../feed/feed-entry.ts';
import { withoutTexts } from '../feed/redacted.ts';
import type { GroupStanding } from '../inbox/standing.ts';
import { JUST_POSTED, toNotification, type Marks } from '../inbox/notification.ts';

/** A browser waits this long after a break. */
const RETRY_MS = 2_000;

const DATA = '\ndata: ';

/** The first line of a stream. */
export const PREAMBLE = Buffer.from(`retry: ${RETRY_MS}\n\n`);
/**
 * Shows both sides that the connection is alive: the comment is for programs
 * (docs/interface/notifications.md#streams), the event for pages, as browsers hide comments from scripts.
 */
export const BEAT = Buffer.from(':\n\nevent: beat\ndata: {}\n\n');

/** @returns undefined for an entry that no reader gets */
export function writeFrame(entry: FeedEntry, marks: Marks = JUST_POSTED): Buffer | undefined {
  if (entry.kind === 'notification') {
    const { position, notification } = entry;
    return frame({ event: 'notification', position, data: toNotification(notification, marks) });
  }
  const signalFrame = buildSignalFrame(entry.signal);
  return signalFrame === undefined
    ? undefined
    : frame({ position: entry.position, ...signalFrame });
}

/** The frame of a notification that was made before its texts were taken away. */
export function withoutItsTexts(made: Buffer, redactedAt: number): Buffer {
  const text = made.toString();
  const begin = text.indexOf(DATA) + DATA.length;
  const data = JSON.parse(text.slice(begin)) as Readonly<Record<string, unknown>>;
  const redacted = withoutTexts(data, instantText(redactedAt));
  return Buffer.from(`${text.slice(0, begin)}${JSON.stringify(redacted)}\n\n`);
}

function buildSignalFrame(
  signal: Signal,
): { readonly event: string; readonly data: Readonly<Record<string, unknown>> } | undefined {
  const { groupId: group_id, accountId: account_id } = signal;
  switch (signal.kind) {
    case 'read': {
      const { detail } = signal;
      if ('upTo' in detail) return { event: 'read', data: { group_id, up_to: detail.upTo } };
      const { seq, isRead: read, firstSeq: first_seq } = detail;
      return { event: 'read', data: { group_id, seq, read, first_seq } };
    }
    case 'ack': {
      const { seq, name, comment, firstSeq: first_seq } = signal.detail;
      const acknowledged = { account_id, name, at: instantText(signal.at), comment };
      return { event: 'ack', data: { group_id, seq, acknowledged, first_seq } };
    }
    case 'redacted': {
      const data = { group_id, seq: signal.detail.seq, redacted_at: instantText(signal.at) };
      return { event: 'redacted', data };
    }
    case 'membership':
      return {
        event: 'membership',
        data: { group_id, account_id, change: signal.detail.change },
      };
    case 'group':
      return { event: 'group', data: { group_id, ...signal.detail } };
    case 'access':
    case 'key':
      return undefined;
  }
}

/**
 * How far groups are, and how much of them is unread.
 * @param first for the first event of a stream: the position after it, and how often it beats; undefined
 * does not change the reader's position
 */
export function stateFrame(
  standings: readonly Pick<GroupStanding, 'groupId' | 'name' | 'headSeq' | 'unread'>[],
  first: { readonly position: number; readonly beatMs: number } | undefined,
): Buffer {
  const groups = standings.map(({ groupId, name, headSeq, unread }) => ({
    group_id: groupId,
    name,
    head_seq: headSeq,
    unread,
  }));
  const data = first === undefined ? { groups } : { groups, beat_ms: first.beatMs };
  return frame({ event: 'state', position: first?.position, data });
}

/** Reports that some entries after the reader's cursor were deleted, and where each group continues. */
export function resetFrame(
  standings: readonly Pick<GroupStanding, 'groupId' | 'prunedSeq'>[],
  position: number,
): Buffer {
  const groups = standings.map(({ groupId, prunedSeq }) => ({
    group_id: groupId,
    next_seq: prunedSeq + 1,
  }));
  return frame({ event: 'reset', position, data: { groups } });
}

/** JSON has no line breaks outside of its strings, and escapes those in them: one line of data. */
function frame(event: {
  readonly event: string;
  readonly position: number | undefined;
  readonly data: unknown;
}): Buffer {
  const id = event.position === undefined ? '' : `id: ${event.position}\n`;
  return Buffer.from(`event: ${event.event}\n${id}data: ${JSON.stringify(event.data)}\n\n`);
}
