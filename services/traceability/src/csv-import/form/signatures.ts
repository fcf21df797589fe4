// Distinguishes files by their media types, and by the first bytes of those that are no text.

export const MEDIA_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** Begins a ZIP file, as which spreadsheet programs save a workbook. */
const ZIP = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
/** Begins a workbook of an older program, and any workbook that a password locks. */
const COMPOUND_FILE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
export const SIGNATURE_BYTES = 4;

/** @param start the first bytes of the file */
export function fileKind(start: Buffer): 'zip' | 'compound file' | 'other' {
  const signature = start.subarray(0, SIGNATURE_BYTES);
  if (signature.equals(ZIP)) return 'zip';
  return signature.equals(COMPOUND_FILE) ? 'compound file' : 'other';
}
