// The faults of a workbook as a whole.
import { HEADER_ROW } from '../columns.ts';
import { UnreadableFile } from '../row-error.ts';

/** The error of a file that no workbook can be read from. */
export function noWorkbook(msg: string): UnreadableFile {
  return UnreadableFile.at(HEADER_ROW, null, msg, 'xlsx_invalid');
}

/** The workbook has no sheet of the name that was given. */
export class SheetMissing extends Error {
  readonly code = 'sheet_missing';
}
