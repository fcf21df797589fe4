// The newest notifications of all groups of a person together.
import type { DatabaseReader } from '@lothub/kit/database';
import { GROUPS_PER_PERSON_MAX } from '../groups/limits.ts';
import { itemsOfSeqs, newestPlaces, standingsOf } from './inbox-queries.ts';
import type { Notification } from './inbox-schema.ts';
import { listNotifications } from './list.ts';
import type { ListOptions } from './list.ts';
import { marksOf, notificationOf } from './notification.ts';

/**
 * Groups that a choice by severity, text or unread goes through, those with the newest notifications
 * first: each of them costs as much as a page of its own.
 */
export const CHOSEN_GROUPS_MAX = 20;

/** Newest first; the pages of each group go further back. */
export async function newestOfAll(
  reader: DatabaseReader,
  of: { readonly accountId: string; readonly limit: number },
): Promise<readonly Notification[]> {
  const { accountId, limit } = of;
  const places = await newestPlaces(reader, { accountId, limit });
  const standings = await standingsOf(reader, { accountId, limit: GROUPS_PER_PERSON_MAX });
  const found: Notification[] = [];
  for (const standing of standings) {
    const { groupId } = standing;
    const seqs = places.filter((place) => place.groupId === groupId).map(({ seq }) => seq);
    if (seqs.length === 0) continue;
    const rows = await itemsOfSeqs(reader, accountId, { groupId, seqs });
    found.push(...rows.map((row) => notificationOf(row, marksOf(row, standing.readUpTo))));
  }
  return found.toSorted((a, b) => b.id - a.id);
}

/** As `newestOfAll`, of those that are chosen, in the groups where something came in last. */
export async function chooseOfAll(
  reader: DatabaseReader,
  of: { readonly accountId: string; readonly limit: number },
  choice: Pick<ListOptions, 'severity' | 'unread' | 'q'>,
): Promise<readonly Notification[]> {
  const { accountId, limit } = of;
  const places = await newestPlaces(reader, { accountId, limit: GROUPS_PER_PERSON_MAX });
  const groupIds = [...new Set(places.map(({ groupId }) => groupId))].slice(0, CHOSEN_GROUPS_MAX);
  const found: Notification[] = [];
  for (const groupId of groupIds) {
    const page = await listNotifications(reader, { accountId, groupId }, { ...choice, limit });
    found.push(...page.items);
  }
  return found.toSorted((a, b) => b.id - a.id).slice(0, limit);
}
