// Queries on the brands that claim a GTIN, and on lots of theirs.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import { selectBrandName, type BrandNameRow } from '../lots/profiles/brand-texts.ts';
import sql, { empty } from 'sql-template-tag';

export interface ClaimRow extends BrandNameRow {
  readonly sku: string;
  /** Canonical JSON: a text for each language. */
  readonly names: string;
  /** SHA-256 of the picture. */
  readonly picture: string | null;
}

/** Products whose brands claim one of these GTINs, by brand and SKU. @param gtins 1 to IN_LIST_MAX */
export async function claimsOfGtin(
  database: DatabaseReader,
  page: {
    readonly gtins: readonly string[];
    /** Only of this brand. */
    readonly tenantId: string | undefined;
    readonly limit: number;
  },
): Promise<readonly ClaimRow[]> {
  const ofBrand = page.tenantId === undefined ? empty : sql`and p.tenant_id = ${page.tenantId}`;
  return await database.all<ClaimRow>(sql`
    select p.tenant_id as "tenantId", ${selectBrandName('p')}, p.sku, p.names, p.picture
    from products p
    left join brands b on b.tenant_id = p.tenant_id
    where p.gtin in (${inList(page.gtins)}) ${ofBrand}
    order by p.tenant_id, p.sku
    limit ${page.limit}`);
}

export interface ClaimedLotRow {
  readonly lotNo: number;
  readonly tenantId: string;
  readonly productSku: string;
  /** 1: the lot was recorded with a product whose brand claims the GTIN. */
  readonly isOfGtin: 0 | 1;
}

/** The lots of this code of brands that claim one of these GTINs, by brand. @param gtins 1 to IN_LIST_MAX */
export async function lotsOfClaimants(
  database: DatabaseReader,
  page: {
    readonly gtins: readonly string[];
    readonly lotCode: string;
    readonly tenantId: string | undefined;
    readonly limit: number;
  },
): Promise<readonly ClaimedLotRow[]> {
  const { gtins, lotCode, tenantId, limit } = page;
  const ofBrand = tenantId === undefined ? empty : sql`and t.tenant_id = ${tenantId}`;
  return await database.all<ClaimedLotRow>(sql`
    select l.lot_no as "lotNo", t.tenant_id as "tenantId", l.product_sku as "productSku",
      case
        when exists (
          select 1
          from products p
          where p.tenant_id = t.tenant_id and p.gtin in (${inList(gtins)})
            and (
              p.sku = l.product_sku
              or exists (
                select 1
                from lot_quantities q
                where q.lot_no = l.lot_no and q.product_sku = p.sku
              )
            )
        ) then 1 else 0
      end as "isOfGtin"
    from lots l
    join tenants t on t.tenant_no = l.tenant_no
    where l.lot_code = ${lotCode} ${ofBrand}
      and exists (
        select 1
        from products p
        where p.tenant_id = t.tenant_id and p.gtin in (${inList(gtins)})
      )
    order by t.tenant_id
    limit ${limit}`);
}
