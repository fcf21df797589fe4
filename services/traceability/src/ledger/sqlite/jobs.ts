// What crosses the thread between the service and the ledger's writer; plain values only.
import type { SqlValue } from '@lothub/kit/database';
import type { AppendAnswer, Submission } from '../draft.ts';

export interface LedgerWriterData {
  readonly file: string;
  readonly dataDir: string;
  readonly hubName: string;
}

export interface StatementJob {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

export type LedgerJob =
  | { readonly kind: 'append'; readonly submission: Submission }
  /** Small writes beside the chain (keys, brands), all or none, in their order. */
  | { readonly kind: 'write'; readonly statements: readonly StatementJob[] };

/** Rows of each statement, in order. */
export interface WriteAnswer {
  readonly rows: readonly (readonly unknown[])[];
}

export type LedgerAnswer = AppendAnswer | WriteAnswer;
