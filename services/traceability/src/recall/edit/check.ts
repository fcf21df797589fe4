// Refuses edits that no case may have. Pure.
import { FIELD_ERRORS_MAX, type FieldError } from '@lothub/kit/http/field-errors';
import { FieldsRefusal } from '../../errors.ts';
import { EDITED_TEXTS } from '../../ledger/record/decisions/contents.ts';
import { EDITED_LOTS_MAX, type CaseEdit } from './schema.ts';

/** @throws FieldsRefusal when the edit changes nothing, or names lots twice or too many */
export function checkEdit(edit: CaseEdit): void {
  const { scope } = edit;
  const isText = EDITED_TEXTS.some((field) => (edit[field] ?? null) !== null);
  const isWording = edit.language !== undefined || edit.translations !== undefined;
  if (!isText && !isWording && scope === undefined) {
    const message =
      'Send at least one of `title`, `reason`, `language`, `translations`, `severity` and `scope`';
    throw FieldsRefusal.of(['body'], message, 'missing');
  }
  if (scope === undefined) return;
  const { add = [], exclude = [] } = scope;
  const total = add.length + exclude.length;
  if (total === 0) {
    throw FieldsRefusal.of(['body', 'scope'], 'Name lots to `add` or to `exclude`', 'missing');
  }
  if (total > EDITED_LOTS_MAX) {
    const message = `One edit adds and excludes at most ${EDITED_LOTS_MAX} lots together`;
    throw FieldsRefusal.of(['body', 'scope'], message, 'too_long');
  }
  const errors = repeated({ add, exclude });
  if (errors.length > 0) throw new FieldsRefusal(errors.slice(0, FIELD_ERRORS_MAX));
}

function repeated(lists: Readonly<Record<'add' | 'exclude', readonly string[]>>): FieldError[] {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const name of ['add', 'exclude'] as const) {
    for (const [index, code] of lists[name].entries()) {
      if (seen.has(code)) {
        const msg = 'This lot is named before: name each once, to add or to exclude it';
        errors.push({ loc: ['body', 'scope', name, index], msg, type: 'value_error' });
      }
      seen.add(code);
    }
  }
  return errors;
}
