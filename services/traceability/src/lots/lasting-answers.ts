// Caches answers about lots in memory until their contents change: an expensive answer is found
// once for equal requests, also for those that arrive at the same time.
//
// An answer is cached until its tenant records a correction or a line that changes it, and only
// while the chain is valid. Each request reads from the database what the tenant has recorded
// since, so this is correct across processes. Blocks, statuses, notices and verdicts are never
// cached.
import type { DatabaseReader } from '@lothub/kit/database';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import { findLinesSince, findProgress } from './recorded-since.ts';
import type { RecordedLine, TenantProgress } from './recorded-since.ts';

export interface LastingAnswer<Value> {
  readonly value: Value;
  /** Whether this line of an event of the tenant may change the answer. */
  readonly isChangedBy: (line: RecordedLine) => boolean;
  /** Lots, heights and the like that it holds, at least 1: what `weightMax` counts. */
  readonly weight: number;
}

interface Entry<Value> {
  readonly answer: Promise<LastingAnswer<Value>>;
  readonly corrections: number;
  readonly timesLost: number;
  /** Everything that the tenant recorded up to here has been taken into account. */
  through: number;
  /** 0 until it is known. */
  weight: number;
}

export class LastingAnswers<Value> {
  readonly #database: DatabaseReader;
  readonly #state: ChainState;
  readonly #weightMax: number;
  /** The one that was requested least recently first. */
  readonly #entries = new Map<string, Entry<Value>>();
  #weight = 0;

  constructor(options: {
    readonly database: DatabaseReader;
    readonly state: ChainState;
    /** Maximum of all answers together; the least recently requested ones are removed first. */
    readonly weightMax: number;
  }) {
    this.#database = options.database;
    this.#state = options.state;
    this.#weightMax = options.weightMax;
  }

  /**
   * @param asked `key` names the answer among all of all tenants; `make` finds it
   * @throws the error of `make`, which is not cached
   */
  async get(
    asked: { readonly tenantNo: number; readonly key: string },
    make: () => Promise<LastingAnswer<Value>>,
  ): Promise<Value> {
    const { tenantNo, key } = asked;
    // This is read before anything else: events that are recorded meanwhile count as later ones.
    const progress = await findProgress(this.#database, tenantNo);
    // Rows that may be wrong are not cached, and no cached rows are returned with them.
    if (progress === undefined || !this.#state.valid) return (await make()).value;
    const entry = this.#entries.get(key);
    if (entry !== undefined) {
      const answer = await entry.answer;
      if (await this.#holds(entry, answer, { tenantNo, progress })) {
        this.#touch(key, entry);
        return answer.value;
      }
    }
    // Another request may have started a newer answer meanwhile.
    const newest = this.#entries.get(key);
    const isNew = newest !== undefined && newest !== entry && this.#isAsNewAs(newest, progress);
    return isNew ? (await newest.answer).value : await this.#make(key, progress, make);
  }

  #isAsNewAs(entry: Entry<Value>, progress: TenantProgress): boolean {
    return (
      entry.timesLost === this.#state.timesLost &&
      entry.corrections === progress.corrections &&
      entry.through >= progress.lastHeight
    );
  }

  async #holds(
    entry: Entry<Value>,
    { isChangedBy }: LastingAnswer<Value>,
    now: { readonly tenantNo: number; readonly progress: TenantProgress },
  ): Promise<boolean> {
    const { tenantNo, progress } = now;
    if (this.#isAsNewAs(entry, progress)) return true;
    // A correction may change any line of any event, so the answer is made again.
    if (entry.corrections !== progress.corrections) return false;
    if (entry.timesLost !== this.#state.timesLost) return false;
    const lines = await findLinesSince(this.#database, { tenantNo, above: entry.through });
    if (lines === undefined || lines.some(isChangedBy)) return false;
    entry.through = Math.max(entry.through, progress.lastHeight);
    return true;
  }

  async #make(
    key: string,
    progress: TenantProgress,
    make: () => Promise<LastingAnswer<Value>>,
  ): Promise<Value> {
    const entry: Entry<Value> = {
      answer: make(),
      corrections: progress.corrections,
      timesLost: this.#state.timesLost,
      through: progress.lastHeight,
      weight: 0,
    };
    this.#forget(key);
    this.#entries.set(key, entry);
    try {
      const { value, weight } = await entry.answer;
      if (this.#entries.get(key) === entry) this.#weigh(entry, weight);
      return value;
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#forget(key);
      throw error;
    }
  }

  #weigh(entry: Entry<Value>, weight: number): void {
    entry.weight = weight;
    this.#weight += weight;
    for (const [key, { weight: freed }] of this.#entries) {
      if (this.#weight <= this.#weightMax) return;
      // An entry of weight 0 is not finished, and a caller waits for it.
      if (freed > 0) this.#forget(key);
    }
  }

  #touch(key: string, entry: Entry<Value>): void {
    if (this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }

  #forget(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}
