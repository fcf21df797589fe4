// Texts about why a file was refused, in the language of the reader.
import { DatabaseError } from '@lothub/kit/database';
import { FILE_BYTES_MAX, WORKBOOK_BYTES_MAX } from '../../csv-import/upload.ts';
import { FieldsRefusal, Refusal } from '../../errors.ts';
import type { Reader } from '../../web/words/reader.ts';
import { BRAND_FILES_MAX } from './import-desk.ts';
import { ImportRefused } from './refused.ts';
import { sizeText } from './size-text.ts';

export interface RefusalShown {
  readonly words: string;
  readonly status: number;
}

/** @returns undefined for an error that is not a refusal of a file */
export function refusalWords(error: unknown, reader: Reader): RefusalShown | undefined {
  const { imports, refusals } = reader.words.console;
  const { refused } = imports;
  const number = (value: number): string => reader.formats.number(value);
  if (error instanceof DatabaseError && error.code !== 'database_unsure') {
    return { words: refusals.unavailable, status: 503 };
  }
  if (error instanceof FieldsRefusal) {
    const isMissing = error.fields.some(({ type }) => type === 'missing');
    return { words: isMissing ? refused.noFile : refused.incomplete, status: 422 };
  }
  if (error instanceof Refusal && error.code === 'body_too_large') {
    return { words: refused.too_large(sizeText(FILE_BYTES_MAX, reader)), status: 413 };
  }
  if (error instanceof Refusal && error.code === 'media_type_unsupported') {
    return { words: refused.noFile, status: 415 };
  }
  if (!(error instanceof ImportRefused)) return undefined;
  switch (error.code) {
    case 'brand_full':
      return { words: refused.brand_full(number(BRAND_FILES_MAX)), status: 409 };
    case 'hub_full':
      return { words: refused.hub_full, status: 503 };
    case 'workbook_too_large':
      return {
        words: refused.workbook_too_large(sizeText(WORKBOOK_BYTES_MAX, reader)),
        status: 413,
      };
    case 'empty':
    case 'old_workbook':
      return { words: refused[error.code], status: 422 };
  }
}
