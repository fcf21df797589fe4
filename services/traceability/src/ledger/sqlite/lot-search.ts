// Finds lots by a part of their text in SQLite: an index of three-letter pieces (FTS5, trigram) that
// the writer fills in bulk. Lots that are not in it yet, and queries shorter than a piece, are looked
// through one by one in bounded pages.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { rowInsert, rowUpdate } from '@lothub/kit/sqlite/row-statements';
import { RecentlyUsed } from '@lothub/kit/serving/recently-used';
import type { LotTextPage, LotTextSearch } from '../store.ts';
import { LOT_TEXTS } from '../tables/lots.ts';

// Each text is made once, so that the look-up of its prepared statement costs almost nothing.
const FIND_THROUGH = 'select lot_no from lot_search_through where id = 1';
const UPDATE_THROUGH = 'update lot_search_through set lot_no = ? where id = 1';
const FIND_UNINDEXED =
  'select l.lot_no, l.tenant_no, t.text from lots l ' +
  'join lot_texts t on t.tenant_no = l.tenant_no and t.lot_no = l.lot_no ' +
  'where l.lot_no > ? order by l.lot_no limit ?';
const FIND_TEXT = 'select text from lot_texts where tenant_no = ? and lot_no = ?';
const INSERT_INDEXED = 'insert into lot_search (rowid, text) values (?, ?)';
const DELETE_INDEXED = 'delete from lot_search where rowid = ?';
const CLEAR_INDEX = "insert into lot_search (lot_search) values ('delete-all')";
const MATCH =
  'select s.rowid as place, instr(t.text, ?) > 0 as hit from lot_search s ' +
  `join lot_texts t on t.tenant_no = ? and t.lot_no = s.rowid - ? ` +
  'where s.lot_search match ? and s.rowid >= ? and s.rowid < ? order by s.rowid desc limit ?';
const COUNT_PIECE =
  'select count(*) as count from (select 1 from lot_search where lot_search match ? limit ?)';
const SCAN =
  'select lot_no from lot_texts ' +
  'where tenant_no = ? and lot_no >= ? and lot_no < ? and instr(text, ?) > 0 ' +
  'order by lot_no desc limit ?';
const LAST_LOT_NO =
  'select lot_no from lot_texts where tenant_no = ? and lot_no < ? order by lot_no desc limit 1';

const insertText = rowInsert(LOT_TEXTS);
const updateText = rowUpdate(LOT_TEXTS, { set: ['text'] });

/** Letters of one piece of the index. */
const PIECE_LETTERS = 3;
/** Lots that may wait for the index while the writer is busy: a search scans them in two milliseconds. */
const WAITING_MAX = 20_000;
/** Lots taken into the index at a time, some 8 ms; fewer at a time take longer in all. */
const TAKEN_AT_ONCE = 2_000;
/** Lot numbers looked through in one read, about a millisecond. */
const SCANNED_AT_ONCE = 10_000;
/**
 * A piece that more lots have is common. A query uses common pieces only when it has too few rare
 * ones: most of the time of a search goes into reading the lots of pieces that all codes begin
 * with.
 */
const RARE_MAX = 5_000;
/** Rare pieces in one query: with more of them a search takes longer again. */
const RARE_PIECES = 4;
/** Lots whose texts are looked at rather than asking for further pieces. */
const LOOKED_AT_MAX = 200;
/** Pieces whose number of lots is remembered. */
const COUNTED_PIECES_MAX = 20_000;
/** Room of a tenant's lots among the row numbers of the index. */
const TENANT_ROOM = 2 ** 32;

