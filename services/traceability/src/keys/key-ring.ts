// The active keys in memory: the fast look-up of a request's key, and which of them are warned of.
import type { Clock } from '@lothub/kit/clock';
import { hashesEqual, keyHash } from '@lothub/kit/secrets/secrets';
import { isActive, listActiveKeys, type KeyDatabase, type KeyRecord } from './key-store.ts';
import { sharedKeys, type SharedKey } from './shared-keys.ts';

/** How old the keys in memory may be. Half of the second within which a revoked key is refused. */
const REFRESH_MS = 500;

/** The active keys in memory, so that a request costs no query. */
export class KeyRing implements Disposable {
  readonly #database: KeyDatabase;
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;
  #byHash = new Map<string, KeyRecord>();
  #shared: readonly SharedKey[] = [];
  #isFailing = false;

  private constructor(database: KeyDatabase, clock: Clock, onError: (error: unknown) => void) {
    this.#database = database;
    this.#clock = clock;
    this.#timer = setInterval(() => {
      this.refresh().catch((error: unknown) => {
        if (!this.#isFailing) onError(error);
        this.#isFailing = true;
      });
    }, REFRESH_MS);
    this.#timer.unref();
  }

  static async open(options: {
    readonly database: KeyDatabase;
    readonly clock: Clock;
    /** Hears once that the keys cannot be read; until they can, those in memory stay valid. */
    readonly onError: (error: unknown) => void;
  }): Promise<KeyRing> {
    const ring = new KeyRing(options.database, options.clock, options.onError);
    await ring.refresh();
    return ring;
  }

  async refresh(): Promise<void> {
    const records = await listActiveKeys(this.#database, this.#clock.nowMs());
    this.#byHash = new Map(records.map((record) => [record.key_hash, record]));
    this.#findShared();
    this.#isFailing = false;
  }

  /** Keys that a second tenant has written with and that no operator has accepted: they are warned of. */
  get shared(): readonly SharedKey[] {
    return this.#shared;
  }

  /** Takes over at once what this process has changed about a key. */
  replace(record: KeyRecord): void {
    this.#byHash.set(record.key_hash, record);
    this.#findShared();
  }

  #findShared(): void {
    this.#shared = sharedKeys(this.#byHash.values(), this.#clock.nowMs());
  }

  /** The active key that a header holds; nothing when it is missing, unknown, expired or revoked. */
  find(key: string | undefined): KeyRecord | undefined {
    if (key === undefined || key === '') return undefined;
    const hash = keyHash(key);
    const record = this.findByHash(hash);
    return record !== undefined && hashesEqual(record.key_hash, hash) ? record : undefined;
  }

  /** As `find`, of a key that was found before: it may have ended since. */
  findByHash(hash: string): KeyRecord | undefined {
    const record = this.#byHash.get(hash);
    return record !== undefined && isActive(record, this.#clock.nowMs()) ? record : undefined;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
