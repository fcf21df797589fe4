// Pages of the notifications of a group, as one of its people sees them.
import { setImmediate } from 'node:timers/promises';
import type { DatabaseReader } from '@lothub/kit/database';
import { noSuchGroup } from '../access/membership.ts';
import type { MembershipKey } from '../access/membership.ts';
import { Problem } from '../errors.ts';
import { PAGE_DEFAULT } from '../http.ts';
import type { Severity } from '../store/post.ts';
import {
  candidatesOf,
  findStanding,
  itemsOf,
  itemsOfSeqs,
  markedUnreadOf,
} from './inbox-queries.ts';
import type { CandidateRow, ItemRow, Part, StandingRow } from './inbox-queries.ts';
import type { Notification, NotificationList } from './inbox-schema.ts';
import { isRead, marksOf, notificationOf } from './notification.ts';
import { textMatcher } from './text-match.ts';

/** Notifications that one page looks at to find those asked for; `next` goes on behind them. */
export const LOOKED_AT_MAX = 4_000;
/** Characters of titles and bodies that one page looks through: about 15 ms. */
export const CHARACTERS_MAX = 1_000_000;
/** Read in one query, and looked at without letting others have their turn. */
const SLICE_ROWS = 200;

export interface ListOptions {
  /** Those with a higher seq, oldest first; not with `before`. */
  readonly after?: number | undefined;
  /** Those with a lower seq, newest first; all when neither is given. */
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
  readonly severity?: Severity | undefined;
  readonly unread?: boolean | undefined;
  /** In title or body, whatever the case. */
  readonly q?: string | undefined;
}

/**
 * A page; with `q` or `unread` it may be short or empty although `next` goes on.
 * @throws Problem `not_found` when the person is not in the group, `fields_invalid` with both cursors
 */
export async function listNotifications(
  reader: DatabaseReader,
  key: MembershipKey,
  options: ListOptions,
): Promise<NotificationList> {
  const { after, before, limit = PAGE_DEFAULT, severity } = options;
  if (after !== undefined && before !== undefined) throw bothCursors();
  const standing = await getStanding(reader, key);
  const { groupId, headSeq, prunedSeq } = standing;
  // Up to the head that the answer tells: what is posted meanwhile comes after it.
  const part: Part = {
    groupId,
    severity,
    direction: after === undefined ? 'older' : 'newer',
    from: Math.max(prunedSeq, after ?? 0) + 1,
    to: Math.min(headSeq, before === undefined ? headSeq : before - 1),
    limit: limit + 1,
  };
  const found =
    options.q === undefined && options.unread !== true
      ? await plainPage(reader, key.accountId, part)
      : await choosePage(reader, { standing, part, accountId: key.accountId, options });
  const rows = found.rows.slice(0, limit);
  const next = found.rows.length > limit ? (rows.at(-1)?.seq ?? null) : found.stoppedAt;
  return {
    items: rows.map((row) => notificationOf(row, marksOf(row, standing.readUpTo))),
    next,
    prev: backFrom({ after, before, headSeq, prunedSeq }),
    head_seq: headSeq,
    unread: standing.unread,
  };
}

/** @throws Problem `not_found` when there is no such notification, or no longer */
export async function getNotification(
  reader: DatabaseReader,
  key: MembershipKey,
  seq: number,
): Promise<Notification> {
  const standing = await getStanding(reader, key);
  const { groupId } = key;
  const [row] = await itemsOfSeqs(reader, key.accountId, { groupId, seqs: [seq] });
  if (row === undefined) throw noSuchNotification();
  return notificationOf(row, marksOf(row, standing.readUpTo));
}

/** @throws Problem `not_found` */
export async function getStanding(
  reader: DatabaseReader,
  key: MembershipKey,
): Promise<StandingRow> {
  const standing = await findStanding(reader, key);
  if (standing === undefined) throw noSuchGroup();
  return standing;
}

export function noSuchNotification(): Problem {
  return new Problem('not_found', 'The group has no such notification, or no longer');
}

