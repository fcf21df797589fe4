// What the stream says, checked before anything of it is shown.
import type { ShownAcknowledgement, ShownNotification } from './notification-item.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An object out of the data of an event; empty for anything else. */
export function readFields(data: unknown): Fields {
  const value: unknown = typeof data === 'string' ? JSON.parse(data) : data;
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textAt(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === 'number' ? value : undefined;
}

export function notificationFrom(fields: Fields): ShownNotification | undefined {
  const id = numberAt(fields, 'id');
  const groupId = textAt(fields, 'group_id');
  const seq = numberAt(fields, 'seq');
  const title = textAt(fields, 'title');
  const severity = textAt(fields, 'severity');
  const createdAt = textAt(fields, 'created_at');
  const isWhole =
    id !== undefined && groupId !== undefined && seq !== undefined && createdAt !== undefined;
  if (!isWhole || title === undefined) return undefined;
  return {
    id,
    group_id: groupId,
    seq,
    title,
    body: textAt(fields, 'body') ?? null,
    severity: severity === 'critical' || severity === 'warning' ? severity : 'info',
    url: textAt(fields, 'url'),
    status: statusFrom(textAt(fields, 'status')),
    first_seq: numberAt(fields, 'first_seq'),
    count: numberAt(fields, 'count'),
    redacted_at: textAt(fields, 'redacted_at'),
    created_at: createdAt,
    sender: { name: textAt(fieldsAt(fields, 'sender'), 'name') ?? '' },
    acknowledged: acknowledgedFrom(fieldsAt(fields, 'acknowledged')) ?? null,
    read: fields['read'] === true,
  };
}

function statusFrom(text: string | undefined): ShownNotification['status'] {
  return text === 'firing' || text === 'resolved' ? text : undefined;
}

/** Who acknowledged, when, and what was said to it. */
export function acknowledgedFrom(fields: Fields): DatedAcknowledgement | undefined {
  const name = textAt(fields, 'name');
  const at = textAt(fields, 'at');
  if (name === undefined || at === undefined) return undefined;
  return { name, at, comment: textAt(fields, 'comment') };
}

export type DatedAcknowledgement = ShownAcknowledgement & { readonly at: string };

export function fieldsAt(fields: Fields, name: string): Fields {
  const value = fields[name];
  return isFields(value) ? value : {};
}

export interface GroupStanding {
  readonly groupId: string;
  readonly headSeq: number;
  readonly unread: number;
}

export function standingsFrom(fields: Fields): readonly GroupStanding[] {
  const groups = fields['groups'];
  if (!Array.isArray(groups)) return [];
  return groups.flatMap((group: unknown) => {
    const standing = standingFrom(isFields(group) ? group : {});
    return standing === undefined ? [] : [standing];
  });
}

function standingFrom(fields: Fields): GroupStanding | undefined {
  const groupId = textAt(fields, 'group_id');
  const unread = numberAt(fields, 'unread');
  if (groupId === undefined || unread === undefined) return undefined;
  return { groupId, headSeq: numberAt(fields, 'head_seq') ?? 0, unread };
}
