// Finds the parts of a workbook that an import reads: the sheet, the texts that its cells share,
// and the styles that distinguish dates from numbers (ECMA-376 part 1, 12.3).
import { posix } from 'node:path';
import { SheetMissing, noWorkbook } from './refusal.ts';
import { readXml } from './xml.ts';
import type { ZipParts } from './zip-parts.ts';

/** The day that counts as 1; programs of older Apple computers counted from 1904. */
export type DateSystem = 1900 | 1904;

export interface Outline {
  readonly dateSystem: DateSystem;
  /** Names of parts; a workbook without texts or styles lacks them. */
  readonly sheet: string;
  readonly sharedStrings: string | undefined;
  readonly styles: string | undefined;
}

/** A reference of a part to another one. */
interface Relation {
  readonly id: string;
  /** The last word of its type; two versions of the standard have different words before it. */
  readonly type: string;
  readonly target: string;
}

interface Sheet {
  readonly name: string;
  readonly relationId: string;
  readonly isHidden: boolean;
}

/**
 * @param sheetName null: the first sheet that is not hidden
 * @throws UnreadableFile, SheetMissing
 */
export async function readOutline(parts: ZipParts, sheetName: string | null): Promise<Outline> {
  const { tables, relations, dateSystem } = await readTables(parts);
  const wanted =
    sheetName === null
      ? tables.find(({ isHidden }) => !isHidden)
      : tables.find(({ name }) => isSameName(name, sheetName));
  if (wanted === undefined) {
    if (sheetName !== null) throw new SheetMissing('the workbook has no sheet of this name');
    throw noWorkbook('The workbook has no sheet with cells');
  }
  const findPart = (kind: string): string | undefined =>
    relations.find(({ type }) => type === kind)?.target;
  return {
    dateSystem,
    sheet: wanted.part,
    sharedStrings: findPart('sharedStrings'),
    styles: findPart('styles'),
  };
}

/** Names of the sheets with cells that are not hidden. @throws UnreadableFile */
export async function listSheets(parts: ZipParts): Promise<readonly string[]> {
  const { tables } = await readTables(parts);
  return tables.filter(({ isHidden }) => !isHidden).map(({ name }) => name);
}

interface Tables {
  readonly tables: readonly (Sheet & { readonly part: string })[];
  readonly relations: readonly Relation[];
  readonly dateSystem: DateSystem;
}

async function readTables(parts: ZipParts): Promise<Tables> {
  const main = (await readRelations(parts, '')).find(({ type }) => type === 'officeDocument');
  if (main === undefined || !parts.has(main.target)) {
    throw noWorkbook('File should be an Excel workbook (.xlsx), and is another ZIP file');
  }
  const { sheets, dateSystem } = await readWorkbook(parts, main.target);
  const relations = await readRelations(parts, main.target);
  const tables = sheets.flatMap((sheet) => {
    const relation = relations.find(({ id }) => id === sheet.relationId);
    return relation?.type === 'worksheet' ? [{ ...sheet, part: relation.target }] : [];
  });
  return { tables, relations, dateSystem };
}

/** Names of sheets have no case: a workbook has no two that differ in it alone. */
function isSameName(name: string, other: string): boolean {
  return name.trim().toLowerCase() === other.trim().toLowerCase();
}

async function readWorkbook(
  parts: ZipParts,
  part: string,
): Promise<{ readonly sheets: readonly Sheet[]; readonly dateSystem: DateSystem }> {
  const sheets: Sheet[] = [];
  let dateSystem: DateSystem = 1900;
  let root: string | undefined;
  await readXml(parts.read(part), {
    open: (name, attributes) => {
      root ??= name;
      if (name === 'workbookPr' && isTrue(attributes['date1904'])) dateSystem = 1904;
      if (name !== 'sheet') return;
      const { name: sheetName, id: relationId, state } = attributes;
      if (sheetName === undefined || relationId === undefined) return;
      sheets.push({
        name: sheetName,
        relationId,
        isHidden: state !== undefined && state !== 'visible',
      });
    },
    text: () => undefined,
    close: () => undefined,
  });
  if (root !== 'workbook') {
    throw noWorkbook('File should be an Excel workbook (.xlsx), and is a document of another kind');
  }
  return { sheets, dateSystem };
}

/** The relations of a part, or of the whole workbook when it is ''. */
async function readRelations(parts: ZipParts, part: string): Promise<readonly Relation[]> {
  const folder = posix.dirname(part);
  const file = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  if (!parts.has(file)) return [];
  const relations: Relation[] = [];
  await readXml(parts.read(file), {
    open: (name, { Id: id, Type: type, Target: target, TargetMode: mode }) => {
      if (name !== 'Relationship' || mode === 'External') return;
      if (id === undefined || type === undefined || target === undefined) return;
      // A target that begins with a slash is a name; any other is a way from the folder of the part.
      const targetName = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      relations.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: targetName });
    },
    text: () => undefined,
    close: () => undefined,
  });
  return relations;
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
