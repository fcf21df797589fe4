// Reads blocks. A block that is read is re-hashed and checked against its neighbour's hash on the
// spot; a mismatch is reported to the chain's state and never hidden.
import { present } from '@lothub/kit/present';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { askForEach, askTogether, type DatabaseReader, type TimeLimit } from '@lothub/kit/database';
import { cutSlices, inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { ChainState } from './verify/chain-state.ts';
import { findPayload } from './record/payload-shape.ts';
import type { Payload } from './record/payload.ts';

export interface BlockRow {
  readonly height: number;
  readonly prevHash: string;
  readonly hash: string;
  readonly canonical: string;
}

export interface Block extends BlockRow {
  readonly payload: Payload;
  /** False when the stored text does not hash to the stored hash or does not carry its link. */
  readonly sound: boolean;
}

interface StoredRow {
  readonly height: number;
  readonly hash: string;
  readonly canonical: string;
}

/**
 * Blocks read and hashed again between two turns of the event loop, when whole events are shown: each may
 * be a megabyte, and few are.
 */
export const BLOCKS_PER_TURN = 20;

export interface HeadRow {
  readonly height: number;
  readonly hash: string;
  readonly recorded_at: string;
  readonly transactions: number;
  readonly lots: number;
  readonly tenants: number;
}

export class LedgerReader {
  readonly database: DatabaseReader;
  readonly #state: Pick<ChainState, 'report'>;
  #chainId: string | undefined;

  constructor(options: {
    readonly database: DatabaseReader;
    readonly state: Pick<ChainState, 'report'>;
  }) {
    this.database = options.database;
    this.#state = options.state;
  }

  /** Asks what needs nothing of each other, all of it on the reader it is given (`askTogether`). */
  together<Result>(ask: (reader: LedgerReader) => Promise<Result>): Promise<Result> {
    return askTogether(this.database, (database) => {
      if (database === this.database) return ask(this);
      return ask(new LedgerReader({ database, state: this.#state }));
    });
  }

  /** The newest block's place and the counters of the whole hub. */
  async head(limit?: TimeLimit): Promise<HeadRow> {
    const row = await this.database.first<HeadRow>(
      sql`
      select height, hash, recorded_at, transactions, lots, tenants from head where id = 1`,
      limit,
    );
    if (row === undefined) throw new Error('reading the head: the ledger has none');
    return row;
  }

  /** Hash of the genesis block. */
  async chainId(): Promise<string> {
    if (this.#chainId === undefined) {
      const row = await this.database.first<{ hash: string }>(
        sql`select hash from blocks where height = 0`,
      );
      this.#chainId = present(row, 'block 0').hash;
    }
    return this.#chainId;
  }

  async findBlock(height: number): Promise<Block | undefined> {
    const blocks = await this.blocks([height]);
    return blocks[0];
  }

  /** Blocks of the given heights, in ascending order; heights that do not exist are left out. */
  async blocks(heights: readonly number[]): Promise<readonly Block[]> {
    const wanted = [...new Set(heights)].sort((a, b) => a - b);
    const rows = await askForEach(this.database, cutSlices(wanted), (database, slice) =>
      database.all<StoredRow>(sql`
        select height, hash, canonical from blocks
        where height in (${inList(slice)}) order by height`),
    );
    return this.#check(rows.flat());
  }

  /** Blocks chosen by a condition on `height`, newest first: `where height < …`. */
  async newest(condition: Sql, limit: number, offset: number): Promise<readonly Block[]> {
    const rows = await this.database.all<StoredRow>(sql`
      select height, hash, canonical from blocks
      where ${condition} order by height desc limit ${limit} offset ${offset}`);
    return this.#check(rows);
  }

  #check(rows: readonly StoredRow[]): readonly Block[] {
    return rows.map((row) => {
      const payload = findPayload(row.canonical);
      const sound = this.#isSound(row) && this.#isReadable(row.height, payload);
      return {
        height: row.height,
        prevHash: readPrevHash(row.canonical),
        hash: row.hash,
        canonical: row.canonical,
        payload: payload ?? UNREADABLE,
        sound,
      };
    });
  }

  #isSound(row: StoredRow): boolean {
    const linked =
      row.canonical.startsWith(`{"height":${row.height},`) &&
      CARRIES_LINK.test(row.canonical.slice(-LINK_CHARS));
    if (linked && sha256Hex(row.canonical) === row.hash) return true;
    this.#state.report({
      height: row.height,
      code: linked ? 'hash_mismatch' : 'prev_hash_mismatch',
      message: `block ${row.height} is not the text that was hashed`,
    });
    return false;
  }

  #isReadable(height: number, payload: Payload | undefined): boolean {
    if (payload !== undefined) return true;
    this.#state.report({
      height,
      code: 'payload_unreadable',
      message: `block ${height} has a text that was never sealed here`,
    });
    return false;
  }
}

/** Opening, hash and closing of the link, which are the end of every text that was sealed. */
const LINK_CHARS = 80;
const CARRIES_LINK = /^,"prev_hash":"[0-9a-f]{64}"\}$/;

/** Returns the hash in the link; for a text without a link, a text that is no hash. */
function readPrevHash(canonical: string): string {
  return canonical.slice(-66, -2);
}

/** The payload of a text that has none of our shapes. */
const UNREADABLE: Payload = {
  hub: 'unreadable',
  nonce: '',
  recorded_at: '',
  type: 'genesis',
  v: 1,
};

/** @param query selects the column `height`; the order is that of its rows */
export async function readHeights(
  database: DatabaseReader,
  query: Sql,
): Promise<readonly number[]> {
  const rows = await database.all<{ readonly height: number }>(query);
  return rows.map((row) => row.height);
}
