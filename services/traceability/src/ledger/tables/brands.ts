// The tables of the published facts of brands, products and places. Each row is the state of the
// last block about it. The order of columns is that of the schema, which schema.test.ts compares.
import { bytes, integer, nullable, storedTable, text } from '@lothub/kit/rows/stored-table';
import type { RowOf } from '@lothub/kit/rows/stored-table';

export const BRANDS = storedTable('brands', ['tenant_id'], {
  tenant_id: text(),
  name: nullable(text()),
  website: nullable(text()),
  recall_contact: nullable(text()),
  updated_at: text(),
  /** Height of the block; null: set before decisions were sealed, and not sealed yet. */
  height: nullable(integer()),
  /** Tag of BCP 47: the language of the brand's texts without a language of their own. */
  language: nullable(text()),
  /** Canonical JSON: the name in other languages. */
  names: nullable(text()),
});
export type BrandRow = RowOf<typeof BRANDS>;

export const PRODUCTS = storedTable('products', ['tenant_id', 'sku'], {
  tenant_id: text(),
  sku: text(),
  /** Canonical JSON: a text for each language. */
  names: text(),
  gtin: nullable(text()),
  /** Key of its row in `pictures`. */
  picture: nullable(text()),
  updated_at: text(),
  height: integer(),
});
export type ProductRow = RowOf<typeof PRODUCTS>;

export const PLACES = storedTable('places', ['tenant_id', 'location'], {
  tenant_id: text(),
  location: text(),
  name: text(),
  address: nullable(text()),
  gln: nullable(text()),
  updated_at: text(),
  height: integer(),
  /** Name of IANA, such as `Europe/Berlin`. */
  time_zone: nullable(text()),
  /** Tag of BCP 47, of the name; null: that of the brand. */
  language: nullable(text()),
  /** Canonical JSON: the name in other languages. */
  names: nullable(text()),
});
export type PlaceRow = RowOf<typeof PLACES>;

/** Pictures that products have; two with the same bytes share a row. */
export const PICTURES = storedTable('pictures', ['sha256'], {
  /** Hex, of the bytes. */
  sha256: text(),
  bytes: bytes(),
});
