// Compares the published facts of brands, products and places with the last block about each. The
// bytes of pictures are compared in verify/pictures.ts.
import { differingColumns, namesWithout, selectList } from '@lothub/kit/rows/stored-table';
import sql, { empty, raw } from 'sql-template-tag';
import { toProfileRow, type ProfileRow } from '../../decisions/brand.ts';
import type { BrandDecision } from '../../record/decisions/contents.ts';
import { BRANDS, PLACES, PRODUCTS } from '../../tables/brands.ts';
import { decisionsOfType, type CompareDecided, type FoundDecision } from './check.ts';
import { readReplaced } from './replaced.ts';
import type { Findings, LedgerMismatch } from '../mismatch.ts';
import type { HeightRange, SnapshotReader } from '../snapshot-reader.ts';

type About = BrandDecision['about'];

interface StoredProfile {
  readonly about: About;
  readonly row: Readonly<Record<string, unknown>>;
}

interface ProfileTable {
  readonly table: typeof BRANDS | typeof PRODUCTS | typeof PLACES;
  /** The column that identifies the subject within its brand; the brand itself has none. */
  readonly keyName: string | undefined;
  readonly compared: readonly string[];
  readonly codes: Readonly<Record<'missing' | 'differs' | 'extra', LedgerMismatch['code']>>;
}

const TABLES: Readonly<Record<About, ProfileTable>> = {
  brand: {
    table: BRANDS,
    keyName: undefined,
    compared: namesWithout(BRANDS, ['height']),
    codes: {
      missing: 'brand_row_missing',
      differs: 'brand_row_differs',
      extra: 'brand_row_extra',
    },
  },
  product: {
    table: PRODUCTS,
    keyName: 'sku',
    compared: namesWithout(PRODUCTS, ['height']),
    codes: {
      missing: 'product_row_missing',
      differs: 'product_row_differs',
      extra: 'product_row_extra',
    },
  },
  place: {
    table: PLACES,
    keyName: 'location',
    compared: namesWithout(PLACES, ['height']),
    codes: {
      missing: 'place_row_missing',
      differs: 'place_row_differs',
      extra: 'place_row_extra',
    },
  },
};
const ABOUTS = Object.keys(TABLES) as readonly About[];

export async function readBrandComparison(
  reader: SnapshotReader,
  range: HeightRange,
): Promise<CompareDecided> {
  const stored = new Map<number, StoredProfile[]>();
  for (const about of ABOUTS) {
    for (const row of await readRows(reader, about, range)) {
      const height = Number(row['height']);
      const rows = stored.get(height);
      if (rows === undefined) stored.set(height, [{ about, row }]);
      else rows.push({ about, row });
    }
  }
  const replaced = await readReplaced(reader, range, 'brand');
  return ({ through: last, decisions, findings }) => {
    const blocks = new Map(decisionsOfType('brand', decisions).map((one) => [one.height, one]));
    if (blocks.size === 0 && stored.size === 0) return;
    for (let height = range.after + 1; height <= last; height += 1) {
      const block = replaced.has(height) ? undefined : blocks.get(height);
      compareRows(height, block, { rows: stored.get(height) ?? [], findings });
    }
  };
}

/** Counts the stored pictures of a product. */
const HAS_BYTES = sql`
  , (select count(*) from pictures where sha256 = products.picture) as pictures`;

function readRows(
  reader: SnapshotReader,
  about: About,
  { after, through }: HeightRange,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { table } = TABLES[about];
  const hasBytes = about === 'product' ? HAS_BYTES : empty;
  return reader.all(sql`
    select ${selectList(table)} ${hasBytes}
    from ${raw(table.name)}
    where height > ${after} and height <= ${through}`);
}

/** @param block the last one about its subject; undefined: no row belongs to the height */
function compareRows(
  height: number,
  block: FoundDecision<'brand'> | undefined,
  { rows, findings }: { readonly rows: readonly StoredProfile[]; readonly findings: Findings },
): void {
  const expected = block && toProfileRow(block.brand, block.decision);
  let isMissing = expected !== undefined;
  for (const stored of rows) {
    const { codes, compared } = TABLES[stored.about];
    if (expected === undefined || !isMissing || !isOfSame(stored, expected)) {
      const message = `a row of the table ${TABLES[stored.about].table.name} is not of block ${height}`;
      findings.add({ height, code: codes.extra, message });
      continue;
    }
    isMissing = false;
    if (typeof stored.row['picture'] === 'string' && stored.row['pictures'] === 0) {
      const message = `the picture of the product in block ${height} is gone`;
      findings.add({ height, code: 'picture_missing', message });
    }
    const differing = differingColumns(compared, stored.row, { ...expected.row });
    if (differing.length === 0) continue;
    const message = `a row of block ${height} differs: ${differing.join(', ')}`;
    findings.add({ height, code: codes.differs, message });
  }
  if (expected === undefined || !isMissing) return;
  const message = `the row of the profile in block ${height} is gone`;
  findings.add({ height, code: TABLES[expected.about].codes.missing, message });
}

function isOfSame({ about, row }: StoredProfile, expected: ProfileRow): boolean {
  const { keyName } = TABLES[about];
  const sealed: Readonly<Record<string, unknown>> = expected.row;
  return (
    about === expected.about &&
    row['tenant_id'] === sealed['tenant_id'] &&
    (keyName === undefined || row[keyName] === sealed[keyName])
  );
}
