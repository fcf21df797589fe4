// When keys were used last, to the minute: noted in memory by each request, and written beside all of them, so
// that no request waits. Of several processes the latest minute stays.
import { instantText, type Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { cutSlices, inList } from '@lothub/kit/in-list';
import { cutRowSlices, valueRows } from '@lothub/kit/rows/value-rows';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

const MINUTE_MS = 60_000;
/** How long uses are gathered before they are written: lists are behind by as much. */
const WRITE_AFTER_MS = 10_000;

export interface KeyUsesOptions {
  readonly write: (statements: readonly Sql[]) => Promise<unknown>;
  readonly clock: Clock;
  /** Hears once that uses cannot be written; they are kept until they can. */
  readonly onError: (error: unknown) => void;
}

/** One entry for each key that is in use: as many as the ring holds. */
export class KeyUses implements AsyncDisposable {
  readonly #options: KeyUsesOptions;
  /** By key: the minute that was noted last. */
  readonly #noted = new Map<string, number>();
  #unwritten = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  /** Writes follow each other, so that none takes back what a later one has written. */
  #writing: Promise<void> = Promise.resolve();
  #isFailing = false;
  #isClosed = false;

  constructor(options: KeyUsesOptions) {
    this.#options = options;
  }

  /** Costs a request one look into a map, and the first one of a minute a timer. */
  note(keyId: string): void {
    const minute = Math.floor(this.#options.clock.nowMs() / MINUTE_MS);
    if (minute <= (this.#noted.get(keyId) ?? -1)) return;
    this.#noted.set(keyId, minute);
    this.#unwritten.add(keyId);
    this.#flushAfter(WRITE_AFTER_MS);
  }

  /** Writes what is noted. A process that is killed loses what it had not written: seconds of it. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const written = this.#writing.then(() => this.#write());
    this.#writing = written;
    await written;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.flush();
  }

  #flushAfter(waitMs: number): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => void this.flush(), waitMs).unref();
  }

  async #write(): Promise<void> {
    const keyIds = this.#unwritten;
    if (keyIds.size === 0) return;
    this.#unwritten = new Set();
    // In one order everywhere, so that two processes never wait for each other.
    const rows = [...keyIds]
      .toSorted()
      .map((keyId) => [keyId, instantText((this.#noted.get(keyId) ?? 0) * MINUTE_MS)]);
    try {
      await this.#options.write([...cutRowSlices(rows)].map(laterUses));
      this.#isFailing = false;
      this.#forgetBefore(Math.floor(this.#options.clock.nowMs() / MINUTE_MS));
    } catch (error) {
      for (const keyId of keyIds) this.#unwritten.add(keyId);
      this.#flushAfter(MINUTE_MS);
      if (!this.#isFailing) this.#options.onError(error);
      this.#isFailing = true;
    }
  }

  /** Drops keys of earlier minutes from memory; they are noted again at their next use. */
  #forgetBefore(minute: number): void {
    for (const [keyId, noted] of this.#noted) {
      if (noted < minute && !this.#unwritten.has(keyId)) this.#noted.delete(keyId);
    }
  }
}

function laterUses(rows: readonly (readonly string[])[]): Sql {
  return sql`
    insert into key_uses (key_id, last_used_at)
    ${valueRows(rows)}
    on conflict (key_id) do update
    set last_used_at = excluded.last_used_at
    where key_uses.last_used_at < excluded.last_used_at`;
}

/** By key; a key that was never used is not among them. */
export async function readLastUses(
  reader: Pick<DatabaseReader, 'all'>,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const uses = new Map<string, string>();
  for (const slice of cutSlices(keyIds)) {
    const rows = await reader.all<{ readonly keyId: string; readonly lastUsedAt: string }>(sql`
      select key_id as "keyId", last_used_at as "lastUsedAt"
      from key_uses
      where key_id in (${inList(slice)})`);
    for (const { keyId, lastUsedAt } of rows) uses.set(keyId, lastUsedAt);
  }
  return uses;
}
