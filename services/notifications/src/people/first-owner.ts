// Unattended set-up by settings, for containers and tests: an owner, a group and its first key.
import { randomBase62 } from '@lothub/kit/secrets/base62';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { insertGroup } from '../groups/new-group.ts';
import type { FirstOwner } from '../settings.ts';
import { newId } from '../store/ids.ts';
import { newAccount } from './new-account.ts';
import { endSetupLinks, hasAccounts, insertFirstKey, whileNobody } from './people-queries.ts';
import type { SetUpDeps } from './set-up.ts';

/** As of an issued key; this one does not stand in the key, which has any form. */
const KEY_ID_LENGTH = 10;

/**
 * Does nothing once somebody has an account. Of several processes that start at once, one does it.
 * @param owner as settings.ts has checked it
 */
export async function ensureFirstOwner(deps: SetUpDeps, owner: FirstOwner): Promise<void> {
  const { store, clock, passwords } = deps;
  if (await hasAccounts(store.reader)) return;
  const { email, password, group, apiKey } = owner;
  const [name = email] = email.split('@');
  const at = clock.nowMs();
  const made = newAccount({ name, email, passwordHash: await passwords.hash(password) }, at);
  const { account, actor } = made;
  const groupId = newId('grp');
  await store.change({
    guard: whileNobody(),
    statements: [
      ...made.statements,
      endSetupLinks(at),
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
