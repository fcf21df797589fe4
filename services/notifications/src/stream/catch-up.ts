// What readers missed, read from the tables page by page: each reader in its turn, each page only when its
// reader has taken the one before, and after each page posts and other requests have their turn.
import { setTimeout } from 'node:timers/promises';
import type { DatabaseReader } from '@lothub/kit/database';
import { nextTurn } from '@lothub/kit/in-turns';
import type { FeedEntry } from '../feed/feed-entry.ts';
import { READER_PAGE_ENTRIES_MAX, readForReader } from '../feed/feed-queries.ts';
import { readMarks } from '../inbox/standing.ts';
import { writeFrame } from './frames.ts';
import { HANDED_BYTES_MAX, type StreamReader } from './stream-reader.ts';

/** Entries that a page aims at: SQLite is read in the thread that serves everybody, for about 1 ms. */
const PAGE_ENTRIES_IN_THREAD = 100;
/** A journey to the database takes not much longer for more. */
const PAGE_ENTRIES_OF_JOURNEY = READER_PAGE_ENTRIES_MAX;
/** Pages of readers that missed little are served together for this time before others get a turn. */
const SLICE_MS = 1;
/**
 * Pages of readers that missed more are followed by a rest that is as long as they took, so that half of the
 * thread is left to posts and other requests. What took longer than this waited for them already.
 */
const REST_MAX_MS = 20;

export interface CatchUpOptions {
  readonly reader: DatabaseReader;
  /** The current groups of a stream, and the position up to which this process has read the feed. */
  readonly readScope: (reader: StreamReader) => {
    readonly groupIds: readonly string[];
    readonly upTo: number;
  };
  /** @returns whether the reader needs no more pages: it gets new entries now, or has ended */
  readonly join: (reader: StreamReader) => boolean;
  readonly onError: (error: unknown) => void;
}

export class CatchUp {
  readonly #options: CatchUpOptions;
  readonly #pageEntriesMax: number;
  /** Each has its page in its turn. */
  readonly #waiting: StreamReader[] = [];
  #isWorking = false;

  constructor(options: CatchUpOptions) {
    this.#options = options;
    this.#pageEntriesMax =
      options.reader.together === undefined ? PAGE_ENTRIES_IN_THREAD : PAGE_ENTRIES_OF_JOURNEY;
  }

  /** Takes the reader on from its position. */
  add(reader: StreamReader): void {
    reader.isParked = false;
    this.#waiting.push(reader);
    if (!this.#isWorking) void this.#work();
  }

  /** One page after the other, never two at a time. */
  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let sliceMs = 0, restMs = 0; this.#waiting.length > 0 || sliceMs > 0;) {
      const begunMs = performance.now();
      const reader = this.#waiting.shift();
      if (reader !== undefined) await this.#serve(reader);
      const tookMs = performance.now() - begunMs;
      sliceMs += tookMs;
      if (reader?.phase === 'behind') restMs += tookMs;
      if (sliceMs < SLICE_MS && reader !== undefined) continue;
      // Where the database is read in this thread and the socket takes whatever it is given, nothing above
      // waits for more than promises that are resolved already. Also when nobody waits any more: the
      // reader may be back in the same turn.
      await (restMs > 0 ? setTimeout(Math.min(restMs, REST_MAX_MS)) : nextTurn());
      sliceMs = 0;
      restMs = 0;
    }
    this.#isWorking = false;
  }

  async #serve(reader: StreamReader): Promise<void> {
    try {
      await this.#step(reader);
    } catch (error) {
      this.#options.onError(error);
      // The client reconnects from its position.
      reader.cut();
    }
  }

  async #step(reader: StreamReader): Promise<void> {
    if (this.#options.join(reader)) return;
    const { groupIds, upTo } = this.#options.readScope(reader);
    const { accountId } = reader.person;
    const range = { after: reader.position, upTo, entries: reader.pageEntries };
    const page = await readForReader(this.#options.reader, { groupIds, accountId }, range);
    const marks = await readMarks(this.#options.reader, accountId, listNotifications(page.entries));
    if (reader.phase !== 'behind') return;
    let given = 0;
    for (const entry of page.entries) {
      const frame = writeFrame(entry, marks(entry.position));
      if (frame !== undefined) reader.push(frame);
      reader.position = entry.position;
      given += 1;
      if (reader.pendingBytes > HANDED_BYTES_MAX) break;
    }
    const isWhole = given === page.entries.length;
    if (isWhole) reader.position = Math.max(reader.position, page.position);
    // With long texts the next page has no more entries than are likely to fit.
    reader.pageEntries = isWhole ? Math.min(2 * reader.pageEntries, this.#pageEntriesMax) : given;
    reader.flush();
    if (this.#options.join(reader)) return;
    if (reader.canTake) this.add(reader);
    else reader.isParked = true;
  }
}

function listNotifications(
  entries: readonly FeedEntry[],
): readonly { readonly id: number; readonly groupId: string; readonly seq: number }[] {
  return entries.flatMap((entry) => (entry.kind === 'notification' ? [entry.notification] : []));
}
