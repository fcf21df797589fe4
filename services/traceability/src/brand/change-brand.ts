// Changes what consumers see of a brand itself. What changes nothing seals nothing.
import { differingColumns } from '@lothub/kit/rows/stored-table';
import type { Caller } from '../ledger/draft.ts';
import { readInLanguages } from './in-languages.ts';
import { findBrand } from './queries.ts';
import type { BrandInput } from './schema.ts';
import { brandState, type BrandFields } from './state.ts';
import { changedMembers, changeProfile, type ProfileDeps } from './change-profile.ts';

/** What consumers see. */
const SHOWN = ['name', 'website', 'recall_contact', 'language', 'names'] as const;

/** The fields of a brand that has published nothing. */
export const EMPTY_PROFILE: BrandFields = {
  name: null,
  website: null,
  recall_contact: null,
  language: null,
  names: null,
};

/**
 * @param input fields that are absent stay as they are
 * @throws FieldsRefusal; DatabaseError as the store's
 */
export async function changeBrand(
  deps: ProfileDeps,
  change: { readonly tenantId: string; readonly caller: Caller },
  input: BrandInput,
): Promise<'changed' | 'unchanged'> {
  const { tenantId } = change;
  const fields = readBrand(input);
  const block = await changeProfile(deps, change, async (database, at) => {
    const found = await findBrand(database, tenantId);
    const before = found ?? EMPTY_PROFILE;
    const after: BrandFields = { ...before, ...fields };
    const differing = differingColumns(SHOWN, before, after);
    if (differing.length === 0) return undefined;
    const state = brandState(after);
    const changed = changedMembers(brandState(before), state);
    return {
      decision: { about: 'brand', at, changed, state },
      foundHeight: found?.height ?? null,
      audit: {
        action: 'update_brand',
        entityType: 'brand',
        entityId: tenantId,
        // Everything of a brand is shown to consumers, so nothing of it is private.
        details: Object.fromEntries(differing.map((field) => [field, after[field]])),
      },
    };
  });
  return block === undefined ? 'unchanged' : 'changed';
}

/** What was sent as rows keep it. @throws FieldsRefusal */
export function readBrand({ language, names, ...fields }: BrandInput): Partial<BrandFields> {
  return { ...fields, ...readInLanguages({ language, names }) };
}
