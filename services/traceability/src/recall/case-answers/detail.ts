// Makes a case with its impact: the snapshot of the opening and the present one. The impact of a
// case that has ended is that of the lots that it covered at its end.
import type { DatabaseReader } from '@lothub/kit/database';
import { pagesInTurns } from '@lothub/kit/in-turns';
import { present } from '@lothub/kit/present';
import type { LedgerReader } from '../../ledger/read.ts';
import type { RelatedLot } from '../../lots/genealogy/links.ts';
import { readLotCodes } from '../../lots/queries.ts';
import { withTimeline } from './answers.ts';
import type { CaseDetail, OpenedCaseAnswer } from './detail-schema.ts';
import { countScope, scopeRows, type RecallCase, type ScopeRow } from '../case/rows.ts';
import {
  affectedCustomer,
  affectedLot,
  affectedShipment,
  affectedSupplier,
} from '../trace/impact-answer.ts';
import { traceImpact, type Impact, type Scope } from '../trace/impact.ts';
import { summarizeImpact, type ImpactSummary } from '../trace/impact-summary.ts';
import { countByHand, namedLotsByHand, type ByHand } from '../edit/queries.ts';
import { readEffectiveness } from '../outbox/effectiveness.ts';
import { pageOfNotifications } from '../outbox/notifications.ts';
import { Reach } from '../trace/reach.ts';
import type { OpenedCase } from '../case/open-case.ts';
import { findScopeOfCase } from '../trace/scope.ts';

/** Entries of each list of an impact that the detail of a case shows. */
export const SHOWN_MAX = 1_000;
/** Notifications shown; the rest is read at `/notifications` of the case. */
const NOTIFICATIONS_MAX = 50;
/** Lot codes shown of the lots added and of the lots removed. */
const CHANGED_MAX = 100;
/** Rows of a scope read in one query: about a millisecond. */
const ROWS_PER_PAGE = 1_000;

export async function readDetail(
  reader: LedgerReader,
  recallCase: RecallCase,
): Promise<CaseDetail> {
  const rows = await readScopeRows(reader.database, recallCase.caseId);
  const scope = await scopeOfCase(reader.database, recallCase, rows);
  const reach = new Reach(scope.lots.map(({ lotNo }) => lotNo));
  const { tenantNo } = recallCase;
  const impact = await traceImpact(reader, { tenantNo, lots: scope.lots, reach });
  return await detailWith(reader, { recallCase, rows, scope, impact, reach });
}

/** The details of a case that was opened just now: the opening has already found its impact. */
export async function detailOfOpened(
  reader: LedgerReader,
  opened: OpenedCase,
): Promise<OpenedCaseAnswer> {
  const { recallCase, alreadyOpen, scope, reach } = opened;
  const rows = await readScopeRows(reader.database, recallCase.caseId);
  const isHeld = recallCase.autoHold === 1;
  const lots = opened.impact.lots.map((lot) =>
    isHeld ? { ...lot, holdStatus: 'on_hold' as const } : lot,
  );
  const impact = { ...opened.impact, lots };
  const detail = await detailWith(reader, { recallCase, rows, scope, impact, reach });
  if (alreadyOpen.length === 0) return detail;
  const message = `Other cases on this lot are open: ${alreadyOpen.join(', ')}`;
  return { ...detail, warnings: [{ code: 'case_already_open', message }] };
}

/**
 * Returns the lots that the case covers; they are searched again while the case is open.
 * @param rows of `readScopeRows`
 */
export async function scopeOfCase(
  database: DatabaseReader,
  recallCase: RecallCase,
  rows: readonly ScopeRow[],
): Promise<Scope> {
  if (recallCase.endedAt !== null) return scopeAtEnd(rows);
  return await findScopeOfCase(database, recallCase);
}

function scopeAtEnd(rows: readonly ScopeRow[]): Scope {
  const lots = rows
    .filter((row) => row.leftAt === null)
    .map(({ lotNo, relation, distance, bothWays }): RelatedLot => {
      return { lotNo, relation, distance, bothWays: bothWays === 1 };
    })
    .sort((a, b) => a.distance - b.distance);
  return { lots, truncated: false };
}

