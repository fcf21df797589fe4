// Stores and shows texts that a brand writes in one language and perhaps in others. Values that are
// not set are absent.
import sql, { raw, type Sql } from 'sql-template-tag';
import type { Names } from './names.ts';

/** The languages as rows store them. */
export interface LanguageRow {
  /** A tag of BCP 47. */
  readonly language: string | null;
  /** Canonical JSON, by language. */
  readonly names: string | null;
}

/** The languages as responses contain them, beside `name`. */
export interface InLanguages {
  /** The language of `name`. */
  readonly language?: string;
  /** `name` in other languages. */
  readonly names?: Record<string, string>;
}

/** A brand as the public reads it. */
export interface PublicBrand extends InLanguages {
  readonly id: string;
  readonly name: string;
}

export function inLanguages({ language, names }: LanguageRow): InLanguages {
  return {
    ...(language === null ? {} : { language }),
    ...(names === null ? {} : { names: { ...readNames(names) } }),
  };
}

function readNames(text: string): Names {
  return JSON.parse(text) as Names;
}

/** The columns that `toPublicBrand` reads of a brand. */
export interface BrandNameRow {
  readonly tenantId: string;
  /** The public name of the tenant; its id when it has set no name. */
  readonly brandName: string;
  readonly brandLanguage: string | null;
  readonly brandNames: string | null;
}

/** Columns of `BrandNameRow` but for the id, of rows of `table` that have one, with their brands `b`. */
export function selectBrandName(table: 'p' | 't'): Sql {
  return sql`
    coalesce(b.name, ${raw(table)}.tenant_id) as "brandName", b.language as "brandLanguage",
    b.names as "brandNames"`;
}

/** The columns for tenants `t`. */
export const BRAND_NAME = selectBrandName('t');

export function toPublicBrand(row: BrandNameRow): PublicBrand {
  const { tenantId, brandName, brandLanguage: language, brandNames: names } = row;
  return { id: tenantId, name: brandName, ...inLanguages({ language, names }) };
}
