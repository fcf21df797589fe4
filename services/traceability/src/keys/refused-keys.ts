// Keys that were refused, for the operator's audit. However often somebody tries, few entries are made:
// of each caller the first refusal of a minute at once, and at the end of the minute how many more there
// were. The key that was sent is never kept.
import { setTimeout as sleep } from 'node:timers/promises';
import { instantText, type Clock } from '@lothub/kit/clock';
import type { Sql } from 'sql-template-tag';
import { insertAuditEntry } from '../ledger/audit.ts';
import type { KeyRecord } from './key-store.ts';

/** Why a key was refused. */
export type RefusalReason =
  | 'missing'
  /** Not a key of this hub, or one that expired or was revoked. */
  | 'unknown'
  /** A tenant key where the admin key is wanted, or the other way round. */
  | 'wrong_role'
  /** A key that is bound to another tenant. */
  | 'wrong_tenant'
  /** A key with a limit that does not open the route. */
  | 'beyond_limit';

export interface RefusedKey {
  /** Address of the client. */
  readonly client: string;
  /** `/v1` or `/v1/admin`. */
  readonly path: string;
  readonly reason: RefusalReason;
  /** The key, when it is one of the hub. */
  readonly key: Pick<KeyRecord, 'key_id' | 'label'> | undefined;
  readonly requestId: string;
}

const WINDOW_MS = 60_000;
/**
 * Callers of a minute that have entries of their own; the others are counted together. With two entries
 * for each, a process that is attacked all day long writes some 20 MB.
 */
const CALLERS_MAX = 20;
/** How long an answer waits for its entry; it is made all the same when that takes longer. */
const WAIT_MS = 1_000;

interface Counted {
  readonly refused: RefusedKey;
  /** After the entry that was made at once. */
  more: number;
}

export interface RefusedKeysOptions {
  readonly write: (statements: readonly Sql[]) => Promise<unknown>;
  readonly clock: Clock;
  /** Hears of entries that could not be written; they are lost. */
  readonly onError: (error: unknown) => void;
}

export class RefusedKeys implements AsyncDisposable {
  readonly #options: RefusedKeysOptions;
  #callers = new Map<string, Counted>();
  #others: Counted | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RefusedKeysOptions) {
    this.#options = options;
  }

  /** Takes a refusal down. Never fails, and keeps its caller waiting for a moment at most. */
  async note(refused: RefusedKey): Promise<void> {
    this.#timer ??= setTimeout(() => void this.flush(), WINDOW_MS).unref();
    const { client, path, reason, key } = refused;
    const caller =
      key === undefined ? `${client} ${path}` : `${client} ${key.key_id} ${path} ${reason}`;
    const counted = this.#callers.get(caller);
    if (counted !== undefined) {
      counted.more += 1;
    } else if (this.#callers.size < CALLERS_MAX) {
      this.#callers.set(caller, { refused, more: 0 });
      await Promise.race([this.#write([this.#entry(refused, 1)]), sleep(WAIT_MS)]);
    } else {
      this.#others ??= { refused: { ...refused, client: 'others', key: undefined }, more: 0 };
      this.#others.more += 1;
    }
  }

  /** Ends the minute: writes how many more refusals there were. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counted = [...this.#callers.values()];
    if (this.#others !== undefined) counted.push(this.#others);
    this.#callers = new Map();
    this.#others = undefined;
    const entries = counted
      .filter(({ more }) => more > 0)
      .map(({ refused, more }) => this.#entry(refused, more));
    if (entries.length > 0) await this.#write(entries);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush();
  }

  #entry({ client, path, reason, key, requestId }: RefusedKey, count: number): Sql {
    return insertAuditEntry({
      at: instantText(this.#options.clock.nowMs()),
      tenantId: null,
      caller: { actor: key?.label ?? 'unknown key', requestId: count === 1 ? requestId : null },
      action: 'refuse_key',
      entityType: 'key',
      entityId: key?.key_id ?? 'unknown',
      blockHeight: null,
      details: { client, path, reason, count },
    });
  }

  async #write(entries: readonly Sql[]): Promise<void> {
    try {
      await this.#options.write(entries);
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
