// What readers missed, read from the tables page by page: a few readers at a time, each page only when
// its reader has taken the one before.
import type { DatabaseReader } from '@lothub/kit/database';
import type { FeedEntry } from '../feed/feed-entry.ts';
import { READER_PAGE_ENTRIES_MAX, readForReader } from '../feed/feed-queries.ts';
import { readMarks } from '../inbox/standing.ts';
import { frameOf } from './frames.ts';
import { HANDED_BYTES_MAX } from './stream-reader.ts';
import type { StreamReader } from './stream-reader.ts';

/** Pages that are read at the same time; who comes back with thousands waits for a turn. */
const WORKERS_MAX = 4;

export interface CatchUpOptions {
  readonly reader: DatabaseReader;
  /** Groups a stream hears, and how far the feed was heard: both of this moment. */
  readonly scopeOf: (reader: StreamReader) => {
    readonly groupIds: readonly string[];
    readonly upTo: number;
  };
  /** @returns whether the reader needs no more pages: it hears what comes, or has ended */
  readonly join: (reader: StreamReader) => boolean;
  readonly onError: (error: unknown) => void;
}

export class CatchUp {
  readonly #options: CatchUpOptions;
  readonly #waiting: StreamReader[] = [];
  #workers = 0;

  constructor(options: CatchUpOptions) {
    this.#options = options;
  }

  /** Takes the reader on from its position. */
  add(reader: StreamReader): void {
    reader.isParked = false;
    this.#waiting.push(reader);
    if (this.#workers < WORKERS_MAX) void this.#work();
  }

  async #work(): Promise<void> {
    this.#workers += 1;
    for (let reader = this.#waiting.shift(); reader; reader = this.#waiting.shift()) {
      try {
        await this.#step(reader);
      } catch (error) {
        this.#options.onError(error);
        // It comes back to where it is.
        reader.cut();
      }
    }
    this.#workers -= 1;
  }

  async #step(reader: StreamReader): Promise<void> {
    if (this.#options.join(reader)) return;
    const { groupIds, upTo } = this.#options.scopeOf(reader);
    const { accountId } = reader.person;
    const range = { after: reader.position, upTo, entries: reader.pageEntries };
    const page = await readForReader(this.#options.reader, { groupIds, accountId }, range);
    const marks = await readMarks(this.#options.reader, accountId, notificationsOf(page.entries));
    if (reader.phase !== 'behind') return;
    let given = 0;
    for (const entry of page.entries) {
      const frame = frameOf(entry, marks(entry.position));
      if (frame !== undefined) reader.push(frame);
      reader.position = entry.position;
      given += 1;
      if (reader.pendingBytes > HANDED_BYTES_MAX) break;
    }
    const isWhole = given === page.entries.length;
    if (isWhole) reader.position = Math.max(reader.position, page.position);
    // Of long texts the next page has no more than are likely to be handed on.
    reader.pageEntries = isWhole
      ? Math.min(2 * reader.pageEntries, READER_PAGE_ENTRIES_MAX)
      : given;
    reader.flush();
    if (this.#options.join(reader)) return;
    if (reader.canTake) this.add(reader);
    else reader.isParked = true;
  }
}

function notificationsOf(
  entries: readonly FeedEntry[],
): readonly { readonly id: number; readonly groupId: string; readonly seq: number }[] {
  return entries.flatMap((entry) => (entry.kind === 'notification' ? [entry.notification] : []));
}
