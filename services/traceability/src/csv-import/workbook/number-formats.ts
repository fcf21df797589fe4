// Finds what the cells of a workbook show of their numbers, by their styles (ECMA-376 part 1,
// 18.8.30): digits, a date, a time, or the number in another form.
import { readXml } from './xml.ts';
import type { ZipParts } from './zip-parts.ts';

/** `as it is`: a whole number is shown digit by digit. */
export type Shown = 'as it is' | 'number' | 'date' | 'time' | 'date and time';

/** Formats that every program has under these numbers; all others below 164 are numbers. */
const BUILT_IN: readonly (readonly [from: number, to: number, shown: Shown])[] = [
  [0, 1, 'as it is'],
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'date and time'],
  [27, 31, 'date'],
  [32, 35, 'time'],
  [36, 36, 'date'],
  [45, 47, 'time'],
  [49, 49, 'as it is'],
  [50, 54, 'date'],
  [55, 56, 'time'],
  [57, 58, 'date'],
];
/** The literal parts of a format: texts, escaped characters, widths, colours and languages. */
const LITERALS = /"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|am\/pm|a\/p/gi;
/** Formats that show a whole number digit by digit and nothing else. */
const AS_IT_IS: ReadonlySet<string> = new Set(['general', '0', '@']);
/** Styles of a workbook; a program allows for 65,490. */
const STYLES_MAX = 131_072;

/** @returns what each style shows, by its index */
export async function readNumberFormats(
  parts: ZipParts,
  part: string | undefined,
): Promise<readonly Shown[]> {
  if (part === undefined) return [];
  const codes = new Map<number, string>();
  const formats: number[] = [];
  let isCellStyle = false;
  await readXml(parts.read(part), {
    open: (name, { numFmtId: id, formatCode: code }) => {
      if (name === 'cellXfs') isCellStyle = true;
      if (name === 'numFmt' && code !== undefined) codes.set(Number(id), code);
      if (name === 'xf' && isCellStyle && formats.length < STYLES_MAX)
        formats.push(Number(id ?? 0));
    },
    text: () => undefined,
    close: (name) => {
      if (name === 'cellXfs') isCellStyle = false;
    },
  });
  return formats.map((id) => {
    const code = codes.get(id);
    return code === undefined ? builtIn(id) : shownBy(code);
  });
}

function builtIn(id: number): Shown {
  return BUILT_IN.find(([from, to]) => id >= from && id <= to)?.[2] ?? 'number';
}

/** Returns what a format shows, such as `dd.mm.yyyy hh:mm` or `0.00`. */
export function shownBy(code: string): Shown {
  if (AS_IT_IS.has(code.trim().toLowerCase())) return 'as it is';
  const [positive = ''] = code.replaceAll(LITERALS, '').toLowerCase().split(';');
  const text = positive.trim();
  if (text.includes('general')) return 'number';
  const hasTime = /[hs]/.test(text);
  // An m next to hours or seconds means minutes.
  const hasDate = /[dy]/.test(text) || (text.includes('m') && !hasTime && !text.includes('[m'));
  if (hasDate) return hasTime ? 'date and time' : 'date';
  return hasTime || text.includes('[m') ? 'time' : 'number';
}
