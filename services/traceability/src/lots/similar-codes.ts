// Suggests other spellings of a lot code that was not found. Reading accepts them; posting does
// not.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql, { join, type Sql } from 'sql-template-tag';
import { Refusal } from '../errors.ts';
import { codeVariants } from '../ledger/record/code-text.ts';

/** Codes that one answer offers. */
const SIMILAR_MAX = 5;

/**
 * A tenant searches its own lots and the codes of its suppliers; the public searches all lots or
 * those of one brand.
 */
type Asked =
  | { readonly lotCode: string; readonly tenantId: string }
  | { readonly lotCode: string; readonly brand: string | undefined };

/** Makes the refusal of an unknown code, with similar known codes. */
export async function noSuchLot(database: DatabaseReader, asked: Asked): Promise<Refusal> {
  return new Refusal('not_found', 'No lot of this code is known', {
    similar: await similarCodes(database, asked),
  });
}

/** Finds known codes that differ only in case, spaces or hyphens. */
export async function similarCodes(
  database: DatabaseReader,
  asked: Asked,
): Promise<readonly string[]> {
  const variants = codeVariants(asked.lotCode);
  if (variants.length === 0) return [];
  const rows = await database.all<{ readonly code: string }>(sql`
    select code from (${codesAmong(variants, asked)}) found order by code limit ${SIMILAR_MAX}`);
  return rows.map(({ code }) => code);
}

function codesAmong(variants: readonly string[], asked: Asked): Sql {
  const list = inList(variants);
  if (!('tenantId' in asked)) {
    return asked.brand === undefined
      ? sql`select distinct lot_code as code from lots where lot_code in (${list})`
      : ownCodes(list, asked.brand);
  }
  return sql`
    ${ownCodes(list, asked.tenantId)}
    union
    ${suppliersCodes(variants, asked.tenantId)}`;
}

/**
 * One look into the index for each variant, which the order demands: where suppliers use few codes, PostgreSQL expects
 * to find one of them so soon that it reads the table.
 */
function suppliersCodes(variants: readonly string[], tenantId: string): Sql {
  const length = 2 ** Math.ceil(Math.log2(variants.length));
  const padding = new Array<string>(length - variants.length).fill(variants[0] ?? '');
  const each = [...variants, ...padding].map((variant) => sql`select ${variant} as code`);
  return sql`
    select v.code
    from (${join(each, ' union all ')}) v
    join tenants t on t.tenant_id = ${tenantId}
    where (
      select 1
      from provenances p
      where p.tenant_no = t.tenant_no and p.supplier_lot_code = v.code
      order by p.lot_no
      limit 1
    ) = 1`;
}

function ownCodes(variants: Sql, tenantId: string): Sql {
  return sql`
    select l.lot_code as code
    from tenants t
    join lots l on l.tenant_no = t.tenant_no
    where t.tenant_id = ${tenantId} and l.lot_code in (${variants})`;
}
