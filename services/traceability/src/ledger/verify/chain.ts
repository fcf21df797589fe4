// Verifies the hashes and links of stored blocks with `@lothub/chain`.
import { ChainVerifier } from '@lothub/chain';
import type { ChainPosition, JsonObject, StoredBlock, VerificationDepth } from '@lothub/chain';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { LedgerMismatch } from './mismatch.ts';

/** A row of `blocks` as `selectBlocks` reads it; the chain's verifier takes it unchanged. */
export type StoredBlockRow = StoredBlock;

/** Blocks after one height and up to another, in order. */
export function selectBlocks(range: { readonly after: number; readonly through: number }): Sql {
  return sql`
    select height, hash as "blockHash", canonical
    from blocks
    where height > ${range.after} and height <= ${range.through}
    order by height`;
}

/** Verifies stored blocks slice by slice from genesis; stays at the first fault. */
export class StoredChain {
  readonly #depth: VerificationDepth;
  #verifier: ChainVerifier;
  #fault: LedgerMismatch | undefined;
  /** Counted by verifiers before the present one. */
  #unjudged = 0;

  /** Begins after a block that was verified before; without one, with genesis. */
  constructor(
    options: Omit<ConstructorParameters<typeof ChainVerifier>[0], 'hash'> & {
      /** Blocks before it whose contents were not judged. */
      readonly contentsNotJudged?: number;
    },
  ) {
    this.#depth = options.depth;
    this.#verifier = new ChainVerifier({ hash: sha256Hex, ...options });
    this.#unjudged = options.contentsNotJudged ?? 0;
  }

  /** The last block that was found good; height -1 before genesis. */
  get position(): ChainPosition {
    return this.#verifier.position;
  }

  /** Blocks of a later format so far: hash, link and canonical form are good, the rest is unknown. */
  get contentsNotJudged(): number {
    return this.#unjudged + this.#verifier.contentsNotJudged;
  }

  /**
   * Takes the next rows, ascending; returns the first fault of the chain so far, if any.
   * @param payloads as of `ChainVerifier.verifyBlocks`
   */
  verifyRows(rows: readonly StoredBlockRow[], payloads?: JsonObject[]): LedgerMismatch | undefined {
    if (this.#fault !== undefined) return this.#fault;
    this.#fault = this.#verifier.verifyBlocks(rows, payloads);
    return this.#fault;
  }

  /** Forgets the fault: the rows behind the last good block are read and judged again. */
  retract(): void {
    const [depth, previous] = [this.#depth, this.position];
    this.#unjudged = this.contentsNotJudged;
    this.#verifier = new ChainVerifier({ hash: sha256Hex, depth, previous });
    this.#fault = undefined;
  }
}
