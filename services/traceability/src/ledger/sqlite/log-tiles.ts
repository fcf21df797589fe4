// Makes the complete tiles of the log in SQLite, a few at a time beside the writing, and the frontier of a
// hub whose tree was not made yet.
import { TILE_HEIGHT, TILE_WIDTH, frontierBytes, type GroupTree } from '@lothub/chain/log';
import { rowInsert } from '@lothub/kit/sqlite/row-statements';
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { Appender } from '../append/appender.ts';
import type { Tip } from '../draft.ts';
import { toLeaf } from '../log/leaf.ts';
import { RecentLeaves } from '../log/recent-leaves.ts';
import { firstUncovered, TILE_LEVELS, TileEdge, type LevelTiles } from '../log/tiles/tile-edge.ts';
import { LOG_TILES } from '../tables/log.ts';
import { readTip } from './block-rows.ts';

/** Tiles made in one go while there is nothing to write; 256 hashes each, about 2 ms. */
const TILES_WHEN_IDLE = 16;
/**
 * A group makes one missing tile, or TILES_IN_GROUP when more than this many are missing, so that
 * no tile is missing for long: the keeper hashes missing tiles again at each look, in the writer's
 * thread.
 */
const TILES_BEHIND_MAX = 2;
const TILES_IN_GROUP = 4;

const LAST_TILE = 'select max(tile) as tile from log_tiles where level = ?';
const ROOTS = 'select root from log_tiles where level = ? and tile >= ? order by tile';
const HASHES = 'select hash from blocks where height >= ? and height < ? order by height';
const HAS_FRONTIER = 'select frontier is not null as made from head';
const SET_FRONTIER = 'update head set frontier = ? where height = ? and hash = ?';

const insertTile = rowInsert(LOG_TILES);

export class SqliteLogTiles {
  readonly #connection: SqliteConnection;
  #edge: TileEdge | undefined;
  #isBuilt = false;
  readonly #recent = new RecentLeaves();

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /**
   * Makes some tiles in a transaction, while there is nothing to write.
   * @returns true when more are missing
   */
  make(): boolean {
    return this.#make(TILES_WHEN_IDLE);
  }

  /** Makes missing tiles in the transaction of a group, of which the appender has leaves and subtrees. */
  makeWhenDue({ height }: Tip, { leaves, grown }: Pick<Appender, 'leaves' | 'grown'>): void {
    this.#recent.add(height + 1 - leaves.length, leaves);
    const behind = Math.floor((height + 1 - this.#loaded().nextHeight) / TILE_WIDTH);
    if (behind > 0) this.#make(behind > TILES_BEHIND_MAX ? TILES_IN_GROUP : 1, grown);
  }

  /**
   * Forgets what it remembers of the tree: the transaction was undone, or another program wrote.
   */
  forget(): void {
    this.#edge = undefined;
    this.#isBuilt = false;
    this.#recent.forget();
  }

  /** @param grown has the root of a tile that its group completes */
  #make(tilesMax: number, grown?: GroupTree): boolean {
    const edge = this.#loaded();
    const tip = readTip(this.#connection);
    for (let made = 0; edge.nextHeight + TILE_WIDTH <= tip.height + 1; made += 1) {
      if (made === tilesMax) return true;
      const leaves = this.#leaves(edge.nextHeight, edge.nextHeight + TILE_WIDTH);
      const index = edge.nextHeight / TILE_WIDTH;
      const root = grown?.findSubtree({ level: TILE_HEIGHT, index });
      for (const row of edge.complete(leaves, root)) insertTile(this.#connection, row);
      this.#recent.dropBelow(edge.nextHeight);
    }
    if (!this.#isBuilt) this.#setFrontier(edge, tip);
    return false;
  }

  #setFrontier(edge: TileEdge, { height, hash }: Tip): void {
    const made = this.#connection.statement(HAS_FRONTIER).get()?.['made'];
    if (made === 0) {
      const frontier = edge.frontier(this.#leaves(edge.nextHeight, height + 1));
      this.#connection.statement(SET_FRONTIER).run(frontierBytes(frontier), height, hash);
    }
    this.#isBuilt = true;
  }

  #loaded(): TileEdge {
    this.#edge ??= new TileEdge(this.#levels());
    return this.#edge;
  }

  #levels(): readonly LevelTiles[] {
    const levels: LevelTiles[] = [];
    while (levels.length < TILE_LEVELS) {
      const level = levels.length;
      const last = this.#connection.statement(LAST_TILE).get(level)?.['tile'];
      if (typeof last !== 'number') break;
      const tiles = last + 1;
      const rows = this.#connection.statement(ROOTS).all(level, firstUncovered(tiles));
      levels.push({ tiles, roots: rows.map((row) => row['root'] as Uint8Array) });
    }
    return levels;
  }

  #leaves(from: number, below: number): readonly Uint8Array[] {
    const kept = this.#recent.find({ from, below });
    if (kept !== undefined) return kept;
    const rows = this.#connection.statement(HASHES).all(from, below);
    return rows.map((row) => toLeaf(String(row['hash'])));
  }
}