function bothCursors(): Problem {
  const wrong = { code: 'too_many', limit: 1, actual: 2 } as const;
  return new Problem('fields_invalid', 'Give `after` or `before`, not both', {
    fields: [
      { pointer: 'query:after', ...wrong },
      { pointer: 'query:before', ...wrong },
    ],
  });
}

/** The cursor for the other direction: what this page did not go through on its way. */
function backFrom(of: {
  readonly after: number | undefined;
  readonly before: number | undefined;
  readonly headSeq: number;
  readonly prunedSeq: number;
}): number | null {
  const { after, before, headSeq, prunedSeq } = of;
  if (after !== undefined) return after > prunedSeq ? Math.min(after, headSeq) + 1 : null;
  return before !== undefined && before <= headSeq ? Math.max(before - 1, 0) : null;
}

interface FoundPage {
  /** Up to one more than asked for. */
  readonly rows: readonly ItemRow[];
  /** Where looking ended although there is more; null: at the end. */
  readonly stoppedAt: number | null;
}

async function plainPage(
  reader: DatabaseReader,
  accountId: string,
  part: Part,
): Promise<FoundPage> {
  return { rows: await itemsOf(reader, accountId, part), stoppedAt: null };
}

interface Choice {
  readonly standing: StandingRow;
  readonly accountId: string;
  readonly part: Part;
  readonly options: ListOptions;
}

/** A page of those that are unread or have the text, out of a bounded number that are looked at. */
async function choosePage(reader: DatabaseReader, choice: Choice): Promise<FoundPage> {
  const { part, standing, accountId, options } = choice;
  const hasText = options.q === undefined ? (): boolean => true : textMatcher(options.q);
  const isWanted = (row: CandidateRow): boolean =>
    !(options.unread === true && isRead(row, standing.readUpTo)) && hasText(row);
  const seqs: number[] = [];
  let stoppedAt: number | null = null;
  let looked = 0;
  let characters = 0;
  for await (const rows of candidateSlices(reader, choice)) {
    for (const row of rows) {
      looked += 1;
      characters += row.title.length + (row.body?.length ?? 0);
      if (isWanted(row)) seqs.push(row.seq);
      stoppedAt = row.seq;
      if (seqs.length === part.limit) break;
    }
    const isOver = looked >= LOOKED_AT_MAX || characters >= CHARACTERS_MAX;
    if (isOver || seqs.length === part.limit) {
      return { rows: await itemsInOrder(reader, accountId, part, seqs), stoppedAt };
    }
  }
  return { rows: await itemsInOrder(reader, accountId, part, seqs), stoppedAt: null };
}

/** Notifications that could be meant, in the order of the page, slice by slice. */
async function* candidateSlices(
  reader: DatabaseReader,
  { standing, accountId, part, options }: Choice,
): AsyncGenerator<readonly CandidateRow[]> {
  const { readUpTo } = standing;
  // Below read_up_to only marks are unread: they are found by themselves, however many are between.
  const above = { ...part, from: Math.max(part.from, readUpTo + 1), read: candidatesOf };
  const below = { ...part, to: Math.min(part.to, readUpTo), read: markedUnreadOf };
  const all = { ...part, read: candidatesOf };
  const inTwo = part.direction === 'older' ? [above, below] : [below, above];
  for (const { read, ...range } of options.unread === true ? inTwo : [all]) {
    let { from, to } = range;
    while (from <= to) {
      const rows = await read(reader, accountId, { ...range, from, to, limit: SLICE_ROWS });
      yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < SLICE_ROWS) break;
      if (part.direction === 'older') to = last.seq - 1;
      else from = last.seq + 1;
      await setImmediate();
    }
  }
}

async function itemsInOrder(
  reader: DatabaseReader,
  accountId: string,
  { groupId, direction }: Part,
  seqs: readonly number[],
): Promise<readonly ItemRow[]> {
  if (seqs.length === 0) return [];
  const rows = await itemsOfSeqs(reader, accountId, { groupId, seqs });
  return rows.toSorted((a, b) => (direction === 'older' ? b.seq - a.seq : a.seq - b.seq));
}
