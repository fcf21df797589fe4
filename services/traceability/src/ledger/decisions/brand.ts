// The rows of published facts of brands, products and places. A row contains the state of the last
// block about its subject.
import { canonicalize } from '@lothub/chain';
import { insertRow, onConflictReplace } from '@lothub/kit/rows/stored-table';
import sql, { raw, type Sql } from 'sql-template-tag';
import type { BrandDecision, BrandState } from '../record/decisions/contents.ts';
import { BRANDS, PLACES, PRODUCTS } from '../tables/brands.ts';
import type { BrandRow, PlaceRow, ProductRow } from '../tables/brands.ts';
import type { DecidedBlock, DecisionKind } from './kind.ts';

export const BRAND_KIND: DecisionKind<'brand'> = {
  buildRows: (block) => [buildRow(block)],
  clear: [
    sql`delete from brands where height is not null`,
    sql`delete from products`,
    sql`delete from places`,
  ],
};

/** The row of a subject as its block says it, but for the height; undefined when it was removed. */
export type ProfileRow =
  | { readonly about: 'brand'; readonly row: Omit<BrandRow, 'height'> }
  | { readonly about: 'product'; readonly row: Omit<ProductRow, 'height'> }
  | { readonly about: 'place'; readonly row: Omit<PlaceRow, 'height'> };

export function toProfileRow(brand: string, decision: BrandDecision): ProfileRow | undefined {
  if (decision.removed === true) return undefined;
  const common = { tenant_id: brand, updated_at: decision.at };
  switch (decision.about) {
    case 'brand': {
      const { name = null, recall_contact = null, website = null } = decision.state;
      const row = { ...common, name, website, recall_contact, ...inLanguages(decision.state) };
      return { about: 'brand', row };
    }
    case 'product': {
      const { sku, state } = decision;
      const { gtin = null, picture = null } = state;
      const names = canonicalize(state.names);
      return { about: 'product', row: { ...common, sku, names, gtin, picture } };
    }
    case 'place': {
      const { location, state } = decision;
      const { name, address = null, gln = null, time_zone = null } = state;
      const profile = { name, address, gln, time_zone, ...inLanguages(state) };
      return { about: 'place', row: { ...common, location, ...profile } };
    }
  }
}

function inLanguages({ language, names }: Pick<BrandState, 'language' | 'names'>) {
  return {
    language: language ?? null,
    names: names === undefined ? null : canonicalize(names),
  };
}

function buildRow({ brand, decision, height: sealed }: DecidedBlock<'brand'>): Sql {
  // The writer puts the height in its place before anything is stored.
  const height = sealed as number;
  const profile = toProfileRow(brand, decision);
  switch (profile?.about) {
    case 'brand':
      return sql`${insertRow(BRANDS, { ...profile.row, height })} ${REPLACE_BRAND}`;
    case 'product':
      return sql`${insertRow(PRODUCTS, { ...profile.row, height })} ${REPLACE_PRODUCT}`;
    case 'place':
      return sql`${insertRow(PLACES, { ...profile.row, height })} ${REPLACE_PLACE}`;
    case undefined:
      return removal(brand, decision);
  }
}

const REPLACE_BRAND = raw(onConflictReplace(BRANDS));
const REPLACE_PRODUCT = raw(onConflictReplace(PRODUCTS));
const REPLACE_PLACE = raw(onConflictReplace(PLACES));

function removal(brand: string, decision: BrandDecision): Sql {
  switch (decision.about) {
    case 'brand':
      throw new Error('a brand is never removed');
    case 'product':
      return sql`delete from products where tenant_id = ${brand} and sku = ${decision.sku}`;
    case 'place':
      return sql`
        delete from places
        where tenant_id = ${brand} and location = ${decision.location}`;
  }
}
