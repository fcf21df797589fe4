// The messages between the thread of an import and that of its check; plain values only.
import type { CheckResult, FileKind } from './check.ts';
import type { FormOptions } from './form/options.ts';
import type { SurveyResult } from './mapping/survey.ts';
import type { LookupKeys, StoredEvent } from './queries.ts';

/**
 * One file for the thread, which checks one at a time. `survey`: reads the file and judges nothing.
 */
export interface CheckOrder {
  readonly kind: 'order';
  readonly job: CheckJob;
}

export interface CheckJob {
  readonly task: 'check' | 'survey';
  readonly keepsWrongRows: boolean;
  readonly file: string;
  readonly kind: FileKind;
  readonly form: FormOptions;
  readonly folder: string;
  readonly nowMs: number;
}

export type FromCheckThread =
  | { readonly kind: 'lookup'; readonly id: number; readonly keys: LookupKeys }
  | { readonly kind: 'result'; readonly result: CheckResult }
  | { readonly kind: 'surveyed'; readonly result: SurveyResult }
  | { readonly kind: 'failure'; readonly message: string; readonly systemCode: string | null };

/** The answer to one lookup. */
export interface LookupAnswer {
  readonly kind: 'looked-up';
  readonly id: number;
  readonly events: readonly StoredEvent[];
}

export type ToCheckThread = CheckOrder | LookupAnswer;
