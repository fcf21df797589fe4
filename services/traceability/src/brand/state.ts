// The row of a brand as its block says it.
import type { BrandState } from '../ledger/record/decisions/contents.ts';
import type { BrandRow } from '../ledger/tables/brands.ts';

/** What consumers are told of a brand. */
export type BrandFields = Pick<BrandRow, 'name' | 'website' | 'recall_contact'>;

/** Without what is not told. */
export function brandState({ name, recall_contact, website }: BrandFields): BrandState {
  return {
    ...(name === null ? {} : { name }),
    ...(recall_contact === null ? {} : { recall_contact }),
    ...(website === null ? {} : { website }),
  };
}
