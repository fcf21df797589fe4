// Posts what one request of a sender holds: each a row and a seq of its own, in the order of the request. A
// request that came before posts nothing twice where its sender names what it sends.
import { sha256Hex } from '@lothub/kit/secrets/hash';
import type { Ingest, IngestRequest } from '../ingest/ingest.ts';
import type { AdapterAnswer } from './adapter-schema.ts';
import type { SenderPost } from './sender.ts';

/**
 * Resolves once all of them are on disk. A failure may leave some of them there: what is sent again then is
 * not posted twice where it has an id.
 * @throws DatabaseError as the store's `post`
 */
export async function postAll(
  ingest: Pick<Ingest, 'post'>,
  posts: readonly SenderPost[],
  from: Pick<IngestRequest, 'groupId' | 'sender' | 'waitedMs'>,
): Promise<AdapterAnswer['posted']> {
  // All are on their way to the writer before one is answered: in their order, and in one commit at best.
  const settled = await Promise.allSettled(
    distinct(posts).map(({ content, name }) =>
      ingest.post({
        ...from,
        content,
        idempotencyKey: name,
        ...(name === undefined ? {} : { sameAs: name }),
      }),
    ),
  );
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return settled
    .filter((one) => one.status === 'fulfilled')
    .map(({ value: { answer, isReplay } }) => ({
      id: answer.id,
      seq: answer.seq,
      replayed: isReplay,
    }));
}

interface NamedPost extends Pick<SenderPost, 'content'> {
  readonly name: string | undefined;
}

/** Keeps the first of several posts with one id in a request. */
function distinct(posts: readonly SenderPost[]): readonly NamedPost[] {
  const names = new Set<string>();
  return posts.flatMap(({ content, id }): readonly NamedPost[] => {
    const name = id === undefined ? undefined : buildName(id);
    if (name === undefined) return [{ content, name }];
    if (names.has(name)) return [];
    names.add(name);
    return [{ content, name }];
  });
}

/** As an Idempotency-Key: its sender may call it by anything. */
function buildName(id: readonly string[]): string {
  const [adapter = ''] = id;
  return `${adapter}:${sha256Hex(JSON.stringify(id))}`;
}
