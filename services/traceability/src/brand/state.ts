// The row of a brand as its block says it.
import { inLanguages } from '../lots/profiles/brand-texts.ts';
import type { BrandState } from '../ledger/record/decisions/contents.ts';
import type { BrandRow } from '../ledger/tables/brands.ts';

/** What consumers read about a brand. */
export type BrandFields = Pick<
  BrandRow,
  'name' | 'website' | 'recall_contact' | 'language' | 'names'
>;

/** Makes the sealed state: fields that are not published are left out. */
export function brandState(fields: BrandFields): BrandState {
  const { name, recall_contact, website } = fields;
  return {
    ...inLanguages(fields),
    ...(name === null ? {} : { name }),
    ...(recall_contact === null ? {} : { recall_contact }),
    ...(website === null ? {} : { website }),
  };
}
