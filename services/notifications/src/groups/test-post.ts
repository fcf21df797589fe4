// The test notification that an owner sends to see that a group's notifications arrive.
import type { DatabaseReader } from '@lothub/kit/database';
import { getOwnership, noSuchGroup } from '../access/membership.ts';
import type { Person } from '../access/person.ts';
import { Problem } from '../errors.ts';
import { NOTHING_SAID, type Post, type PostedPlace, type Severity } from '../store/post.ts';
import { groupSettings } from './group-queries.ts';
import type { GroupDeps } from './groups.ts';

export type TestPost = Pick<Post, 'groupId' | 'title' | 'body' | 'severity'> & PostedPlace;

/** @throws Problem `not_found`, `owner_only`, `group_paused`; DatabaseError as the store's `post` */
export async function postTest(
  { store }: Pick<GroupDeps, 'store'>,
  person: Person,
  { groupId, severity }: { readonly groupId: string; readonly severity: Severity },
): Promise<TestPost> {
  await getOwnership(store.reader, { accountId: person.accountId, groupId });
  await assertRunning(store.reader, groupId);
  const content = {
    groupId,
    title: 'Test notification',
    body: `Sent by ${person.name} to see that notifications of this group arrive.`,
    severity,
  };
  const outcome = await store.post({
    ...content,
    ...NOTHING_SAID,
    sender: { kind: 'person', accountId: person.accountId },
  });
  if (outcome.kind === 'no_such_group') throw noSuchGroup();
  if (outcome.kind === 'conflict') throw new Error('a test without idempotency key met another');
  return { ...content, id: outcome.id, seq: outcome.seq, createdAt: outcome.createdAt };
}

async function assertRunning(reader: DatabaseReader, groupId: string): Promise<void> {
  const settings = await groupSettings(reader, groupId);
  if (settings?.paused !== 1) return;
  throw new Problem('group_paused', 'The group is paused: let it take posts again first');
}
