// Posting for another service of the same process: it gets a key of a group as any sender does, and posts with it,
// without a request. The key is in the list of the group's keys, and an owner ends the posting by revoking it.
import type { Clock } from '@lothub/kit/clock';
import { Problem } from '../errors.ts';
import { listGroups } from '../groups/groups.ts';
import { GROUPS_PER_PERSON_MAX } from '../groups/limits.ts';
import type { IngestBody } from '../ingest/ingest-schema.ts';
import { Ingest } from '../ingest/ingest.ts';
import type { Severity } from '../store/post.ts';
import type { NotificationStore } from '../store/store.ts';
import { issueKey, revokeKey } from './keys.ts';
import { findPostingKey } from './key-queries.ts';

/** `last_used_at` is written at most this often. */
const TOUCH_EVERY_MS = 60_000;

export interface PostingByKey {
  /** Groups in which the person may make keys: those that the person owns. */
  readonly listGroups: (
    accountId: string,
  ) => Promise<readonly { readonly id: string; readonly name: string }[]>;
  /** @returns the id of a new key; undefined when the person may not make one, or the group has no room */
  readonly connect: (connection: {
    readonly person: { readonly accountId: string; readonly name: string };
    readonly groupId: string;
    readonly name: string;
  }) => Promise<string | undefined>;
  /**
   * Revokes a key that `connect` made, no matter who owns the group now; a revoked one stays revoked. The group's audit
   * names the person.
   * @throws DatabaseError as the store's `write`
   */
  readonly disconnect: (connection: {
    readonly person: { readonly name: string };
    readonly keyId: string;
  }) => Promise<'revoked'>;
  /**
   * The same id again, within a day, posts nothing. `gone`: the key has ended. `paused`: the group takes nothing.
   * @throws DatabaseError as the store's `post`
   */
  readonly post: (post: {
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
  const { store } = deps;
  const ingest = new Ingest(store);
  return {
    listGroups: async (accountId) => {
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
    disconnect: async ({ person, keyId }) => {
      const key = await findPostingKey(store.reader, keyId);
      if (key === undefined) return 'revoked';
      // Without an account, because the person who deleted the webhook may be no owner of the group.
      const actor = { accountId: null, name: person.name };
      await revokeKey(deps, { actor, groupId: key.groupId, keyId });
      return 'revoked';
    },
    post: async ({ keyId, id, notification: content }) =>
      (await postByKey({ ...deps, ingest }, { keyId, id, content })).kind,
  };
}

export type PostedByKey =
  { readonly kind: 'posted'; readonly seq: number } | { readonly kind: 'gone' | 'paused' };

/**
 * The same id again, within a day, posts nothing.
 * @throws Problem as `Ingest.post`; DatabaseError as the store's `post`
 */
export async function postByKey(
  deps: {
    readonly store: Pick<NotificationStore, 'reader'>;
    readonly clock: Clock;
    readonly ingest: Ingest;
  },
  post: { readonly keyId: string; readonly id: string; readonly content: IngestBody },
): Promise<PostedByKey> {
  const { store, clock, ingest } = deps;
  const { keyId, id, content } = post;
  const key = await findPostingKey(store.reader, keyId);
  const nowMs = clock.nowMs();
  const hasEnded =
    key === undefined ||
    key.revokedAt !== null ||
    (key.expiresAt !== null && key.expiresAt <= nowMs);
  if (hasEnded) return { kind: 'gone' };
  if (key.paused === 1) return { kind: 'paused' };
  const touch = nowMs - (key.lastUsedAt ?? 0) >= TOUCH_EVERY_MS;
  const { answer } = await ingest.post({
    groupId: key.groupId,
    content,
    sender: { kind: 'key', keyId, touch },
    idempotencyKey: id,
    waitedMs: 0,
  });
  return { kind: 'posted', seq: answer.seq };
}
