// Reads and writes the stored rows of recall cases: the record, its moves and the lots that it
// covers. Each query reads through an index and has a limit, or stays within one case.
import { camelList, type CamelRowOf } from '@lothub/kit/rows/camel-rows';
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import sql, { empty, join, type Sql } from 'sql-template-tag';
import { ERASING } from '../../ledger/audit.ts';
import { RECALL_CASES } from '../../ledger/tables/recall.ts';
import { LOT_STATE, type LotStateRow } from '../../lots/state.ts';
import type { CaseStatus, RecallDirection, Relation, Severity } from '../../terms.ts';

export type RecallCase = Omit<
  CamelRowOf<typeof RECALL_CASES>,
  'severity' | 'direction' | 'status'
> & {
  readonly severity: Severity;
  readonly direction: RecallDirection;
  readonly status: CaseStatus;
};

export const CASE_ROW = camelList(RECALL_CASES, 'c');

/** The tenant's case of this number; another tenant's is as one that does not exist. */
export async function findCase(
  database: Pick<DatabaseReader, 'first'>,
  asked: { readonly tenantId: string; readonly caseNo: string },
): Promise<RecallCase | undefined> {
  return await database.first<RecallCase>(sql`
    select ${CASE_ROW}
    from recall_cases c
    join tenants t on t.tenant_no = c.tenant_no
    where c.case_no = ${asked.caseNo} and t.tenant_id = ${asked.tenantId}`);
}

/** The filters of a list of cases; an absent field filters nothing. */
export interface CaseFilter {
  readonly status: CaseStatus | undefined;
  readonly severity: Severity | undefined;
  readonly isOpen: boolean | undefined;
  readonly seedLotCode: string | undefined;
}

interface CasesOfTenant extends CaseFilter {
  readonly tenantId: string;
  readonly limit: number;
}

/** Reads the cases of a tenant that pass a filter, newest first. */
export async function newestCases(
  database: DatabaseReader,
  page: CasesOfTenant & {
    /** Only cases with smaller numbers. */
    readonly below: number;
    readonly offset: number;
  },
): Promise<readonly RecallCase[]> {
  return await database.all<RecallCase>(sql`
    select ${CASE_ROW}
    from recall_cases c
    where ${matching(page)} and c.case_id < ${page.below}
    order by c.case_id desc
    limit ${page.limit} offset ${page.offset}`);
}

/** Counts the cases of a tenant that pass a filter, up to `limit`. */
export async function countCases(database: DatabaseReader, page: CasesOfTenant): Promise<number> {
  const row = await database.first<{ readonly cases: number }>(sql`
    select count(*) as cases
    from (
      select c.case_id
      from recall_cases c
      where ${matching(page)}
      limit ${page.limit}
    ) as counted`);
  return present(row, 'the row of a count').cases;
}

function matching(page: CasesOfTenant): Sql {
  const { status, severity, isOpen, seedLotCode } = page;
  const conditions = [
    sql`c.tenant_no = (select tenant_no from tenants where tenant_id = ${page.tenantId})`,
    status === undefined ? empty : sql`c.status = ${status}`,
    severity === undefined ? empty : sql`c.severity = ${severity}`,
    isOpen === undefined ? empty : isOpen ? sql`c.ended_at is null` : sql`c.ended_at is not null`,
    seedLotCode === undefined ? empty : sql`c.seed_lot_code = ${seedLotCode}`,
  ];
  return join(
    conditions.filter((condition) => condition !== empty),
    ' and ',
  );
}

/** The number of the newest case of all; 0 before the first. */
export async function lastCaseId(database: DatabaseReader): Promise<number> {
  const row = await database.first<{ readonly caseId: number }>(sql`
    select case_id as "caseId" from recall_cases order by case_id desc limit 1`);
  return row?.caseId ?? 0;
}

