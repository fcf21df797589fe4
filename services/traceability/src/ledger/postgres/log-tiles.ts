// Makes the complete tiles of the log in PostgreSQL, in the turn of one of all processes, and the
// frontier of a hub whose tree was not made yet. Tiles never change: two that make the same one write
// the same bytes.
import { TILE_WIDTH, frontierBytes } from '@lothub/chain/log';
import { nextTurn } from '@lothub/kit/in-turns';
import type { PostgresConnection } from '@lothub/kit/postgres/connection';
import { LeasedTurn } from '@lothub/kit/postgres/leased-turn';
import { rowsInsert } from '@lothub/kit/postgres/row-statements';
import sql from 'sql-template-tag';
import type { DatabaseReader } from '@lothub/kit/database';
import type { Tip } from '../draft.ts';
import { toLeaf } from '../log/leaf.ts';
import { hashesOfBlocks, rootsOfTiles, type Places } from '../log/queries.ts';
import { RecentLeaves } from '../log/recent-leaves.ts';
import { firstUncovered, TILE_LEVELS, TileEdge, type LevelTiles } from '../log/tiles/tile-edge.ts';
import { LOG_TILES } from '../tables/log.ts';
import { lockHead } from './take-head.ts';

/** Interval of the search for missing tiles. */
const MAKE_EVERY_MS = 500;
/** Tiles read and written at once: 4,096 hashes. */
const TILES_AT_ONCE = 16;
const TURN_NAME = 'log tiles';

const insertTiles = rowsInsert(LOG_TILES, 'on conflict do nothing');

type Reads = Pick<DatabaseReader, 'all' | 'first'>;

export class PostgresLogTiles implements AsyncDisposable {
  readonly #connection: PostgresConnection;
  readonly #onFailure: (error: unknown) => void;
  readonly #turn: LeasedTurn;
  readonly #timer: NodeJS.Timeout;
  readonly #recent = new RecentLeaves();
  /**
   * The edge that this process has read or made last; another process may have made tiles since.
   */
  #edge = new TileEdge([]);
  #making: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: {
    readonly connection: PostgresConnection;
    readonly onFailure: (error: unknown) => void;
  }) {
    this.#connection = options.connection;
    this.#onFailure = options.onFailure;
    this.#turn = new LeasedTurn({ connection: options.connection, name: TURN_NAME });
    this.#timer = setInterval(() => this.#begin(), MAKE_EVERY_MS);
    this.#timer.unref();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#making;
    await this.#turn.release().catch(this.#onFailure);
  }

  /**
   * Call it for each group of this process whose tree is signed: its tiles are made at once, if
   * this process has the turn. The keeper of the log hashes leaves without a tile again at each
   * look.
   * @param leaves of its last blocks, and of blocks that other processes have appended before
   */
  grew({ height }: Tip, leaves: readonly Uint8Array[]): void {
    this.#recent.add(height + 1 - leaves.length, leaves);
    if (this.#recent.below >= this.#edge.nextHeight + TILE_WIDTH) this.#begin();
  }

  /** The chain may be another one than the one that has grown. */
  forget(): void {
    this.#recent.forget();
  }

  #begin(): void {
    this.#making ??= this.#make()
      .catch(this.#onFailure)
      .finally(() => {
        this.#making = undefined;
      });
  }

  async #make(): Promise<void> {
    if (!(await this.#turn.take())) return;
    const edge = await this.#readEdge();
    if (await this.#makeKept(edge)) return;
    let isComplete = false;
    while (!isComplete) {
      if (this.#isClosed || !(await this.#turn.take())) return;
      isComplete = await this.#makeSome(edge);
      await nextTurn();
    }
    await this.#setFrontier(edge);
  }

  /** Reads the edge again if other processes have stored or deleted tiles since. */
  async #readEdge(): Promise<TileEdge> {
    const tiles = await countTiles(this.#connection, 0);
    if (tiles * TILE_WIDTH !== this.#edge.nextHeight) this.#edge = await loadEdge(this.#connection);
    return this.#edge;
  }

  /** @returns false when the leaves of the next tile are not kept */
  async #makeKept(edge: TileEdge): Promise<boolean> {
    this.#recent.dropBelow(edge.nextHeight);
    const places = { from: edge.nextHeight, below: this.#recent.below };
    if (places.below < places.from + TILE_WIDTH) return false;
    const leaves = this.#recent.find(places);
    if (leaves === undefined) return false;
    await this.#store(edge, leaves);
    return true;
  }

  /** @returns true when no complete tile is missing */
  async #makeSome(edge: TileEdge): Promise<boolean> {
    const from = edge.nextHeight;
    const leaves = await readLeaves(this.#connection, {
      from,
      below: from + TILES_AT_ONCE * TILE_WIDTH,
    });
    return (await this.#store(edge, leaves)) < TILES_AT_ONCE;
  }

  /**
   * Stores the tiles that these leaves complete.
   * @returns the number of tiles of level 0
   */
  async #store(edge: TileEdge, leaves: readonly Uint8Array[]): Promise<number> {
    const tiles = Math.floor(leaves.length / TILE_WIDTH);
    const rows = Array.from({ length: tiles }, (_, tile) =>
      edge.complete(leaves.slice(tile * TILE_WIDTH, (tile + 1) * TILE_WIDTH)),
    ).flat();
    for (const statement of insertTiles(rows)) await this.#connection.all(statement);
    return tiles;
  }

  async #setFrontier(edge: TileEdge): Promise<void> {
    const head = await this.#connection.first(sql`select id from head where frontier is null`);
    if (head === undefined) return;
    await this.#connection.transaction(async (transaction) => {
      // Nobody appends until the transaction ends: the frontier is that of the last block.
      await lockHead(transaction);
      const leaves = await readLeaves(transaction, {
        from: edge.nextHeight,
        below: edge.nextHeight + 2 * TILE_WIDTH,
      });
      // Further blocks have completed a tile meanwhile: the next turn makes it.
      if (leaves.length >= TILE_WIDTH) return;
      const frontier = edge.frontier(leaves);
      await transaction.all(sql`
        update head set frontier = ${frontierBytes(frontier)}
        where height = ${frontier.size - 1}`);
    });
  }
}

/** Reads the edge, level by level. */
async function loadEdge(reads: Reads): Promise<TileEdge> {
  const levels: LevelTiles[] = [];
  while (levels.length < TILE_LEVELS) {
    const level = levels.length;
    const tiles = await countTiles(reads, level);
    if (tiles === 0) break;
    const from = firstUncovered(tiles);
    const rows = await rootsOfTiles(reads, { level, from, below: tiles });
    levels.push({ tiles, roots: rows.map(({ root }) => root) });
  }
  return new TileEdge(levels);
}

async function countTiles(reads: Pick<Reads, 'first'>, level: number): Promise<number> {
  const last = await reads.first<{ readonly tile: number | null }>(sql`
    select max(tile) as tile
    from log_tiles
    where level = ${level}`);
  return last?.tile === undefined || last.tile === null ? 0 : last.tile + 1;
}

async function readLeaves(
  reads: Pick<Reads, 'all'>,
  places: Places,
): Promise<readonly Uint8Array[]> {
  const rows = await hashesOfBlocks(reads, places);
  return rows.map(({ hash }) => toLeaf(hash));
}
