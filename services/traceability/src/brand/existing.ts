// Brands that were set before decisions were sealed: what the block says that seals one of them as it is.
import type { DatabaseReader } from '@lothub/kit/database';
import { selectList } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import type { BrandDecision, BrandState } from '../ledger/record/decisions/contents.ts';
import { BRANDS } from '../ledger/tables/brands.ts';
import type { BrandRow } from '../ledger/tables/brands.ts';

/** What consumers are told of a brand. */
export type BrandFields = Pick<BrandRow, 'name' | 'website' | 'recall_contact'>;

/** The next brands that no block says yet, ascending by tenant. */
export async function unsealedBrands(
  database: Pick<DatabaseReader, 'all'>,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly BrandRow[]> {
  return await database.all<BrandRow>(sql`
    select ${selectList(BRANDS)}
    from brands
    where height is null and tenant_id > ${after}
    order by tenant_id
    limit ${limit}`);
}

/** With the time that the row has; its rows are those of `rowsOfDecision`. */
export function existingBrand(row: BrandRow): BrandDecision {
  const state = brandState(row);
  const changed = Object.keys(state).sort();
  return { about: 'brand', at: row.updated_at, changed, migrated: true, state };
}

/** Without what is not told. */
export function brandState({ name, recall_contact, website }: BrandFields): BrandState {
  return {
    ...(name === null ? {} : { name }),
    ...(recall_contact === null ? {} : { recall_contact }),
    ...(website === null ? {} : { website }),
  };
}
