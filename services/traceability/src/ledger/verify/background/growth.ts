// Finds out whether the chain is growing: if so, the background verifier leaves more of the machine
// to the writers of events.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';

/** Interval of reads of the last block's height. */
const READ_EVERY_MS = 250;
/** The chain counts as growing until its last block has been the same for this time. */
const QUIET_MS = 1_000;

export class ChainGrowth {
  readonly #readTip: () => Promise<number>;
  #tip: number | undefined;
  #readDueMs = -Infinity;
  #quietFromMs = Infinity;

  /** @param readTip height of the last block */
  constructor(readTip: () => Promise<number>) {
    this.#readTip = readTip;
  }

  /**
   * @param nowMs never less than at the call before
   * @throws DatabaseError when the height cannot be read
   */
  async isGrowing(nowMs: number): Promise<boolean> {
    if (nowMs >= this.#readDueMs) {
      this.#readDueMs = nowMs + READ_EVERY_MS;
      const tip = await this.#readTip();
      if (tip !== this.#tip) this.#quietFromMs = nowMs + QUIET_MS;
      this.#tip = tip;
    }
    return nowMs < this.#quietFromMs;
  }
}

/** Reads the height in the head row; -1 without any block. */
export async function readTipHeight(reader: Pick<DatabaseReader, 'first'>): Promise<number> {
  const head = await reader.first<{ readonly height: number }>(
    sql`select height from head where id = 1`,
  );
  return head?.height ?? -1;
}
