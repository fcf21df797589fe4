// Whose turn it is to do work that one of the processes over a database does for all. An engine with one
// process has nobody to take turns with.

/** Turns order work and do not guard it: the work bears being done by two at a time. */
export interface Turn {
  /**
   * Takes the turn, or keeps it. Cheap: to be asked before each piece of work, and every second while
   * there is none, because a turn of which nothing is heard for seconds goes to another process.
   * @returns false while another process has it
   * @throws DatabaseError when nobody can be asked just now; then it has to be taken for lost
   */
  take(): Promise<boolean>;
  /** Gives the turn up, so that another process need not wait until it ends by itself. */
  release(): Promise<void>;
}

/** The turn of a process that has the ledger to itself. */
export const ALONE_TURN: Turn = {
  take: () => Promise.resolve(true),
  release: () => Promise.resolve(),
};
