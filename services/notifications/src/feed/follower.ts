// Follows the feed for a whole process: one reading of each entry, handed on once and in order to
// everybody who listens, whichever process committed it.
import type { DatabaseReader } from '@lothub/kit/database';
import { nextTurn } from '@lothub/kit/in-turns';
import type { NotificationStore } from '../store/store.ts';
import type { FeedEntry, SignalEntry } from './feed-entry.ts';
import { readFeed, readFeedPosition, readSignals } from './feed-queries.ts';

/** Entries that are read at once; others have their turn in between. */
const PAGE_ENTRIES = 500;
/** After a page could not be read. */
const RETRY_MS = 500;

/** Called with entries in their order; it is not waited for, and must not throw. */
export type FeedListener<Entry> = (entries: readonly Entry[]) => void;

export interface FollowerOptions {
  readonly store: Pick<NotificationStore, 'reader' | 'onCommit'>;
  /** Hears once that the feed cannot be read, until it can again; and what a listener threw. */
  readonly onError: (error: unknown) => void;
}

export class FeedFollower implements AsyncDisposable {
  readonly #reader: DatabaseReader;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Set<FeedListener<FeedEntry>>();
  readonly #signalListeners = new Set<FeedListener<SignalEntry>>();
  readonly #endWaking: () => void;
  #position: number;
  #isWoken = false;
  #running: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isFailing = false;
  #isClosed = false;

  private constructor(options: FollowerOptions, position: number) {
    this.#reader = options.store.reader;
    this.#onError = options.onError;
    this.#position = position;
    this.#endWaking = options.store.onCommit(() => this.#wake());
    // Whatever was committed since the head was read.
    this.#wake();
  }

  /** Starts at the head of the feed. */
  static async open(options: FollowerOptions): Promise<FeedFollower> {
    return new FeedFollower(options, await readFeedPosition(options.store.reader));
  }

  /** Everything up to it was handed on. */
  get position(): number {
    return this.#position;
  }

  /**
   * Receives every entry after the current `position`.
   * @returns ends it
   */
  subscribe(listener: FeedListener<FeedEntry>): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Like `subscribe`, for signals only: notifications are not read while they have no subscriber.
   * @returns ends it
   */
  subscribeToSignals(listener: FeedListener<SignalEntry>): () => void {
    this.#signalListeners.add(listener);
    return () => void this.#signalListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endWaking();
    clearTimeout(this.#retry);
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #wake(): void {
    this.#isWoken = true;
    if (this.#isClosed) return;
    this.#running ??= this.#follow();
  }

  /** Reads until there is nothing more; never rejects. */
  async #follow(): Promise<void> {
    clearTimeout(this.#retry);
    try {
      while (this.#isWoken && !this.#isClosed) {
        this.#isWoken = false;
        const isMore = await this.#readPage();
        if (isMore) this.#isWoken = true;
        if (this.#isWoken) await nextTurn();
      }
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing && !this.#isClosed) this.#onError(error);
      this.#isFailing = true;
      if (!this.#isClosed) this.#retry = setTimeout(() => this.#wake(), RETRY_MS).unref();
    } finally {
      // Synchronously: a later wake starts a new read.
      this.#running = undefined;
    }
  }

  /** @returns whether there may be more */
  async #readPage(): Promise<boolean> {
    const page = { after: this.#position, limit: PAGE_ENTRIES };
    if (this.#listeners.size > 0) {
      const entries = await readFeed(this.#reader, page);
      this.#handOn(entries, entries.at(-1)?.position ?? this.#position);
      return entries.length === PAGE_ENTRIES;
    }
    const { entries, position } = await readSignals(this.#reader, page);
    // A new subscriber needs entries that were not read.
    if (this.#listeners.size > 0) return true;
    this.#handOn(entries, position);
    return entries.length === PAGE_ENTRIES;
  }

  /** Synchronously: a subscriber receives all entries of a page or none. */
  #handOn(entries: readonly FeedEntry[], position: number): void {
    this.#position = position;
    if (entries.length === 0) return;
    for (const listener of this.#listeners) this.#callListener(listener, entries);
    if (this.#signalListeners.size === 0) return;
    const signals = entries.filter((entry) => entry.kind === 'signal');
    if (signals.length === 0) return;
    for (const listener of this.#signalListeners) this.#callListener(listener, signals);
  }

  #callListener<Entry>(listener: FeedListener<Entry>, entries: readonly Entry[]): void {
    try {
      listener(entries);
    } catch (error) {
      this.#onError(error);
    }
  }
}
