/** The form of the vectors of evidence files and proof files. */
export type EvidenceVector = {
  readonly name: string;
  readonly policy: string;
  /** The text of an evidence file, or of a proof file. */
  readonly evidence?: string;
  readonly proof?: string;
  /** What the proof is about; absent, the text that it carries. */
  readonly block_hash?: string;
  /** Text of the file of kept checkpoints. */
  readonly kept?: string;
  /** The answer in one line. */
  readonly expect: string;
  /** Blocks of later formats among those that were proven; absent when there are none. */
  readonly contents_not_judged?: number;
};
