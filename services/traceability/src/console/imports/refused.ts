// The reasons for which a file is refused, apart from errors of its form.

export type ImportRefusal =
  'brand_full' | 'hub_full' | 'workbook_too_large' | 'empty' | 'old_workbook';

export class ImportRefused extends Error {
  readonly code: ImportRefusal;

  constructor(code: ImportRefusal) {
    super(`a file to import is not taken: ${code}`);
    this.name = 'ImportRefused';
    this.code = code;
  }
}
