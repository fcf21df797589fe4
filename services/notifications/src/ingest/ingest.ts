// Posting a notification into a group: what is stored, and what a repeated request is answered with.
import { instantText } from '@lothub/kit/clock';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import type { Waited } from '@lothub/kit/writer/thread';
import { Problem } from '../errors.ts';
import { repeatName } from '../store/plan-posts.ts';
import type { Post, PostedPlace, Sender } from '../store/post.ts';
import type { NotificationStore } from '../store/store.ts';
import { COMMAND, SEVERITY_DEFAULT } from './ingest-schema.ts';
import type { IngestAnswer, IngestBody } from './ingest-schema.ts';

/** When a repeated request that came too early should come back. */
const IN_FLIGHT_RETRY_SECONDS = 1;

export interface IngestRequest {
  readonly groupId: string;
  readonly content: IngestBody;
  readonly sender: Sender;
  readonly idempotencyKey: string | undefined;
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
    const { groupId, content, sender, idempotencyKey, waitedMs } = request;
    const post = {
      groupId,
      title: content.title,
      body: content.body ?? null,
      severity: content.severity ?? SEVERITY_DEFAULT,
      sender,
    };
    if (idempotencyKey === undefined) return await this.#write(post, { waitedMs });
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
      const idempotency = { key: idempotencyKey, contentHash: hashOf(post) };
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
        return { answer: answerOf(post, outcome), isReplay: outcome.kind === 'replayed' };
      case 'conflict':
        throw new Problem(
          'idempotency_mismatch',
          'An earlier request with this Idempotency-Key had other content: nothing was stored',
        );
      case 'no_such_group':
        // Groups are paused, never deleted: their keys cannot outlive them.
        throw new Error(`group ${post.groupId} has a key and is not there`);
    }
  }
}

/** Of what is stored: whatever way it is written, `{"title":"a"}` is the same content. */
function hashOf({ title, body, severity }: Post): string {
  return sha256Hex(JSON.stringify([title, body, severity]));
}

function answerOf(
  { groupId, title, body, severity }: Post,
  { id, seq, createdAt }: PostedPlace,
): IngestAnswer {
  const created_at = instantText(createdAt);
  return { id, group_id: groupId, seq, command: COMMAND, title, body, severity, created_at };
}
