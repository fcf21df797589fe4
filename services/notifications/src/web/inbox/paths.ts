// Addresses of the inbox: a list, its filters and its place, as links and forms carry them on.
import type { InboxView } from './view.ts';

export function inboxPath(groupId: string | undefined): string {
  return groupId === undefined ? '/inbox' : `/inbox/groups/${groupId}`;
}

/** The filters and the place in the list. */
export function listQuery(
  { filters, cursor }: Pick<InboxView, 'filters' | 'cursor'>,
  more: Readonly<Record<string, string>> = {},
): string {
  const { before, after } = cursor;
  const query = new URLSearchParams({
    ...(filters.q === '' ? {} : { q: filters.q }),
    ...(filters.severity === undefined ? {} : { severity: filters.severity }),
    ...(filters.unread ? { unread: 'true' } : {}),
    ...(filters.isOpen ? { ack: 'open' } : {}),
    ...(before === undefined ? {} : { before: String(before) }),
    ...(after === undefined ? {} : { after: String(after) }),
    ...more,
  });
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** The query of links from a row: the list that contains it. */
export function itemQuery(view: InboxView): string {
  return listQuery(view, view.group === undefined ? { in: 'all' } : {});
}

export function isNewestPage({ before, after }: InboxView['cursor']): boolean {
  return before === undefined && after === undefined;
}
