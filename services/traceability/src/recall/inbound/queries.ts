// Queries on what a brand received of the lots that others recall. Each reads through an index and has a limit.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql, { join, type Sql } from 'sql-template-tag';

/** A brand that has linked suppliers to another one. */
interface Linked {
  readonly tenantId: string;
  readonly tenantNo: number;
  /** Tenant id of the other one. */
  readonly brand: string;
}

/**
 * A condition: the supplier of a line `p` is linked to the brand. It reads by a key: no plan scans
 * the links.
 */
function isLinked({ tenantId, brand }: Linked): Sql {
  return sql`
    (
      select s.brand
      from suppliers s
      where s.tenant_id = ${tenantId} and s.name = p.supplier_name
    ) = ${brand}`;
}

/** Lines `p` that say of a lot of the tenant without a supplier's lot code that it came in. */
const WITHOUT_CODE = sql`p.supplier_lot_code is null and p.is_leaf = 1`;

/** The order of an index, so that the query reads only that, even if few codes are stored. */
const IN_ORDER = sql`order by p.lot_no, p.height, p.line_no`;

/**
 * Finds the lots among 1 to IN_LIST_MAX, of any brand, under whose code something came in from
 * suppliers that are linked to the brand; unordered.
 */
export async function codesReceived(
  database: DatabaseReader,
  asked: Linked & { readonly lotNos: readonly number[] },
): Promise<readonly string[]> {
  const { tenantNo, lotNos } = asked;
  const rows = await database.all<{ readonly code: string }>(sql`
    select l.lot_code as code
    from lots l
    where l.lot_no in (${inList(lotNos)})
      and coalesce(
        (
          select p.lot_no
          from provenances p
          where p.tenant_no = ${tenantNo} and p.supplier_lot_code = l.lot_code and ${isLinked(asked)}
          ${IN_ORDER}
          limit 1
        ),
        (
          select p.lot_no
          from provenances p
          where p.lot_no = (
              select o.lot_no
              from lots o
              where o.tenant_no = ${tenantNo} and o.lot_code = l.lot_code
            )
            and ${WITHOUT_CODE} and ${isLinked(asked)}
          ${IN_ORDER}
          limit 1
        )
      ) is not null`);
  return rows.map(({ code }) => code);
}

/** A lot of the tenant that came in from a linked supplier under a code. */
export interface ReceivedRow {
  /** The supplier's. */
  readonly code: string;
  /** The field of the line that has the code. */
  readonly codeField: 'supplier_lot_code' | 'lot_code';
  readonly supplierName: string;
  /** The number of the tenant's lot. */
  readonly lotNo: number;
}

/** Codes that are requested in one query: each is two parts of a compound. */
export const CODES_PER_COMPOUND = 32;
/** No lot has this code; it fills a compound up to a length that is often used. */
const NO_CODE = '';

/**
 * Finds the lots that came in under 1 to CODES_PER_COMPOUND codes from suppliers that are linked to
 * the brand, unordered: each lot once for each name, the first `limit` of each code and field.
 */
export async function receivedUnderCodes(
  database: DatabaseReader,
  asked: Linked & { readonly codes: readonly string[]; readonly limit: number },
): Promise<readonly ReceivedRow[]> {
  const { tenantNo, codes, limit } = asked;
  const length = 2 ** Math.ceil(Math.log2(codes.length));
  const padding = new Array<string>(length - codes.length).fill(NO_CODE);
  const parts = [...codes, ...padding].flatMap((code): readonly Sql[] => [
    sql`
      select code, "codeField", "supplierName", "lotNo" from (
        select distinct p.supplier_lot_code as code, 'supplier_lot_code' as "codeField",
          p.supplier_name as "supplierName", p.lot_no as "lotNo"
        from provenances p
        where p.tenant_no = ${tenantNo} and p.supplier_lot_code = ${code} and ${isLinked(asked)}
        order by p.lot_no, p.supplier_name
        limit ${limit}
      ) as named`,
    sql`
      select code, "codeField", "supplierName", "lotNo" from (
        select distinct l.lot_code as code, 'lot_code' as "codeField",
          p.supplier_name as "supplierName", p.lot_no as "lotNo"
        from lots l
        join provenances p on p.lot_no = l.lot_no
        where l.tenant_no = ${tenantNo} and l.lot_code = ${code}
          and ${WITHOUT_CODE} and ${isLinked(asked)}
        order by p.lot_no, p.supplier_name
        limit ${limit}
      ) as unnamed`,
  ]);
  return await database.all<ReceivedRow>(join(parts, ' union all '));
}

/** An open case of the tenant, and the lot at which it begins. */
export interface OwnCaseRow {
  readonly caseNo: string;
  readonly seedLotCode: string;
  /** Null: a supplier's lot. */
  readonly seedLotNo: number | null;
  /** Null: any supplier's. */
  readonly seedSupplierName: string | null;
}

/** The newest open cases of a tenant, newest first. */
export async function newestOwnCases(
  database: DatabaseReader,
  page: { readonly tenantNo: number; readonly limit: number },
): Promise<readonly OwnCaseRow[]> {
  return await database.all<OwnCaseRow>(sql`
    select case_no as "caseNo", seed_lot_code as "seedLotCode", seed_lot_no as "seedLotNo",
      seed_supplier_name as "seedSupplierName"
    from recall_cases
    where tenant_no = ${page.tenantNo} and ended_at is null
    order by -case_id
    limit ${page.limit}`);
}
