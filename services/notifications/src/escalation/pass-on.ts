// Posts what was escalated into another group, by the ordinary way and with an idempotency key: a crash between the
// post and the note of it posts nothing twice.
import { instantText, type Clock } from '@lothub/kit/clock';
import { redactCopies } from '../duties/redact.ts';
import { Problem } from '../errors.ts';
import type { IngestBody } from '../ingest/ingest-schema.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { postByKey } from '../keys/posting-by-key.ts';
import type { NotificationStore } from '../store/store.ts';
import { SERVICE } from './escalate.ts';
import { POST_WITHIN_MS } from './limits.ts';
import { endPost, findPosted, openPosts, type OpenPost } from './pass-on-queries.ts';

const POSTS_PER_LOOK = 50;
const TITLE_CHARS_MAX = 120;

export interface PassOnDeps {
  readonly store: NotificationStore;
  readonly clock: Clock;
  readonly ingest: Ingest;
  /** As people reach the pages. */
  readonly publicUrl: string;
  readonly mayGoOn: () => Promise<boolean>;
}

/**
 * All that are open; one whose group is paused stays open for a while.
 * @throws DatabaseError as the store's `post`
 */
export async function passOn(deps: PassOnDeps): Promise<void> {
  let after: Pick<OpenPost, 'groupId' | 'seq'> = { groupId: '', seq: 0 };
  for (;;) {
    const posts = await openPosts(deps.store.reader, { after, limit: POSTS_PER_LOOK });
    for (const one of posts) {
      if (!(await deps.mayGoOn())) return;
      await passOnOne(deps, one);
    }
    after = posts.at(-1) ?? after;
    if (posts.length < POSTS_PER_LOOK) return;
  }
}

async function passOnOne(deps: PassOnDeps, one: OpenPost): Promise<void> {
  const { store, clock } = deps;
  const idempotencyKey = `escalation-${one.groupId}-${one.seq}`;
  // Nothing is to be posted any more, but it may have been before a crash.
  const isOver =
    one.title === null || one.redactedAt !== null || clock.nowMs() - one.at > POST_WITHIN_MS;
  const posted = isOver ? undefined : await tryPost(deps, one, idempotencyKey);
  if (posted === 'paused') return;
  const seq =
    typeof posted === 'number'
      ? posted
      : await findPosted(store.reader, { groupId: one.toGroupId, idempotencyKey });
  await store.write([endPost(one, seq)]);
  // It may have been redacted while it was posted.
  if (seq !== null) await redactCopies(deps, { ...one, actor: SERVICE });
}

/** @returns its seq in the other group; undefined: it was posted before, or the group refuses it */
async function tryPost(
  deps: PassOnDeps,
  one: OpenPost,
  idempotencyKey: string,
): Promise<number | 'paused' | undefined> {
  try {
    const content = buildContent(one, deps.publicUrl);
    const outcome = await postByKey(deps, { keyId: one.keyId, id: idempotencyKey, content });
    if (outcome.kind === 'posted') return outcome.seq;
    return outcome.kind === 'paused' ? 'paused' : undefined;
  } catch (error) {
    // Posted before, when the group was called otherwise.
    if (error instanceof Problem && error.code === 'idempotency_mismatch') return undefined;
    throw error;
  }
}

export function buildContent(
  { groupId, groupName, seq, title, createdAt, afterMinutes }: OpenPost,
  publicUrl: string,
): IngestBody {
  const minutes = afterMinutes === 1 ? '1 minute' : `${afterMinutes} minutes`;
  const since = createdAt === null ? '' : `, ${instantText(createdAt)}`;
  const url = `${publicUrl}/inbox/groups/${groupId}/n/${seq}`;
  return {
    title: cut(`Not acknowledged for ${minutes}: ${title ?? ''}`),
    body: `Escalated from ${groupName}, number ${seq}${since}.\n${url}`,
    severity: 'critical',
    url,
  };
}

function cut(text: string): string {
  const characters = [...text];
  if (characters.length <= TITLE_CHARS_MAX) return text;
  return `${characters.slice(0, TITLE_CHARS_MAX - 1).join('')}…`;
}
