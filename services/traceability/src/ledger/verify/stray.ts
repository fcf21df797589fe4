// Finds rows whose heights no block can have, and second rows of tables with one row. No slice of the chain
// reaches them.
import sql, { join, raw, type Sql } from 'sql-template-tag';
import { HEIGHT_TABLES, PROFILE_TABLES } from '../tables/all.ts';
import type { LedgerMismatch } from './mismatch.ts';
import type { SnapshotReader } from './snapshot-reader.ts';

const TABLES = [...HEIGHT_TABLES, ...PROFILE_TABLES] as const;
type Place = (typeof TABLES)[number]['name'];

interface StrayRows {
  readonly place: Place;
  readonly side: 'below' | 'above';
}

const STRAY_CODES: Readonly<Record<Place, LedgerMismatch['code']>> = {
  blocks: 'height_gap',
  events: 'event_row_extra',
  lines: 'line_row_extra',
  provenances: 'provenance_row_extra',
  corrections: 'correction_row_extra',
  decisions: 'decision_row_extra',
  audit_blocks: 'audit_block_row_extra',
  lot_mentions: 'mention_row_extra',
  private_lines: 'private_row_extra',
  private_notes: 'private_row_extra',
  private_requests: 'private_row_extra',
  private_changes: 'private_row_extra',
  private_decisions: 'private_row_extra',
  erased_heights: 'erasure_row_extra',
  import_keys: 'import_key_extra',
  brands: 'brand_row_extra',
  products: 'product_row_extra',
  places: 'place_row_extra',
  recall_parts: 'case_row_extra',
};

/** Tables with rows below genesis or above the tip; the heights themselves are not read. */
export async function findStrayRows(
  reader: SnapshotReader,
  tip: number,
): Promise<readonly LedgerMismatch[]> {
  const below = await reader.all<StrayRows>(
    strayRows(TABLES, { side: 'below', isStray: sql`height < 0` }),
  );
  // Blocks above the tip are a gap in the chain, which has a finding of its own.
  const above = await reader.all<StrayRows>(
    strayRows(
      TABLES.filter(({ name }) => name !== 'blocks'),
      { side: 'above', isStray: sql`height > ${tip}` },
    ),
  );
  const others = await reader.all<{ readonly place: keyof typeof SINGLE_CODES }>(SECOND_ROWS);
  return [
    ...[...below, ...above].map(({ place, side }) => ({
      height: side === 'below' ? 0 : tip + 1,
      code: STRAY_CODES[place],
      message: `${place} holds rows of heights ${side} the chain, where there is no block`,
    })),
    ...others.map(({ place }) => ({
      height: tip,
      code: SINGLE_CODES[place],
      message: `${place} has another row than the one with the id 1`,
    })),
  ];
}

/** Tables of one row. */
const SINGLE_CODES = {
  head: 'head_differs',
  decision_sealing: 'decision_sealing_differs',
} as const satisfies Readonly<Record<string, LedgerMismatch['code']>>;

const SECOND_ROWS = sql`
  select 'head' as place
  where exists (select 1 from head where id <> 1)
  union all
  select 'decision_sealing'
  where exists (select 1 from decision_sealing where id <> 1)`;

function strayRows(
  tables: readonly { readonly name: Place }[],
  { side, isStray }: { readonly side: StrayRows['side']; readonly isStray: Sql },
): Sql {
  const finds = tables.map(
    ({ name }) => sql`
      select ${raw(`'${name}'`)} as place, ${raw(`'${side}'`)} as side
      where exists (select 1 from ${raw(name)} where ${isStray})`,
  );
  return join(finds, ' union all ');
}
