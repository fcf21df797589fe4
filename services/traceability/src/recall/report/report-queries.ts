// Queries of the report of a case, besides those of the case and its impact. Each reads through an index
// and has a limit, or stays within one case.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { LotPlace } from '../../lots/queries.ts';

export interface BrandRow {
  readonly name: string | null;
  readonly website: string | null;
  readonly recallContact: string | null;
}

/** Finds what consumers see of the tenant; undefined before it has published anything. */
export async function findReportBrand(
  database: DatabaseReader,
  tenantId: string,
): Promise<BrandRow | undefined> {
  return await database.first<BrandRow>(sql`
    select name, website, recall_contact as "recallContact"
    from brands
    where tenant_id = ${tenantId}`);
}

export interface ScopeChangeRow {
  readonly at: string;
  readonly height: number;
  readonly entered: number;
  readonly left: number;
}

/** When lots entered a case after its opening, and when lots left it, oldest first. */
export async function scopeChanges(
  database: DatabaseReader,
  page: { readonly caseId: number; readonly openedAt: string; readonly limit: number },
): Promise<readonly ScopeChangeRow[]> {
  return await database.all<ScopeChangeRow>(sql`
    select at, max(height) as height, count(entered) as entered, count(gone) as "left"
    from (
      select entered_at as at, entered_height as height, 1 as entered, null as gone
      from recall_lots
      where case_id = ${page.caseId} and entered_at > ${page.openedAt}
      union all
      select left_at, left_height, null, 1
      from recall_lots
      where case_id = ${page.caseId} and left_at is not null
    ) as changes
    group by at
    order by at
    limit ${page.limit}`);
}

/**
 * Reads blocks that concern 1 to IN_LIST_MAX lots although their lines do not name them, by lot and
 * height.
 */
export async function mentionsOfLots(
  database: DatabaseReader,
  page: { readonly lotNos: readonly number[]; readonly after: LotPlace; readonly limit: number },
): Promise<readonly LotPlace[]> {
  return await database.all<LotPlace>(sql`
    select lot_no as "lotNo", height
    from lot_mentions
    where lot_no in (${inList(page.lotNos)})
      and (lot_no, height) > (${page.after.lotNo}, ${page.after.height})
    order by lot_no, height
    limit ${page.limit}`);
}

export interface CorrectionPlace {
  readonly height: number;
  readonly correctsHeight: number;
}

/** Finds the corrections among 1 to IN_LIST_MAX blocks, with the blocks that they correct. */
export async function correctionsAmong(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly CorrectionPlace[]> {
  return await database.all<CorrectionPlace>(sql`
    select height, corrects_height as "correctsHeight"
    from corrections
    where height in (${inList(heights)})
    order by height`);
}
