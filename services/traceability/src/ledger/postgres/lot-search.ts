// Finds lots by a part of their text in PostgreSQL, through an index of three-letter pieces
// (pg_trgm). A text with pieces that few lots have is searched by these alone. A text that many
// lots have is searched among the newest of them, one after the other, and then in stretches of
// 16,384 lots of a tenant, because a page needs few lots.
import type { DatabaseReader } from '@lothub/kit/database';
import { bigintArray } from '@lothub/kit/postgres/array-values';
import type { PostgresConnection } from '@lothub/kit/postgres/connection';
import { RecentlyUsed } from '@lothub/kit/serving/recently-used';
import sql, { join, type Sql } from 'sql-template-tag';
import type { LotTextPage, LotTextSearch } from '../store.ts';

/**
 * A text that has a piece in the index, whichever characters the locale of the server treats as
 * letters. A text without one is searched in the texts themselves: the index would return all of
 * its lots.
 */
const PIECE = /[a-z0-9]{3}/;
const PIECES = /(?=([a-z0-9]{3}))/g;
/**
 * A piece that more lots have is common. The index reads all places of each piece of a query, so
 * the pieces that all codes begin with take most of the time of a search.
 */
const RARE_MAX = 5_000;
/** Rare pieces in one query: with more of them a search takes no less time. */
const RARE_PIECES = 2;
/** Lots whose texts are looked at rather than asking for further pieces. */
const LOOKED_AT_MAX = 200;
/** Pieces whose number of lots is remembered. */
const COUNTED_PIECES_MAX = 20_000;
/** Pieces counted for one search: a common one takes the index 3 ms for each 100,000 lots that have it. */
const COUNTED_AT_ONCE = 4;
/** Lots whose pieces are together in the index, as the schema divides them. */
const LOTS_PER_STRETCH = 16_384;
/** Room of a tenant's stretches among the numbers of the index, as in the schema. */
const TENANT_ROOM = 2 ** 32;
/** Newest texts that are scanned before the index is used: about a millisecond. */
const FIRST_SCANNED = 1_000;
/** Texts scanned in one read when the index cannot be used: about three milliseconds. */
const SCANNED_AT_ONCE = 10_000;
/**
 * Stretches in one query. One is enough for a text that many lots have; for a rare text, several
 * stretches hold few lots.
 */
const STRETCHES_OF_QUERIES = [1, 7] as const;

interface Query {
  readonly tenantNo: number;
  readonly text: string;
  readonly below: number;
  readonly limit: number;
}

interface Scan extends LotTextPage {
  /** The newest lot that was not looked at; undefined when there is none. */
  readonly lastLotNo: number | undefined;
}

export class PostgresLotSearch implements LotTextSearch {
  readonly #database: DatabaseReader;
  /**
   * The number of lots that have a piece, up to RARE_MAX + 1; counted when a query first uses the
   * piece.
   */
  readonly #counts = new RecentlyUsed<string, number>(COUNTED_PIECES_MAX);

  constructor(database: DatabaseReader) {
    this.#database = database;
  }

  async lotsWithText(query: Query): Promise<LotTextPage> {
    const rare = await this.#rarePieces(query.text);
    if (rare.length > 0) return await this.#lookAt(query, rare);
    const isIndexed = PIECE.test(query.text);
    const scan = await this.#scan(query, isIndexed ? FIRST_SCANNED : SCANNED_AT_ONCE);
    const { lotNos, next } = scan;
    if (!isIndexed || next === null || lotNos.length >= query.limit) return { lotNos, next };
    return await this.#match({ ...query, below: next }, scan);
  }

