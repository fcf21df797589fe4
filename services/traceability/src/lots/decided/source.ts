// Reads from the tables which blocks decided something about a lot.
import type { DatabaseReader } from '@lothub/kit/database';

/** Heights of blocks of decisions about one lot below a height, newest first; each perhaps twice. */
export type DecidedHeights = (
  database: DatabaseReader,
  page: DecidedPage,
) => Promise<readonly number[]>;

export interface DecidedPage {
  readonly lotNo: number;
  readonly below: number;
  readonly limit: number;
}
