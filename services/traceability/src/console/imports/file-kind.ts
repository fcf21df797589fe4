// Finds the kind of a file by its first bytes; its name proves nothing.
import { open } from 'node:fs/promises';
import { SIGNATURE_BYTES, fileKind } from '../../csv-import/form/signatures.ts';
import { ImportRefused } from './refused.ts';

/** @throws ImportRefused `old_workbook` */
export async function findKind(file: string): Promise<'csv' | 'xlsx'> {
  await using handle = await open(file, 'r');
  const start = Buffer.alloc(SIGNATURE_BYTES);
  await handle.read(start, 0, SIGNATURE_BYTES, 0);
  switch (fileKind(start)) {
    case 'zip':
      return 'xlsx';
    case 'compound file':
      throw new ImportRefused('old_workbook');
    case 'other':
      return 'csv';
  }
}