/** Lots that the case covers or covered, by their numbers. */
export async function readScopeRows(
  database: DatabaseReader,
  caseId: number,
): Promise<readonly ScopeRow[]> {
  const pages = pagesInTurns({
    start: { lotNo: 0 },
    limit: ROWS_PER_PAGE,
    read: ({ lotNo: above }, limit) => scopeRows(database, { caseId, above, limit }),
  });
  return (await Array.fromAsync(pages)).flat();
}

async function detailWith(
  reader: LedgerReader,
  found: {
    readonly recallCase: RecallCase;
    readonly rows: readonly ScopeRow[];
    readonly scope: Scope;
    readonly impact: Impact;
    readonly reach: Reach;
  },
): Promise<CaseDetail> {
  const { database } = reader;
  const { recallCase, rows, scope, impact, reach } = found;
  const { caseId } = recallCase;
  const inSnapshot = new Set(rows.filter((row) => row.inSnapshot === 1).map((row) => row.lotNo));
  const covered = new Set(scope.lots.map((lot) => lot.lotNo));
  const added = [...covered].filter((lotNo) => !inSnapshot.has(lotNo));
  const left = rows.map((row) => row.lotNo).filter((lotNo) => !covered.has(lotNo));
  const counts = await countScope(database, recallCase);
  const now = summarizeImpact(impact);
  const outbox = await pageOfNotifications(reader, {
    recallCase,
    audience: undefined,
    status: undefined,
    after: undefined,
    limit: NOTIFICATIONS_MAX,
    reach,
  });
  const lists = [impact.lots, impact.products, impact.shipments, impact.customers];
  return {
    ...(await withTimeline(database, recallCase)),
    holds: { on_hold: counts.held, released: counts.covered - counts.held },
    impact: {
      at_opening: summaryAnswer(parseSnapshot(recallCase)),
      now: summaryAnswer({ ...now, truncated: now.truncated || scope.truncated }),
      affected_lots: impact.lots.slice(0, SHOWN_MAX).map(affectedLot),
      affected_products: impact.products.slice(0, SHOWN_MAX),
      shipments: impact.shipments.slice(0, SHOWN_MAX).map(affectedShipment),
      customers: impact.customers.slice(0, SHOWN_MAX).map(affectedCustomer),
      channels: [...impact.channels],
      suppliers: impact.suppliers.slice(0, SHOWN_MAX).map(affectedSupplier),
      event_count: impact.eventCount,
      added_since_open: await readCodes(database, added),
      left_impact: await readCodes(database, left),
      added_by_hand: await readByHand(database, caseId, 'added'),
      excluded_by_hand: await readByHand(database, caseId, 'excluded'),
      truncated:
        impact.truncated ||
        scope.truncated ||
        [...lists, impact.suppliers].some((list) => list.length > SHOWN_MAX),
    },
    notifications: [...outbox.notifications],
    notifications_next: outbox.next,
    effectiveness: await readEffectiveness(database, { caseId, reach }),
  };
}

async function readCodes(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<{ total: number; lot_codes: string[] }> {
  const shown = lotNos.slice(0, CHANGED_MAX);
  const codes = await readLotCodes(database, shown);
  const getCode = (lotNo: number): string => present(codes.get(lotNo), 'the code of a lot');
  return { total: lotNos.length, lot_codes: shown.map(getCode) };
}

async function readByHand(
  database: DatabaseReader,
  caseId: number,
  said: ByHand,
): Promise<{ total: number; lot_codes: string[] }> {
  const lots = await namedLotsByHand(database, { caseId, said, above: 0, limit: CHANGED_MAX });
  const total =
    lots.length < CHANGED_MAX ? lots.length : (await countByHand(database, caseId))[said];
  return { total, lot_codes: lots.map(({ lotCode }) => lotCode) };
}

/** Parses the snapshot, which only the opening writes. */
export function parseSnapshot(recallCase: RecallCase): ImpactSummary {
  return JSON.parse(recallCase.snapshot) as ImpactSummary;
}

function summaryAnswer(summary: ImpactSummary): CaseDetail['impact']['now'] {
  return {
    ...summary,
    products: [...summary.products],
    channels: [...summary.channels],
    quantities: summary.quantities.map(({ product_sku, unit, ...sums }) => ({
      product_sku,
      unit,
      remaining: Number(sums.remaining),
      shipped: Number(sums.shipped),
      sold: Number(sums.sold),
      disposed: Number(sums.disposed),
    })),
  };
}