/** Numbers of a tenant's open cases on a seed, newest first. */
export async function openCasesOnSeed(
  database: DatabaseReader,
  page: { readonly tenantNo: number; readonly seedLotCode: string; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await database.all<{ readonly caseNo: string }>(sql`
    select case_no as "caseNo"
    from recall_cases
    where tenant_no = ${page.tenantNo} and seed_lot_code = ${page.seedLotCode}
      and ended_at is null
    order by case_id desc
    limit ${page.limit}`);
  return rows.map((row) => row.caseNo);
}

/** The newest audit entry about an erasure of the tenant; 0 before the first. */
export async function lastErasure(database: DatabaseReader, tenantId: string): Promise<number> {
  const row = await database.first<{ readonly id: number }>(sql`
    select id
    from audit_entries
    where tenant_id = ${tenantId} and action = ${ERASING}
    order by -id
    limit 1`);
  return row?.id ?? 0;
}

export interface MoveRow {
  readonly fromStatus: CaseStatus | null;
  readonly toStatus: CaseStatus;
  readonly movedAt: string;
  /** Private, like the note. */
  readonly movedBy: string | null;
  readonly note: string | null;
  /** Null, like its hash: made before steps were sealed, and not sealed yet. */
  readonly blockHeight: number | null;
  readonly blockHash: string | null;
}

/** The opening of a case and its moves, in their order; no case makes more than five. */
export async function movesOfCase(
  database: Pick<DatabaseReader, 'all'>,
  caseId: number,
): Promise<readonly MoveRow[]> {
  return await database.all<MoveRow>(sql`
    select m.from_status as "fromStatus", m.to_status as "toStatus", m.moved_at as "movedAt",
      m.moved_by as "movedBy", m.note, m.block_height as "blockHeight", b.hash as "blockHash"
    from recall_moves m
    left join blocks b on b.height = m.block_height
    where m.case_id = ${caseId}
    order by m.move_no`);
}

export interface ScopeRow {
  readonly lotNo: number;
  readonly relation: Relation;
  readonly distance: number;
  readonly bothWays: 0 | 1;
  readonly inSnapshot: 0 | 1;
  readonly enteredAt: string;
  readonly leftAt: string | null;
}

const SCOPE_ROW = sql`
  r.lot_no as "lotNo", r.relation, r.distance, r.both_ways as "bothWays",
  r.in_snapshot as "inSnapshot", r.entered_at as "enteredAt", r.left_at as "leftAt"`;

/** Lots that a case covers or covered once, by their numbers. */
export async function scopeRows(
  database: DatabaseReader,
  page: { readonly caseId: number; readonly above: number; readonly limit: number },
): Promise<readonly ScopeRow[]> {
  return await database.all<ScopeRow>(sql`
    select ${SCOPE_ROW}
    from recall_lots r
    where r.case_id = ${page.caseId} and r.lot_no > ${page.above}
    order by r.lot_no
    limit ${page.limit}`);
}

export interface CaseLotRow extends ScopeRow, LotStateRow {
  readonly lotCode: string;
  readonly productSku: string;
}

/**
 * Does the same as `scopeRows` and adds the present state of each lot, for the lots that are
 * covered, those that left, or both.
 */
export async function lotsOfCase(
  database: DatabaseReader,
  page: {
    readonly caseId: number;
    readonly which: 'covered' | 'left' | 'all';
    readonly above: number;
    readonly limit: number;
  },
): Promise<readonly CaseLotRow[]> {
  return await database.all<CaseLotRow>(sql`
    select ${SCOPE_ROW}, l.lot_code as "lotCode", l.product_sku as "productSku", ${LOT_STATE}
    from (
      select r.lot_no, r.relation, r.distance, r.both_ways, r.in_snapshot, r.entered_at, r.left_at
      from recall_lots r
      where r.case_id = ${page.caseId} and r.lot_no > ${page.above} ${standing(page.which)}
      order by r.lot_no
      limit ${page.limit}
    ) as r
    join lots l on l.lot_no = r.lot_no
    order by r.lot_no`);
}

function standing(which: 'covered' | 'left' | 'all'): Sql {
  if (which === 'all') return empty;
  return which === 'covered' ? sql`and r.left_at is null` : sql`and r.left_at is not null`;
}

export interface ScopeCounts {
  readonly covered: number;
  readonly left: number;
  /** Number of covered lots that were not in the snapshot of the opening. */
  readonly added: number;
  /** Number of covered lots that this case holds now. */
  readonly held: number;
}

/** Counts the lots that a case covers, that it no longer covers, and that it holds. */
export async function countScope(
  database: DatabaseReader,
  recallCase: { readonly caseId: number; readonly caseNo: string },
): Promise<ScopeCounts> {
  // Holds are looked up lot by lot. As a join, PostgreSQL compared each lot with each hold of the
  // case, because its statistics had neither yet: 2.9 s for 10,000 lots that had just been held.
  const row = await database.first<ScopeCounts>(sql`
    select
      count(case when r.left_at is null then 1 end) as covered,
      count(r.left_at) as "left",
      count(case when r.left_at is null and r.in_snapshot = 0 then 1 end) as added,
      count(
        case
          when r.left_at is null and exists (
            select 1
            from lot_holds h
            where h.lot_no = r.lot_no and h.source = ${recallCase.caseNo} and h.released_at is null
          )
          then 1
        end
      ) as held
    from recall_lots r
    where r.case_id = ${recallCase.caseId}`);
  return row ?? { covered: 0, left: 0, added: 0, held: 0 };
}
