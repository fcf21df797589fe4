// Stored blocks against the chain they claim to be: hashes and links by `@lothub/chain`, and the
// columns that repeat a block's link for the database.
import { ChainVerifier } from '@lothub/chain';
import type { ChainPosition, StoredBlock, VerificationDepth } from '@lothub/chain';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { LedgerMismatch } from './mismatch.ts';

/** A row of `blocks` as `selectBlocks` reads it; it is fed to the chain's verifier as it stands. */
export interface StoredBlockRow extends StoredBlock {
  readonly prevHeight: number | null;
  readonly prevHash: string;
}

/** Blocks after one height and up to another, in order. */
export function selectBlocks(range: { readonly after: number; readonly through: number }): Sql {
  return sql`
    select height, prev_height as "prevHeight", prev_hash as "prevHash", hash as "blockHash", canonical
    from blocks
    where height > ${range.after} and height <= ${range.through}
    order by height`;
}

/** Verifies stored blocks slice by slice from genesis; stays at the first fault. */
export class StoredChain {
  readonly #depth: VerificationDepth;
  #verifier: ChainVerifier;
  /** Before the first fault; the verifier itself may have taken a row whose columns are bad. */
  #sound: ChainPosition;
  #fault: LedgerMismatch | undefined;
  /** Counted by verifiers before the present one. */
  #unjudged = 0;

  constructor(depth: VerificationDepth) {
    this.#depth = depth;
    this.#verifier = new ChainVerifier({ hash: sha256Hex, depth });
    this.#sound = this.#verifier.position;
  }

  /** The last block that was found good; height -1 before genesis. */
  get position(): ChainPosition {
    return this.#verifier.position;
  }

  /** Blocks of a later format so far: hash, link and canonical form are good, the rest is unknown. */
  get contentsNotJudged(): number {
    return this.#unjudged + this.#verifier.contentsNotJudged;
  }

  /** Takes the next rows, ascending; answers the first fault of the chain so far, if any. */
  verifyRows(rows: readonly StoredBlockRow[]): LedgerMismatch | undefined {
    if (this.#fault !== undefined) return this.#fault;
    const bad = findDifferingColumns(rows, this.#verifier.position);
    this.#fault = this.#verifier.verifyBlocks(bad === -1 ? rows : rows.slice(0, bad));
    this.#sound = this.#verifier.position;
    const row = rows[bad];
    if (this.#fault === undefined && row !== undefined) {
      // The verifier judges the row with bad columns too: when its text is bad as well, that is what
      // an operator needs to know.
      this.#fault = this.#verifier.verifyBlocks([row]) ?? {
        height: row.height,
        code: 'link_columns_differ',
        message: `the columns of block ${row.height} do not name the block that its text links to`,
      };
    }
    return this.#fault;
  }

  /** Forgets the fault: the rows behind the last good block are read and judged again. */
  retract(): void {
    const [depth, previous] = [this.#depth, this.#sound];
    this.#unjudged = this.contentsNotJudged;
    this.#verifier = new ChainVerifier({ hash: sha256Hex, depth, previous });
    this.#fault = undefined;
  }
}

/** Index of the first row whose link columns do not name the row before it; -1 when all do. */
function findDifferingColumns(rows: readonly StoredBlockRow[], position: ChainPosition): number {
  let { height, blockHash } = position;
  let index = 0;
  for (const row of rows) {
    if (row.prevHash !== blockHash || row.prevHeight !== (height < 0 ? null : height)) return index;
    ({ height, blockHash } = row);
    index += 1;
  }
  return -1;
}
