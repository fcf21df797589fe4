// Recall cases as the tenant sees them: records, the list, the lots of a case.
import { askTogether, type DatabaseReader } from '@lothub/kit/database';
import { cutPage } from '@lothub/kit/rows/cut-page';
import { parseCaseId } from '../../ledger/record/case-no.ts';
import { readWording } from '../../ledger/record/decisions/wording.ts';
import { findLot } from '../../lots/queries.ts';
import { toLotState } from '../../lots/state.ts';
import { SEED_LOT_TYPES } from '../../terms.ts';
import { countCases, countScope, lotsOfCase, newestCases } from '../case/rows.ts';
import type { CaseFilter, CaseLotRow, RecallCase } from '../case/rows.ts';
import type { CaseList, CaseLots, CaseRecord, MovedCase } from '../case/schema.ts';
import { nextStatuses } from '../case/status.ts';
import { readTimeline, type TimelineStep } from '../case/timeline.ts';

/** Cases that a list counts; of more it says that there are more. */
const COUNTED_MAX = 10_000;

export function toCaseRecord(row: RecallCase): CaseRecord {
  return {
    case_no: row.caseNo,
    seed_lot_code: row.seedLotCode,
    seed_type: SEED_LOT_TYPES[row.seedLotNo === null ? 'supplier' : 'own'],
    seed_supplier_name: row.seedSupplierName,
    title: row.title,
    reason: row.reason,
    ...wordingAnswer(row),
    severity: row.severity,
    direction: row.direction,
    auto_hold: row.autoHold === 1,
    confidential: row.confidential === 1,
    status: row.status,
    next_statuses: [...nextStatuses(row.status)],
    opened_by: row.openedBy,
    opened_at: row.openedAt,
    opened_chain: { height: row.openedHeight, tip_hash: row.openedHash },
    updated_at: row.updatedAt,
    notified_at: row.notifiedAt,
    ended_at: row.endedAt,
  };
}

/**
 * The language and the translations of the case itself; public notices add the language of the
 * brand.
 */
function wordingAnswer({ wording }: RecallCase): Pick<CaseRecord, 'language' | 'translations'> {
  const { language, translations } = readWording(wording);
  return {
    ...(language === undefined ? {} : { language }),
    ...(translations === undefined ? {} : { translations: { ...translations } }),
  };
}

export async function withTimeline(
  database: DatabaseReader,
  recallCase: RecallCase,
): Promise<MovedCase> {
  const { steps, edits } = await readTimeline(database, recallCase.caseId);
  return { ...toCaseRecord(recallCase), timeline: steps.map(timelineAnswer), edits_total: edits };
}

function timelineAnswer({ edited, ...step }: TimelineStep): MovedCase['timeline'][number] {
  return {
    from_status: step.from,
    status: step.to,
    at: step.at,
    by: step.by,
    note: step.note,
    block_height: step.blockHeight,
    block_hash: step.blockHash,
    ...(edited === undefined
      ? {}
      : {
          edited: {
            changes: [...edited.changes],
            lots_added: edited.lotsAdded,
            lots_excluded: edited.lotsExcluded,
            lots_restored: edited.lotsRestored,
            scope_reason: edited.scopeReason,
          },
        }),
  };
}

/** Newest first. */
export async function listCases(
  database: DatabaseReader,
  asked: CaseFilter & {
    readonly tenantId: string;
    readonly before: string | undefined;
    readonly offset: number;
    readonly limit: number;
  },
): Promise<CaseList> {
  const { before, offset, limit } = asked;
  const below = before === undefined ? Number.MAX_SAFE_INTEGER : parseCaseId(before);
  const [rows, count] = await askTogether(database, (one) =>
    Promise.all([
      newestCases(one, { ...asked, below, limit: limit + 1 }),
      countCases(one, { ...asked, limit: COUNTED_MAX + 1 }),
    ]),
  );
  const { rows: shown, last } = cutPage(rows, limit);
  return {
    cases: shown.map(toCaseRecord),
    total: Math.min(count, COUNTED_MAX),
    ...(count > COUNTED_MAX ? { total_is_exact: false as const } : {}),
    limit,
    offset,
    next: last?.caseNo ?? null,
  };
}

/** A page of the lots that a case covers or covered, as they were first recorded. */
export async function pageOfCaseLots(
  database: DatabaseReader,
  asked: {
    readonly tenantId: string;
    readonly recallCase: RecallCase;
    readonly which: 'covered' | 'left' | 'all';
    /** A lot code of the page before. */
    readonly after: string | undefined;
    readonly limit: number;
  },
): Promise<CaseLots> {
  const { tenantId, recallCase, which, after, limit } = asked;
  const { caseId, caseNo } = recallCase;
  const behind =
    after === undefined ? undefined : await findLot(database, { tenantId, lotCode: after });
  const [rows, counts] = await askTogether(database, (one) =>
    Promise.all([
      lotsOfCase(one, { caseId, which, above: behind?.lotNo ?? 0, limit: limit + 1 }),
      countScope(one, { caseId, caseNo }),
    ]),
  );
  const { rows: shown, last } = cutPage(rows, limit);
  return {
    case_no: caseNo,
    lots: shown.map(caseLot),
    covered: counts.covered,
    left: counts.left,
    next: last?.lotCode ?? null,
  };
}

export function caseLot(row: CaseLotRow): CaseLots['lots'][number] {
  const { status, holdStatus } = toLotState(row);
  return {
    lot_code: row.lotCode,
    product_sku: row.productSku,
    relation: row.relation,
    distance: row.distance,
    in_snapshot: row.inSnapshot === 1,
    entered_at: row.enteredAt,
    left_at: row.leftAt,
    status,
    hold_status: holdStatus,
  };
}
