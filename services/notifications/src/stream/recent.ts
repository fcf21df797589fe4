// The newest entries of the feed, once for all readers of the process. Each reader has only a position in them, so
// a post costs the same for any number of readers.
import type { FeedEntry } from '../feed/feed-entry.ts';
import { writeFrame, withoutItsTexts } from './frames.ts';

/** A reader that is further behind reads the tables. */
const ENTRIES_MAX = 4_096;
/** Maximum size of all titles and bodies, in characters. */
const CHARACTERS_MAX = 2_000_000;

export class RecentEntry {
  readonly position: number;
  /** The group that gets the entry, or that it is about if one person gets it. */
  readonly groupId: string | null;
  /** The only person who gets it; undefined: everybody of the group. */
  readonly accountId: string | undefined;
  readonly characters: number;
  /** The seq of a notification in its group. */
  readonly seq: number | undefined;
  #entry: FeedEntry | undefined;
  #frame: Buffer | undefined;

  constructor(entry: FeedEntry) {
    this.position = entry.position;
    this.#entry = entry;
    if (entry.kind === 'notification') {
      const { groupId, seq, title, body } = entry.notification;
      this.groupId = groupId;
      this.seq = seq;
      this.accountId = undefined;
      this.characters = title.length + (body?.length ?? 0);
    } else {
      const { signal } = entry;
      this.groupId = signal.groupId;
      this.seq = undefined;
      this.accountId = signal.kind === 'read' ? (signal.accountId ?? undefined) : undefined;
      this.characters = 0;
    }
  }

  /** Made when the first reader needs it; undefined for an entry that no reader gets. */
  get frame(): Buffer | undefined {
    if (this.#entry !== undefined) {
      this.#frame = writeFrame(this.#entry);
      this.#entry = undefined;
    }
    return this.#frame;
  }

  /** Removes the texts, for readers that have not got the notification yet. */
  redact(redactedAt: number): void {
    const { frame } = this;
    if (frame !== undefined) this.#frame = withoutItsTexts(frame, redactedAt);
  }
}

export class Recent {
  #entries: RecentEntry[] = [];
  /** Entries before this index are gone. */
  #start = 0;
  #characters = 0;
  #since: number;

  /** @param position everything after it will be added */
  constructor(position: number) {
    this.#since = position;
  }

  /** Everything after this position is here. */
  get since(): number {
    return this.#since;
  }

  add(entry: RecentEntry): void {
    this.#entries.push(entry);
    this.#characters += entry.characters;
    while (this.#entries.length - this.#start > ENTRIES_MAX || this.#characters > CHARACTERS_MAX) {
      this.#dropFirst();
    }
  }

  /** Those after a position, in their order. */
  *after(position: number): Generator<RecentEntry> {
    for (let n = this.#indexAfter(position); n < this.#entries.length; n += 1) {
      const entry = this.#entries[n];
      if (entry !== undefined) yield entry;
    }
  }

  /** Takes away the texts of a notification that may be here. */
  redact(place: {
    readonly groupId: string | null;
    readonly seq: number;
    readonly at: number;
  }): void {
    for (const entry of this.after(this.#since)) {
      if (entry.seq === place.seq && entry.groupId === place.groupId) entry.redact(place.at);
    }
  }

  #dropFirst(): void {
    const first = this.#entries[this.#start];
    if (first === undefined) return;
    this.#since = first.position;
    this.#characters -= first.characters;
    this.#start += 1;
    // Moved together once in a while, and not each time.
    if (this.#start < ENTRIES_MAX) return;
    this.#entries = this.#entries.slice(this.#start);
    this.#start = 0;
  }

  #indexAfter(position: number): number {
    let low = this.#start;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.position ?? Infinity) > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
