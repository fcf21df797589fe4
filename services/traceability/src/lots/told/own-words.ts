// Texts that a brand gives in a language of its own and perhaps in others: how rows keep them, how answers show
// them. What nobody has told is absent.
import sql, { raw } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { Names } from './names.ts';

/** As rows keep it. */
export interface LanguageRow {
  /** A tag of BCP 47. */
  readonly language: string | null;
  /** Canonical JSON, by language. */
  readonly names: string | null;
}

/** As answers show it, beside `name`. */
export interface InLanguages {
  /** Of `name`. */
  readonly language?: string;
  /** `name` in other languages. */
  readonly names?: Record<string, string>;
}

/** A brand as the public reads it. */
export interface ToldBrand extends InLanguages {
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

/** What is read of a brand for `toldBrand`. */
export interface BrandNameRow {
  readonly tenantId: string;
  /** What consumers call the tenant; its id when it has given no name. */
  readonly brandName: string;
  readonly brandLanguage: string | null;
  readonly brandNames: string | null;
}

/** Columns of `BrandNameRow` but for the id, of rows of `table` that have one, with their brands `b`. */
export function brandNameOf(table: 'p' | 't'): Sql {
  return sql`
    coalesce(b.name, ${raw(table)}.tenant_id) as "brandName", b.language as "brandLanguage",
    b.names as "brandNames"`;
}

/** Of tenants `t`. */
export const BRAND_NAME = brandNameOf('t');

export function toldBrand(row: BrandNameRow): ToldBrand {
  const { tenantId, brandName, brandLanguage: language, brandNames: names } = row;
  return { id: tenantId, name: brandName, ...inLanguages({ language, names }) };
}
