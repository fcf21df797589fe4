// Posting a notification into a group: what is stored, and what a repeated request is answered with.
import { instantText } from '@lothub/kit/clock';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import type { Waited } from '@lothub/kit/writer/thread';
import { Problem } from '../errors.ts';
import { REDACTED_TITLE } from '../feed/redacted.ts';
import { repeatName } from '../store/plan-posts.ts';
import { saidIn, pickSentMembers } from '../sent-members.ts';
import { NOTHING_SAID } from '../store/post.ts';
import type { Post, PostedPlace, PostOutcome, Sender } from '../store/post.ts';
import type { NotificationStore } from '../store/store.ts';
import { COMMAND, SEVERITY_DEFAULT, type IngestAnswer, type IngestBody } from './ingest-schema.ts';

/** Seconds after which a repeated request that came too early should retry. */
const IN_FLIGHT_RETRY_SECONDS = 1;

export interface IngestRequest {
  readonly groupId: string;
  readonly content: IngestBody;
  readonly sender: Sender;
  readonly idempotencyKey: string | undefined;
  /**
   * What makes a request with this key the same as the first; undefined: its content. With it, a request that comes
   * while the first is under way is answered as a later one is: senders that we do not write drop what is answered
   * with a 409.
   */
  readonly sameAs?: string;
  /** What of its time it has spent before. */
  readonly waitedMs: number;
}

export interface Ingested {
  readonly answer: IngestAnswer;
  /** It was stored by an earlier request. */
  readonly isReplay: boolean;
}

export class Ingest {
  readonly #store: Pick<NotificationStore, 'post'>;
  /**
   * Idempotency keys whose first request is not answered yet, in this process; at another one a repeated
   * request waits for the first one's transaction. No more than open requests.
   */
  readonly #inFlight = new Set<string>();

  constructor(store: Pick<NotificationStore, 'post'>) {
    this.#store = store;
  }

  /**
   * Resolves once the notification is on disk.
   * @throws Problem `idempotency_in_flight`, `idempotency_mismatch`; DatabaseError as the store's `post`
   */
  async post(request: IngestRequest): Promise<Ingested> {
    const { groupId, content, sender, idempotencyKey, sameAs, waitedMs } = request;
    const post = {
      groupId,
      title: content.title,
      body: content.body ?? null,
      severity: content.severity ?? SEVERITY_DEFAULT,
      ...saidIn(content),
      sender,
    };
    if (idempotencyKey === undefined) return await this.#write(post, { waitedMs });
    if (sameAs !== undefined) {
      // The writer has all posts in one order, so it finds the first of them by itself.
      const idempotency = { key: idempotencyKey, contentHash: sha256Hex(sameAs) };
      return await this.#write({ ...post, idempotency }, { waitedMs });
    }
    const name = repeatName(groupId, idempotencyKey);
    if (this.#inFlight.has(name)) {
      throw new Problem(
        'idempotency_in_flight',
        'A request with this Idempotency-Key is not answered yet: repeat it later',
        { headers: { 'Retry-After': String(IN_FLIGHT_RETRY_SECONDS) } },
      );
    }
    this.#inFlight.add(name);
    try {
      const idempotency = { key: idempotencyKey, contentHash: hashContent(post) };
      return await this.#write({ ...post, idempotency }, { waitedMs });
    } finally {
      this.#inFlight.delete(name);
    }
  }

  async #write(post: Post, waited: Waited): Promise<Ingested> {
    const outcome = await this.#store.post(post, waited);
    switch (outcome.kind) {
      case 'created':
      case 'replayed':
        return {
          answer: buildAnswer(isRedacted(outcome) ? withoutTexts(post) : post, outcome),
          isReplay: outcome.kind === 'replayed',
        };
      case 'conflict':
        throw new Problem(
          'idempotency_mismatch',
          'An earlier request with this Idempotency-Key had other content: nothing was stored',
        );
      case 'no_such_group':
        // It was deleted since its key was looked at, which was a moment ago.
        throw new Problem('api_key_revoked', 'The group of the key was deleted');
    }
  }
}

function isRedacted(outcome: PostOutcome): boolean {
  return outcome.kind === 'replayed' && outcome.isRedacted === true;
}

/** A repeat of a redacted post: the answer does not say whether its texts are the redacted ones. */
function withoutTexts({ groupId, severity, sender }: Post): Post {
  return { ...NOTHING_SAID, groupId, title: REDACTED_TITLE, body: null, severity, sender };
}

/**
 * Hashes the content that is stored, so different spellings of `{"title":"a"}` have the same hash. Members that were
 * added later change it only when they are set, so it still matches the keys that are stored.
 */
function hashContent({ title, body, severity, url, dedupKey, status }: Post): string {
  const said = [url, dedupKey, status];
  const added = said.every((member) => member === null) ? [] : said;
  return sha256Hex(JSON.stringify([title, body, severity, ...added]));
}

function buildAnswer(post: Post, { id, seq, createdAt }: PostedPlace): IngestAnswer {
  const { groupId, title, body, severity } = post;
  return {
    ...{ id, group_id: groupId, seq, command: COMMAND, title, body, severity },
    ...pickSentMembers(post),
    created_at: instantText(createdAt),
  };
}