/** The writer's side: keeps texts and index in step with the lots. */
export class LotSearchIndex {
  readonly #connection: SqliteConnection;
  /** The last lot in the index; undefined when it has to be read again. */
  #through: number | undefined;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  forget(): void {
    this.#through = undefined;
  }

  getText(tenantNo: number, lotNo: number): string {
    return String(this.#connection.statement(FIND_TEXT).get(tenantNo, lotNo)?.['text'] ?? '');
  }

  insert(tenantNo: number, lotNo: number, text: string): void {
    insertText(this.#connection, { tenant_no: tenantNo, lot_no: lotNo, text });
  }

  update(tenantNo: number, lotNo: number, text: string): void {
    updateText(this.#connection, { tenant_no: tenantNo, lot_no: lotNo, text });
    if (lotNo > this.#indexedThrough()) return;
    const place = tenantNo * TENANT_ROOM + lotNo;
    this.#connection.statement(DELETE_INDEXED).run(place);
    this.#connection.statement(INSERT_INDEXED).run(place, text);
  }

  /** Takes some of the waiting lots into the index when too many wait. */
  takeInWhenDue(lastLotNo: number): void {
    if (lastLotNo - this.#indexedThrough() >= WAITING_MAX) this.takeIn();
  }

  /** Takes the next waiting lots into the index. @returns true when more may be waiting */
  takeIn(): boolean {
    const insert = this.#connection.statement(INSERT_INDEXED);
    const rows = this.#connection
      .statement(FIND_UNINDEXED)
      .all(this.#indexedThrough(), TAKEN_AT_ONCE);
    if (rows.length === 0) return false;
    let through = this.#indexedThrough();
    for (const row of rows) {
      through = Number(row['lot_no']);
      insert.run(Number(row['tenant_no']) * TENANT_ROOM + through, String(row['text']));
    }
    this.#connection.statement(UPDATE_THROUGH).run(through);
    this.#through = through;
    return rows.length === TAKEN_AT_ONCE;
  }

  /** Empties the index; every lot waits for it again. */
  clear(): void {
    this.#connection.statement(CLEAR_INDEX).run();
    this.#connection.statement(UPDATE_THROUGH).run(0);
    this.#through = 0;
  }

  #indexedThrough(): number {
    this.#through ??= readThrough(this.#connection);
    return this.#through;
  }
}

function readThrough(connection: SqliteConnection): number {
  return Number(connection.statement(FIND_THROUGH).get()?.['lot_no'] ?? 0);
}

/** The reader's side. */
export class SqliteLotSearch implements LotTextSearch {
  readonly #connection: SqliteConnection;
  /**
   * The number of lots that have a piece, up to RARE_MAX + 1; counted when a query first uses the
   * piece.
   */
  readonly #counts = new RecentlyUsed<string, number>(COUNTED_PIECES_MAX);
  /** The last lot of the index when the first of them was counted. */
  #countedThrough = 0;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  lotsWithText(query: {
    readonly tenantNo: number;
    readonly text: string;
    readonly below: number;
    readonly limit: number;
  }): Promise<LotTextPage> {
    const through = readThrough(this.#connection);
    const isShort = [...query.text].length < PIECE_LETTERS;
    const page =
      isShort || query.below > through + 1
        ? this.#scan(query, isShort ? 0 : through)
        : this.#match(query, through);
    return Promise.resolve(page);
  }

  /** Looks through the texts of some lots above a lot, the newest first. */
  #scan(
    query: {
      readonly tenantNo: number;
      readonly text: string;
      readonly below: number;
      readonly limit: number;
    },
    above: number,
  ): LotTextPage {
    const { tenantNo, text, limit } = query;
    const behind = above > 0 ? above + 1 : null;
    const last = this.#connection.statement(LAST_LOT_NO).get(tenantNo, query.below);
    const lastLotNo = Number(last?.['lot_no'] ?? 0);
    if (lastLotNo <= above) return { lotNos: [], next: behind };
    const from = Math.max(above + 1, lastLotNo - SCANNED_AT_ONCE);
    const lotNos = this.#connection
      .statement(SCAN)
      .all(tenantNo, from, lastLotNo + 1, text, limit)
      .map((row) => Number(row['lot_no']));
    if (lotNos.length >= limit) return { lotNos, next: lotNos.at(-1) ?? from };
    return { lotNos, next: from > above + 1 ? from : behind };
  }

  #match(
    query: {
      readonly tenantNo: number;
      readonly text: string;
      readonly below: number;
      readonly limit: number;
    },
    through: number,
  ): LotTextPage {
    const base = query.tenantNo * TENANT_ROOM;
    const rows = this.#connection
      .statement(MATCH)
      .all(
        query.text,
        query.tenantNo,
        base,
        buildCondition(this.#leadingPieces(query.text, through)),
        base,
        base + Math.min(query.below, TENANT_ROOM),
        query.limit,
      );
    const last = rows.at(-1);
    return {
      // The pieces may be anywhere in a text; only a text with the whole query is a hit.
      lotNos: rows.filter((row) => row['hit'] === 1).map((row) => Number(row['place']) - base),
      next: rows.length < query.limit || last === undefined ? null : Number(last['place']) - base,
    };
  }

  /**
   * Returns pieces of a text that few lots have together; all of its pieces when it has too few
   * rare ones.
   */
  #leadingPieces(text: string, through: number): readonly string[] {
    const pieces = listPieces(text);
    // A rare piece may be common after the hub has grown.
    if (through > 2 * this.#countedThrough) {
      this.#counts.clear();
      this.#countedThrough = through;
    }
    const rare: string[] = [];
    // Codes differ at their ends.
    for (const piece of pieces.toReversed()) {
      const count = this.#count(piece);
      if (count <= LOOKED_AT_MAX) return [piece];
      if (count <= RARE_MAX) rare.push(piece);
      if (rare.length === RARE_PIECES) break;
    }
    return rare.length > 1 ? rare : pieces;
  }

  #count(piece: string): number {
    const known = this.#counts.get(piece);
    if (known !== undefined) return known;
    const row = this.#connection.statement(COUNT_PIECE).get(buildCondition([piece]), RARE_MAX + 1);
    const count = Number(row?.['count'] ?? 0);
    this.#counts.set(piece, count);
    return count;
  }
}

/** Returns every three adjacent letters of a text, each once, in their order. */
function listPieces(text: string): readonly string[] {
  const letters = [...text];
  const pieces = new Set<string>();
  for (let from = 0; from + PIECE_LETTERS <= letters.length; from += 1) {
    pieces.add(letters.slice(from, from + PIECE_LETTERS).join(''));
  }
  return [...pieces];
}

/** Returns the condition that all pieces are in the text: `"flo" AND "lou" AND "our"`. */
function buildCondition(pieces: readonly string[]): string {
  return pieces.map((piece) => `"${piece.replaceAll('"', '""')}"`).join(' AND ');
}