  /** Pieces of a text that few lots have; none when many lots have each of those that were counted. */
  async #rarePieces(text: string): Promise<readonly string[]> {
    const pieces = new Set([...text.matchAll(PIECES)].map(([, piece = '']) => piece));
    const rare: string[] = [];
    let counted = 0;
    // Codes differ at their ends.
    for (const piece of [...pieces].toReversed()) {
      let count = this.#counts.get(piece);
      if (count === undefined) {
        if (counted === COUNTED_AT_ONCE) break;
        counted += 1;
        count = await this.#count(piece);
      }
      if (count <= LOOKED_AT_MAX) return [piece];
      if (count <= RARE_MAX) rare.push(piece);
      if (rare.length === RARE_PIECES) break;
    }
    return rare;
  }

  async #count(piece: string): Promise<number> {
    // Materialized: it is planned for all lots that have the piece, so through the index, and read
    // only up to the limit.
    const row = await this.#database.first<{ readonly count: number }>(sql`
      with having_piece as materialized (
        select lot_no
        from lot_texts
        where ${holds(piece)}
      )
      select count(*) as count
      from (select lot_no from having_piece limit ${RARE_MAX + 1}) counted`);
    const count = row?.count ?? 0;
    this.#counts.set(piece, count);
    return count;
  }

  /** Looks at the texts of all lots that have some rare pieces. */
  async #lookAt(query: Query, pieces: readonly string[]): Promise<LotTextPage> {
    const { tenantNo, text, below, limit } = query;
    // Materialized: with the other conditions beside those of the index the planner would walk through all
    // lots of the tenant in their order.
    const rows = await this.#database.all<{ readonly lotNo: number; readonly isCount: 0 | 1 }>(sql`
      with having_pieces as materialized (
        select tenant_no, lot_no, text
        from lot_texts
        where ${join(pieces.map(holds), ' and ')}
      )
      (
        select lot_no as "lotNo", 0 as "isCount"
        from having_pieces
        where tenant_no = ${tenantNo} and lot_no < ${below} and strpos(text, ${text}) > 0
        order by lot_no desc
        limit ${limit}
      )
      union all
      select count(*), 1
      from having_pieces`);
    // A rare piece may be common after the hub has grown.
    const isCommon = rows.some(({ isCount, lotNo }) => isCount === 1 && lotNo > RARE_MAX);
    if (isCommon) this.#counts.clear();
    const lotNos = descending(rows.filter(({ isCount }) => isCount === 0));
    return { lotNos, next: lotNos.length < limit ? null : (lotNos.at(-1) ?? null) };
  }

  /** Looks through the newest texts below a lot. */
  async #scan(query: Query, scannedMax: number): Promise<Scan> {
    const { tenantNo, text, below, limit } = query;
    // The end of the scan comes from the same query: lots that are recorded between two queries
    // would move it. Not `like`, for which the planner would read all lots that have the text from
    // the index.
    const rows = await this.#database.all<{ readonly lotNo: number; readonly isEnd: 0 | 1 }>(sql`
      with ends as materialized (
        select lot_no
        from lot_texts
        where tenant_no = ${tenantNo} and lot_no < ${below}
        order by lot_no desc
        limit 2 offset ${scannedMax - 1}
      )
      (
        select lot_no as "lotNo", 0 as "isEnd"
        from lot_texts
        where tenant_no = ${tenantNo} and lot_no < ${below}
          and lot_no >= coalesce((select max(lot_no) from ends), 0)
          and strpos(text, ${text}) > 0
        order by lot_no desc
        limit ${limit}
      )
      union all
      select lot_no, 1
      from ends`);
    const lotNos = descending(rows.filter((row) => row.isEnd === 0));
    const [end, lastLotNo] = descending(rows.filter((row) => row.isEnd === 1));
    const isAll = end === undefined || lastLotNo === undefined;
    const next = lotNos.length >= limit ? (lotNos.at(-1) ?? null) : isAll ? null : end;
    return { lotNos, next, lastLotNo };
  }

  /** Fills up a page from the index, with lots below those that were scanned. */
  async #match(query: Query, scan: Scan): Promise<LotTextPage> {
    const { tenantNo } = query;
    const lotNos = [...scan.lotNos];
    let { below } = query;
    let last = scan.lastLotNo;
    for (const count of STRETCHES_OF_QUERIES) {
      last ??= await this.#lastLotNo(tenantNo, below);
      if (last === undefined) return { lotNos, next: null };
      const newest = Math.floor(last / LOTS_PER_STRETCH);
      const oldest = Math.max(0, newest - count + 1);
      const limit = query.limit - lotNos.length;
      const hits = await this.#matchStretches({ ...query, below, limit }, { newest, oldest });
      lotNos.push(...hits);
      if (hits.length >= limit) return { lotNos, next: lotNos.at(-1) ?? null };
      if (oldest === 0) return { lotNos, next: null };
      below = oldest * LOTS_PER_STRETCH;
      last = undefined;
    }
    return { lotNos, next: below };
  }

  async #matchStretches(
    query: Query,
    stretches: { readonly newest: number; readonly oldest: number },
  ): Promise<readonly number[]> {
    const { newest, oldest } = stretches;
    const keys = Array.from(
      { length: newest - oldest + 1 },
      (_, index) => query.tenantNo * TENANT_ROOM + newest - index,
    );
    // The condition is the expression of the index, and no other condition that an index serves:
    // the planner, which does not have the text yet, would walk through all lots of the tenant in
    // their order.
    const rows = await this.#database.all<{ readonly lotNo: number }>(sql`
      select lot_no as "lotNo"
      from lot_texts
      where tenant_no * 4294967296 + lot_no / 16384 = any(${bigintArray(keys)}::bigint[])
        and ${holds(query.text)} and lot_no < ${query.below}
      order by lot_no desc
      limit ${query.limit}`);
    return rows.map((row) => row.lotNo);
  }

  /** Finds the tenant's newest lot below a number; lots of other tenants in between cost nothing. */
  async #lastLotNo(tenantNo: number, below: number): Promise<number | undefined> {
    const row = await this.#database.first<{ readonly lotNo: number }>(sql`
      select lot_no as "lotNo"
      from lot_texts
      where tenant_no = ${tenantNo} and lot_no < ${below}
      order by lot_no desc
      limit 1`);
    return row?.lotNo;
  }
}

/** Returns the condition that a lot's text contains a text; wildcards in it are escaped. */
function holds(text: string): Sql {
  return sql`text like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`;
}

function descending(rows: readonly { readonly lotNo: number }[]): readonly number[] {
  return rows.map((row) => row.lotNo).sort((a, b) => b - a);
}

/** New texts that wait for their places in the index; as many slow a search down by a millisecond. */
const WAITING_TEXTS_MAX = 1_000;
/** The longest time that a text waits, if there are few. */
const REST_MS = 1_000;

/**
 * Moves new texts into the index, never inside an append, so that the head is not locked meanwhile. When it
 * fails, the next append that finds the list full does it, and autovacuum.
 */
export class LotTextIndex implements AsyncDisposable {
  readonly #connection: PostgresConnection;
  readonly #onError: (error: unknown) => void;
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: {
    readonly connection: PostgresConnection;
    readonly onError: (error: unknown) => void;
  }) {
    this.#connection = options.connection;
    this.#onError = options.onError;
  }

  /** This process has committed new or changed texts. */
  wrote(texts: number): void {
    this.#waiting += texts;
    this.#plan();
  }

  /** Waits for what is running. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #plan(): void {
    if (this.#isClosed || this.#running !== undefined || this.#waiting === 0) return;
    if (this.#waiting >= WAITING_TEXTS_MAX) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), REST_MS).unref();
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running = this.#takeIn().finally(() => {
      this.#running = undefined;
      // Texts that were written meanwhile are taken in next.
      this.#plan();
    });
  }

  async #takeIn(): Promise<void> {
    this.#waiting = 0;
    try {
      await this.#connection.all(sql`
        select gin_clean_pending_list(cast('lot_texts_by_piece' as regclass)) as pages`);
    } catch (error) {
      this.#onError(error);
    }
  }
}
