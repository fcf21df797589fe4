// How far a person has read in each group, and the marks of notifications, for streams and other answers than
// pages of a list.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { GROUPS_PER_PERSON_MAX } from '../groups/limits.ts';
import { marksOfSeqs, standingsIn, readStandingRows } from './inbox-queries.ts';
import type { GroupStandingRow } from './inbox-queries.ts';
import { JUST_POSTED, toMarks, type Marks } from './notification.ts';

export type GroupStanding = GroupStandingRow;

/** `groupIds` undefined: all groups of the person. */
export async function readStandings(
  reader: DatabaseReader,
  {
    accountId,
    groupIds,
  }: { readonly accountId: string; readonly groupIds: readonly string[] | undefined },
): Promise<readonly GroupStanding[]> {
  if (groupIds === undefined) {
    return await readStandingRows(reader, { accountId, limit: GROUPS_PER_PERSON_MAX });
  }
  return groupIds.length === 0 ? [] : await standingsIn(reader, { accountId, groupIds });
}

/** What has become of notifications, by their ids. */
export async function readMarks(
  reader: DatabaseReader,
  accountId: string,
  notifications: readonly { readonly id: number; readonly groupId: string; readonly seq: number }[],
): Promise<(id: number) => Marks> {
  const byId = new Map<number, Marks>();
  const slices = [...Map.groupBy(notifications, ({ groupId }) => groupId)].flatMap(
    ([groupId, ofGroup]) => [...cutSlices(ofGroup)].map((slice) => ({ groupId, slice })),
  );
  const answers = await askForEach(reader, slices, (one, { groupId, slice }) =>
    marksOfSeqs(one, accountId, { groupId, seqs: slice.map(({ seq }) => seq) }),
  );
  for (const [n, rows] of answers.entries()) {
    const idOfSeq = new Map(slices[n]?.slice.map(({ id, seq }) => [seq, id]));
    for (const row of rows) {
      const id = idOfSeq.get(row.seq);
      if (id !== undefined) byId.set(id, toMarks(row, row.readUpTo));
    }
  }
  return (id) => byId.get(id) ?? JUST_POSTED;
}
