// The data beside a waiting file, as pages read it. This service has written it itself, in a folder that only
// its user can read.
import type { FormQuery } from '../../csv-import/form/options.ts';
import type { ValueForm } from '../../csv-import/form/value-form.ts';
import type { FileMapping } from '../../csv-import/form/file-mapping.ts';
import type { Survey, SurveyResult } from '../../csv-import/mapping/survey.ts';
import type { WrittenRow } from '../../csv-import/mapping/written-rows.ts';
import type { RowError } from '../../csv-import/row-error.ts';
import type { WaitingFiles } from './waiting-files.ts';

/** The settings of a file. */
export interface SaidForm {
  readonly query: FormQuery;
  readonly sheet: string | null;
  readonly mapping: FileMapping | null;
  /** The source of the mapping: an earlier file, a guess from names, or a person who has seen this file. */
  readonly from: 'kept' | 'guess' | 'person';
}

/** The results of a check that are shown, apart from the list of wrong rows. */
export interface CheckedParts {
  readonly wrongRows: readonly WrittenRow[];
  readonly errors: readonly RowError[];
  readonly form: ValueForm;
}

export const NOTHING_SAID: SaidForm = {
  query: {},
  sheet: null,
  mapping: null,
  from: 'guess',
};

export async function readForm(files: WaitingFiles, importId: string): Promise<SaidForm> {
  const found = await files.read(importId, 'form');
  return found === undefined ? NOTHING_SAID : (found as SaidForm);
}

export async function readSurvey(
  files: WaitingFiles,
  importId: string,
): Promise<SurveyResult | undefined> {
  return (await files.read(importId, 'survey')) as SurveyResult | undefined;
}

export async function readCheck(
  files: WaitingFiles,
  importId: string,
): Promise<CheckedParts | undefined> {
  return (await files.read(importId, 'check')) as CheckedParts | undefined;
}

export function isSurvey(result: SurveyResult | undefined): result is Survey {
  return result?.kind === 'surveyed';
}
