// The reads of every verification: of one consistent state, in slices by heights.
import type { DatabaseReader } from '@lothub/kit/database';

/** Reads of one consistent state; how a state is held still is each engine's own. */
export interface SnapshotReader {
  readonly all: DatabaseReader['all'];
  /** Runs `work` so that all it reads is of one moment. */
  readonly inSnapshot: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Heights greater than `after`, up to and including `through`. */
export interface HeightRange {
  readonly after: number;
  readonly through: number;
}
