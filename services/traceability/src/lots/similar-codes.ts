// What somebody who looks for a lot in vain may have meant: the same code written another way. Reading
// is tolerant where posting is not.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { Refusal } from '../errors.ts';
import { codeVariants } from '../ledger/record/code-text.ts';

/** Codes that one answer offers. */
const SIMILAR_MAX = 5;

/** A tenant asks for its own lots and by what suppliers call them; everybody for lots, of a brand or not. */
type Asked =
  | { readonly lotCode: string; readonly tenantId: string }
  | { readonly lotCode: string; readonly brand: string | undefined };

/** The refusal of a code that is not known, with the codes that are. */
export async function noSuchLot(database: DatabaseReader, asked: Asked): Promise<Refusal> {
  return new Refusal('not_found', 'No lot of this code is known', {
    similar: await similarCodes(database, asked),
  });
}

async function similarCodes(database: DatabaseReader, asked: Asked): Promise<readonly string[]> {
  const variants = codeVariants(asked.lotCode);
  if (variants.length === 0) return [];
  const rows = await database.all<{ readonly code: string }>(sql`
    select code from (${codesAmong(inList(variants), asked)}) found order by code limit ${SIMILAR_MAX}`);
  return rows.map(({ code }) => code);
}

function codesAmong(variants: Sql, asked: Asked): Sql {
  if (!('tenantId' in asked)) {
    return asked.brand === undefined
      ? sql`select distinct lot_code as code from lots where lot_code in (${variants})`
      : ownCodes(variants, asked.brand);
  }
  return sql`
    ${ownCodes(variants, asked.tenantId)}
    union
    select p.supplier_lot_code as code
    from tenants t
    join provenances p on p.tenant_no = t.tenant_no
    where t.tenant_id = ${asked.tenantId} and p.supplier_lot_code in (${variants})`;
}

function ownCodes(variants: Sql, tenantId: string): Sql {
  return sql`
    select l.lot_code as code
    from tenants t
    join lots l on l.tenant_no = t.tenant_no
    where t.tenant_id = ${tenantId} and l.lot_code in (${variants})`;
}
