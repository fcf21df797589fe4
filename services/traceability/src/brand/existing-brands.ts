// Brands that were set before what consumers are told was sealed.
import sql from 'sql-template-tag';
import { draftDecision, sealedHeight } from '../ledger/decisions/draft.ts';
import type { ExistingDecisions } from '../ledger/decisions/existing/planner.ts';
import { existingBrand, unsealedBrands } from './existing.ts';

/** Of one batch, and so blocks of one transaction. */
const ROWS_PER_BATCH = 500;

export const EXISTING_BRANDS: ExistingDecisions = {
  table: 'brands',
  unsealed: sql`
    select count(*) as unsealed
    from brands
    where height is null`,
  next: async (reader) => {
    const rows = await unsealedBrands(reader, { after: '', limit: ROWS_PER_BATCH });
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
