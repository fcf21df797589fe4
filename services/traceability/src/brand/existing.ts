// Brands that were set before decisions were sealed: each is sealed as its row says it.
import { selectList } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import { draftDecision, sealedHeight } from '../ledger/decisions/draft.ts';
import { ROWS_PER_BATCH, type ExistingDecisions } from '../ledger/decisions/existing/planner.ts';
import type { BrandDecision } from '../ledger/record/decisions/contents.ts';
import { BRANDS, type BrandRow } from '../ledger/tables/brands.ts';
import { brandState } from './state.ts';

export const EXISTING_BRANDS: ExistingDecisions = {
  table: 'brands',
  unsealed: sql`
    select count(*) as unsealed
    from brands
    where height is null`,
  next: async (reader) => {
    const rows = await reader.all<BrandRow>(sql`
      select ${selectList(BRANDS)}
      from brands
      where height is null
      order by tenant_id
      limit ${ROWS_PER_BATCH}`);
    if (rows.length === 0) return undefined;
    return {
      decisions: rows.map((row) =>
        draftDecision({ brand: row.tenant_id, type: 'brand', content: existingBrand(row) }),
      ),
      statements: rows.map(
        ({ tenant_id: tenantId }, index) => sql`
          update brands
          set height = ${sealedHeight(index)}
          where tenant_id = ${tenantId}`,
      ),
    };
  },
};

/** With the time that the row has; its rows are those of `rowsOfDecision`. */
export function existingBrand(row: BrandRow): BrandDecision {
  const state = brandState(row);
  const changed = Object.keys(state).sort();
  return { about: 'brand', at: row.updated_at, changed, migrated: true, state };
}
