// Unattended set-up by settings, for containers and tests: an owner, a group and its first key.
import { randomBase62 } from '@lothub/kit/secrets/base62';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { newId } from '@lothub/kit/secrets/ids';
import { ensureFirstAccount } from '@lothub/people/accounts/first-account';
import type { People } from '@lothub/people/people';
import { insertGroup } from '../groups/new-group.ts';
import type { FirstOwner } from '../settings.ts';
import type { NotificationStore } from '../store/store.ts';
import { insertFirstKey, whileNoGroup } from './first-queries.ts';

/** As long as the id of an issued key. This key does not contain its id, because it may have any form. */
const KEY_ID_LENGTH = 10;

/**
 * Does nothing once somebody has an account and there is a group. If several processes start at once, one
 * does it. After a crash between the account and the group there is only the account, and the next start continues.
 * @param owner as settings.ts has checked it
 */
export async function ensureFirstOwner(
  { people, store }: { readonly people: People; readonly store: NotificationStore },
  owner: FirstOwner,
): Promise<void> {
  const { email, password, group, apiKey } = owner;
  const account = await ensureFirstAccount(people, { email, password });
  if (account === undefined) return;
  const actor = { accountId: account.id, name: account.name };
  const groupId = newId('grp');
  const at = people.clock.nowMs();
  await store.change({
    guard: whileNoGroup(),
    statements: [
      ...insertGroup({ groupId, name: group, ownerId: account.id, actor, at }),
      ...(apiKey === undefined
        ? []
        : insertFirstKey({
            id: randomBase62(KEY_ID_LENGTH),
            groupId,
            secretHash: sha256Hex(apiKey),
            actor,
            at,
          })),
    ],
  });
}
