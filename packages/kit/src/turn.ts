// Whose turn it is to do work that one of the processes over a database does for all. An engine with one
// process needs no turns.

/** A turn does not exclude that two processes work: the work must be safe to do twice at a time. */
export interface Turn {
  /**
   * Takes the turn, or renews it. It is cheap: call it before each piece of work, and every second while
   * there is none, because a turn that is not renewed for seconds goes to another process.
   * @returns false while another process has it
   * @throws DatabaseError when the database cannot be reached; then the turn counts as lost
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
