/** The logs that a witness knows, by the first line of their checkpoints: their keys and their rates. */
import { parseVkey } from '@lothub/chain/log';
import { MemoryTokenBucket, bucketShape, type TokenBucket } from '@lothub/kit/http/token-bucket';
import { present } from '@lothub/kit/present';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { signatureVerifier } from '@lothub/note-key';
import type { LogKey } from './judge.ts';
import type { ListedLog } from './log-list.ts';

/** A log may ask twice as often as its list says: a refused request is asked again. */
const RATE_FACTOR = 2;
/** What a log that was quiet may ask at once: the share of an hour, and so many at least. */
const BURST_MIN = 10;
const HOURS_PER_DAY = 24;
const MINUTES_PER_DAY = 1_440;
/** Addresses that a log's requests are counted for; over it those that came first are forgotten. */
const CALLERS_MAX = 1_000;

export class KnownLog {
  readonly origin: string;
  readonly #listed: ListedLog[] = [];
  /** Made at the first request after a key was added: most logs of a long list are quiet. */
  #keys: readonly LogKey[] | undefined;
  #rate: TokenBucket | undefined;

  constructor(origin: string) {
    this.origin = origin;
  }

  get listed(): readonly ListedLog[] {
    return this.#listed;
  }

  add(listed: ListedLog): void {
    this.#listed.push(listed);
    this.#keys = undefined;
    this.#rate = undefined;
  }

  get keys(): readonly LogKey[] {
    return (this.#keys ??= this.#listed.map(({ vkey }) => {
      const { name, keyId, publicKey } = parseVkey(vkey);
      return { name, keyId, verify: signatureVerifier(publicKey) };
    }));
  }

  /** Counts the requests of each client. The checkpoints are public: counted together, anybody could use up the log's share. */
  get rate(): TokenBucket {
    return (this.#rate ??= newRate(Math.max(...this.#listed.map(({ qpd }) => qpd))));
  }
}

function newRate(qpd: number): TokenBucket {
  const perDay = RATE_FACTOR * qpd;
  const burst = Math.max(BURST_MIN, Math.ceil(perDay / HOURS_PER_DAY));
  const shape = bucketShape({ burst, perMinute: perDay / MINUTES_PER_DAY });
  return new MemoryTokenBucket(present(shape, 'the rate of a log'), { callersMax: CALLERS_MAX });
}

export class KnownLogs {
  readonly #logs = new Map<string, KnownLog>();
  readonly #byVkey = new Map<string, ListedLog>();
  readonly #origins = new Map<string, string>();

  get size(): number {
    return this.#logs.size;
  }

  /** Keys of all logs. */
  get keyCount(): number {
    return this.#byVkey.size;
  }

  find(origin: string): KnownLog | undefined {
    return this.#logs.get(origin);
  }

  /** @param hash SHA-256 of the origin in lower-case hex */
  findByHash(hash: string): KnownLog | undefined {
    const origin = this.#origins.get(hash);
    return origin === undefined ? undefined : this.#logs.get(origin);
  }

  findKey(vkey: string): ListedLog | undefined {
    return this.#byVkey.get(vkey);
  }

  all(): Iterable<KnownLog> {
    return this.#logs.values();
  }

  /** One that is there already stays as it is. */
  add(listed: ListedLog): void {
    const { origin, vkey } = listed;
    if (this.#byVkey.has(vkey)) return;
    this.#byVkey.set(vkey, listed);
    let log = this.#logs.get(origin);
    if (log === undefined) {
      log = new KnownLog(origin);
      this.#logs.set(origin, log);
      this.#origins.set(sha256Hex(origin), origin);
    }
    log.add(listed);
  }
}
