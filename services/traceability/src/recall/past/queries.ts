// Queries of the state at an earlier block. Each reads through an index and has a limit.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';

export interface CorrectionPlace {
  readonly height: number;
  readonly correctsHeight: number;
}

/** The corrections of a tenant above a height, in the order of their blocks. */
export async function correctionsAbove(
  database: DatabaseReader,
  page: { readonly tenantNo: number; readonly above: number; readonly limit: number },
): Promise<readonly CorrectionPlace[]> {
  return await database.all<CorrectionPlace>(sql`
    select height, corrects_height as "correctsHeight"
    from corrections
    where tenant_no = ${page.tenantNo} and height > ${page.above}
    order by height
    limit ${page.limit}`);
}

/** The lots of a tenant that have one of 1 to IN_LIST_MAX codes. */
export async function lotsOfCodes(
  database: DatabaseReader,
  query: { readonly tenantNo: number; readonly lotCodes: readonly string[] },
): Promise<readonly { readonly lotNo: number; readonly lotCode: string }[]> {
  return await database.all<{ readonly lotNo: number; readonly lotCode: string }>(sql`
    select lot_no as "lotNo", lot_code as "lotCode"
    from lots
    where tenant_no = ${query.tenantNo} and lot_code in (${inList(query.lotCodes)})`);
}

export interface PastLotRow {
  readonly lotNo: number;
  readonly lotCode: string;
  /** The SKU it was first named with. */
  readonly firstSku: string;
  /** Whether it was on hold at the moment. */
  readonly onHold: 0 | 1;
}

/** 1 to IN_LIST_MAX lots, with how they were held at a moment, in any order. */
export async function lotsAtMoment(
  database: DatabaseReader,
  query: {
    readonly lotNos: readonly number[];
    /** `2026-03-02T06:15:00.000Z` */
    readonly moment: string;
  },
): Promise<readonly PastLotRow[]> {
  return await database.all<PastLotRow>(sql`
    select lot_no as "lotNo", lot_code as "lotCode", first_sku as "firstSku",
      case
        when exists (
          select 1
          from lot_holds h
          where h.lot_no = lots.lot_no and h.held_since <= ${query.moment}
            and (h.released_at is null or h.released_at > ${query.moment})
        ) then 1
        else 0
      end as "onHold"
    from lots
    where lot_no in (${inList(query.lotNos)})`);
}
