// Posting for another service of the same process: it gets a key of a group as any sender does, and posts with it,
// without a request. The key stands among those of the group, and its owner ends all of it by revoking the key.
import type { Clock } from '@lothub/kit/clock';
import { Problem } from '../errors.ts';
import { listGroups } from '../groups/groups.ts';
import { GROUPS_PER_PERSON_MAX } from '../groups/limits.ts';
import { Ingest } from '../ingest/ingest.ts';
import type { Severity } from '../store/post.ts';
import type { NotificationStore } from '../store/store.ts';
import { issueKey } from './keys.ts';
import { findPostingKey } from './key-queries.ts';

/** `last_used_at` is written at most this often. */
const TOUCH_EVERY_MS = 60_000;

export interface PostingByKey {
  /** Groups in which the person may make keys: those that the person owns. */
  readonly groupsOf: (
    accountId: string,
  ) => Promise<readonly { readonly id: string; readonly name: string }[]>;
  /** @returns the id of a new key; undefined when the person may not make one, or the group has no room */
  readonly connect: (of: {
    readonly person: { readonly accountId: string; readonly name: string };
    readonly groupId: string;
    readonly name: string;
  }) => Promise<string | undefined>;
  /**
   * The same id again, within a day, posts nothing. `gone`: the key has ended. `paused`: the group takes nothing.
   * @throws DatabaseError as the store's `post`
   */
  readonly post: (of: {
    readonly keyId: string;
    readonly id: string;
    readonly notification: {
      readonly title: string;
      readonly body: string;
      readonly severity: Severity;
    };
  }) => Promise<'posted' | 'gone' | 'paused'>;
}

export function postingByKey(deps: {
  readonly store: NotificationStore;
  readonly clock: Clock;
}): PostingByKey {
  const { store, clock } = deps;
  const ingest = new Ingest(store);
  return {
    groupsOf: async (accountId) => {
      const page = { accountId, limit: GROUPS_PER_PERSON_MAX };
      const { items } = await listGroups(store.reader, page);
      return items.filter(({ role }) => role === 'owner').map(({ id, name }) => ({ id, name }));
    },
    connect: async ({ person, groupId, name }) => {
      try {
        const { id } = await issueKey(deps, { actor: person, groupId }, { name, expiresAt: null });
        return id;
      } catch (error) {
        if (error instanceof Problem) return undefined;
        throw error;
      }
    },
    post: async ({ keyId, id, notification }) => {
      const key = await findPostingKey(store.reader, keyId);
      const nowMs = clock.nowMs();
      const hasEnded =
        key === undefined ||
        key.revokedAt !== null ||
        (key.expiresAt !== null && key.expiresAt <= nowMs);
      if (hasEnded) return 'gone';
      if (key.paused === 1) return 'paused';
      const touch = nowMs - (key.lastUsedAt ?? 0) >= TOUCH_EVERY_MS;
      await ingest.post({
        groupId: key.groupId,
        content: notification,
        sender: { kind: 'key', keyId, touch },
        idempotencyKey: id,
        waitedMs: 0,
      });
      return 'posted';
    },
  };
}
