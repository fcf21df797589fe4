// Finds blocks by the first digits of their hash in SQLite: a table of the first bytes of hashes that the
// writer fills in sorted portions. With an index over whole hashes, each block would write a page. Blocks
// that are not in the table yet are scanned.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { HashSearch } from '../store.ts';

// Each text is made once, so that the look-up of its prepared statement costs almost nothing.
const FIND_THROUGH = 'select height from block_hashes_through where id = 1';
const UPDATE_THROUGH = 'update block_hashes_through set height = ? where id = 1';
/** Blocks of one run; a power of two, for the shift of `TAKE_IN`. */
const RUN_BITS = 16;
/** Hex digits of a hash that the table holds. */
const DIGITS = 12;
// A stored text that is not a hash gets an empty prefix, so that it does not block the rows after
// it.
const TAKE_IN =
  'insert into block_hashes (run, prefix, height) ' +
  `select height >> ${RUN_BITS}, coalesce(unhex(substr(hash, 1, ${DIGITS})), x''), height ` +
  'from blocks where height > ? and height <= ? order by 1, 2, 3';
const DELETE_BEHIND = `delete from block_hashes where run >= ? >> ${RUN_BITS} and height > ?`;
const CLEAR = 'delete from block_hashes';
const FIND_IN_RUN =
  'select height from block_hashes where run = ? and prefix >= ? and prefix <= ? ' +
  'order by prefix, height limit ?';
const FIND_BEHIND =
  'select height, hash from blocks where height > ? and substr(hash, 1, ?) = ? ' +
  'order by hash limit ?';
const FIND_HASH = 'select hash from blocks where height = ?';
const FIND_MISSING =
  'select b.height from blocks b ' +
  'where b.height >= 0 and b.height <= (select height from block_hashes_through) and not exists (' +
  `select 1 from block_hashes where run = b.height >> ${RUN_BITS} ` +
  `and prefix = coalesce(unhex(substr(b.hash, 1, ${DIGITS})), x'') and height = b.height) ` +
  'limit 1';

/** Blocks that may wait for the table while the writer is busy: a search scans them in a millisecond. */
const WAITING_MAX = 4_096;
/** Blocks taken into the table at a time, some 2 ms. */
const TAKEN_AT_ONCE = 2_048;

/** The writer's side. */
export class HashSearchTable {
  readonly #connection: SqliteConnection;
  /** The last block in the table; undefined when it has to be read again. */
  #through: number | undefined;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  forget(): void {
    this.#through = undefined;
  }

  /** Takes some of the waiting blocks into the table when too many wait. */
  takeInWhenDue(tipHeight: number): void {
    if (tipHeight - this.#loaded(tipHeight) >= WAITING_MAX) this.takeIn(tipHeight);
  }

  /** Takes the next waiting blocks into the table. @returns true when more are waiting */
  takeIn(tipHeight: number): boolean {
    const after = this.#loaded(tipHeight);
    const through = Math.min(tipHeight, after + TAKEN_AT_ONCE);
    if (through <= after) return false;
    this.#connection.statement(TAKE_IN).run(after, through);
    this.#setThrough(through);
    return through < tipHeight;
  }

  /** Empties the table; every block waits for it again. */
  clear(): void {
    this.#connection.statement(CLEAR).run();
    this.#setThrough(-1);
  }

  /** Blocks may have been cut off, so that other blocks have their heights. */
  #loaded(tipHeight: number): number {
    this.#through ??= readThrough(this.#connection);
    if (this.#through > tipHeight) {
      this.#connection.statement(DELETE_BEHIND).run(tipHeight, tipHeight);
      this.#setThrough(tipHeight);
    }
    return this.#through;
  }

  #setThrough(height: number): void {
    this.#connection.statement(UPDATE_THROUGH).run(height);
    this.#through = height;
  }
}

function readThrough(connection: SqliteConnection): number {
  return Number(connection.statement(FIND_THROUGH).get()?.['height'] ?? -1);
}

/** @returns the first block that the table should hold and does not; undefined when it holds all */
export function findMissingHash(connection: SqliteConnection): number | undefined {
  const row = connection.statement(FIND_MISSING).get();
  return row === undefined ? undefined : Number(row['height']);
}

/** The reader's side. */
export class SqliteHashSearch implements HashSearch {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  heightsWithPrefix(search: {
    readonly prefix: string;
    readonly limit: number;
  }): Promise<readonly number[]> {
    const through = readThrough(this.#connection);
    const found = [...this.#inRuns(search, through), ...this.#behind(search, through)];
    found.sort((a, b) => (a.hash < b.hash ? -1 : Number(a.hash > b.hash)));
    return Promise.resolve(found.slice(0, search.limit).map(({ height }) => height));
  }

  /** Yields the first matches of each run. Their full hashes decide which are the first of all. */
  *#inRuns(
    { prefix, limit }: { readonly prefix: string; readonly limit: number },
    through: number,
  ): Generator<Place> {
    const digits = prefix.slice(0, DIGITS);
    const first = Buffer.from(digits.padEnd(DIGITS, '0'), 'hex');
    const last = Buffer.from(digits.padEnd(DIGITS, 'f'), 'hex');
    for (let run = 0; run <= through >> RUN_BITS; run += 1) {
      const rows = this.#connection.statement(FIND_IN_RUN).all(run, first, last, limit);
      for (const row of rows) {
        const height = Number(row['height']);
        const hash = this.#connection.statement(FIND_HASH).get(height)?.['hash'];
        if (typeof hash === 'string' && hash.startsWith(prefix)) yield { height, hash };
      }
    }
  }

  #behind(
    { prefix, limit }: { readonly prefix: string; readonly limit: number },
    through: number,
  ): readonly Place[] {
    return this.#connection
      .statement(FIND_BEHIND)
      .all(through, prefix.length, prefix, limit)
      .map((row) => ({ height: Number(row['height']), hash: String(row['hash']) }));
  }
}

interface Place {
  readonly height: number;
  readonly hash: string;
}
