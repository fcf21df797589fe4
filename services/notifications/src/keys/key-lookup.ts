// Which key a request came with. What is known of a key is kept for a moment, so that a caller that posts
// all the time costs a query twice a second; a signal of the feed makes this process forget it at once.
import { idOfApiToken } from '@lothub/kit/secrets/api-token';
import type { DatabaseReader } from '@lothub/kit/database';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { hashesEqual } from '@lothub/kit/secrets/secrets';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { ADAPTER_PREFIX, KEY_PREFIX, type Adapter } from './key-prefix.ts';

/** Half of the second within which a revoked key is refused, should a signal be late. */
const KNOWN_FOR_MS = 500;
/** How long a post waits for its key: half of the ten seconds within which it is answered. */
const ASK_WAIT_MS = 5_000;
/** Keys, and ids that are none, that are remembered at a time; some 5 MB. */
const KNOWN_MAX = 10_000;
/** `last_used_at` is written at most this often. */
const TOUCH_EVERY_MS = 60_000;
/** A key that an operator made (NOTIFICATIONS_API_KEY). */
const FOREIGN_FORM = /^[\x21-\x7e]{32,512}$/;
/** The form of an id in a token. */
const ID_FORM = /^[0-9A-Za-z]{1,64}$/;

interface KeyRow {
  readonly id: string;
  readonly groupId: string;
  readonly secretHash: string;
  readonly adapter: Adapter | null;
  readonly signingSecret: string | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
  readonly paused: number;
}

export interface PresentedKey {
  readonly id: string;
  readonly groupId: string;
  /** null: a key of the interface. */
  readonly adapter: Adapter | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly isGroupPaused: boolean;
  /** Whether its use is to be written; then for a minute not again. */
  readonly touch: (nowMs: number) => boolean;
}

interface Known {
  readonly row: Promise<KeyRow | undefined>;
  readonly askedAt: number;
  touchedAt: number | undefined;
}

export class KeyLookup {
  readonly #reader: DatabaseReader;
  readonly #known = new Map<string, Known>();

  constructor(reader: DatabaseReader) {
    this.#reader = reader;
  }

  /**
   * The key that a header holds, also one that has ended; nothing when no key has that secret.
   * @throws DatabaseError when the database does not answer
   */
  async find(presented: string): Promise<PresentedKey | undefined> {
    const name = parseName(presented);
    if (name === undefined) return undefined;
    const known = this.#fresh(name);
    const row = await known.row;
    const hash = name.kind === 'hash' ? name.text : sha256Hex(presented);
    if (row === undefined || !hashesEqual(row.secretHash, hash)) return undefined;
    return presentedKey(known, row);
  }

  /**
   * Finds the token of a sender that signs by its id, also an ended one. The caller has to verify the signature
   * before it uses anything else of it.
   * @throws DatabaseError when the database does not answer
   */
  async findSigning(
    id: string,
  ): Promise<{ readonly key: PresentedKey; readonly secret: string } | undefined> {
    if (!ID_FORM.test(id)) return undefined;
    const known = this.#fresh({ kind: 'id', text: id });
    const row = await known.row;
    if (row === undefined || row.signingSecret === null) return undefined;
    return { key: presentedKey(known, row), secret: row.signingSecret };
  }

  /** Keys or groups have changed: what was asked before counts no more. */
  forget(): void {
    this.#known.clear();
  }

  #fresh(name: Name): Known {
    const cached = this.#known.get(name.text);
    const now = performance.now();
    if (cached !== undefined && now - cached.askedAt < KNOWN_FOR_MS) return cached;
    const row = this.#reader.first<KeyRow>(keyNamed(name), { timeoutMs: ASK_WAIT_MS });
    const known: Known = { row, askedAt: now, touchedAt: cached?.touchedAt };
    // Behind the others, as the newest; the oldest makes room.
    this.#known.delete(name.text);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= KNOWN_MAX) this.#known.delete(oldest);
    this.#known.set(name.text, known);
    // A lookup that failed is repeated for the next post.
    row.catch(() => {
      if (this.#known.get(name.text) === known) this.#known.delete(name.text);
    });
    return known;
  }
}

function presentedKey(known: Known, row: KeyRow): PresentedKey {
  const { id, groupId, adapter, expiresAt, revokedAt, paused } = row;
  const touch = (nowMs: number): boolean => {
    const last = Math.max(known.touchedAt ?? 0, row.lastUsedAt ?? 0);
    if (nowMs - last < TOUCH_EVERY_MS) return false;
    known.touchedAt = nowMs;
    return true;
  };
  return { id, groupId, adapter, expiresAt, revokedAt, isGroupPaused: paused === 1, touch };
}

/** What a key is found by: its id, or its hash when it has none. */
interface Name {
  readonly kind: 'id' | 'hash';
  readonly text: string;
}

/** Nothing for what no key of ours can be. */
function parseName(presented: string): Name | undefined {
  if (presented.startsWith(KEY_PREFIX)) {
    const id = idOfApiToken(KEY_PREFIX, presented);
    return id === undefined ? undefined : { kind: 'id', text: id };
  }
  // A key of an operator may begin like a token of an adapter.
  const adapterId = idOfApiToken(ADAPTER_PREFIX, presented);
  if (adapterId !== undefined) return { kind: 'id', text: adapterId };
  if (!FOREIGN_FORM.test(presented)) return undefined;
  return { kind: 'hash', text: sha256Hex(presented) };
}

function keyNamed({ kind, text }: Name): Sql {
  return sql`
    select
      group_keys.id as "id",
      group_keys.group_id as "groupId",
      group_keys.secret_hash as "secretHash",
      group_keys.adapter as "adapter",
      group_keys.signing_secret as "signingSecret",
      group_keys.expires_at as "expiresAt",
      group_keys.revoked_at as "revokedAt",
      group_keys.last_used_at as "lastUsedAt",
      groups.paused as "paused"
    from group_keys
    join groups on groups.id = group_keys.group_id
    where ${kind === 'id' ? sql`group_keys.id = ${text}` : sql`group_keys.secret_hash = ${text}`}`;
}
