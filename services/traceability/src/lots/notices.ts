// Recall notices: what the public hears of an open case. From its opening until it has ended, the notice
// stands in the list of all and at every lot that the case covers (service page, section 7). Never who
// opened it, and never a customer.
import { setImmediate } from 'node:timers/promises';
import { askForEach, askTogether } from '@lothub/kit/database';
import type { DatabaseReader } from '@lothub/kit/database';
import { slicesOf } from '@lothub/kit/in-list';
import { adviceOf } from './notice-advice.ts';
import {
  CASES_PER_COMPOUND,
  findOpenCase,
  firstLotsOfCases,
  newestOpenCases,
  openCaseCounts,
  openCasesOfLot,
  skusOfCase,
} from './notice-queries.ts';
import type { OpenCaseRow } from './notice-queries.ts';
import type { Notice, NoticeDetail } from './notice-schema.ts';
import { findLot } from './queries.ts';

/** Lot codes that a notice in a list names; the notice itself pages through all. */
export const NOTICE_LOTS_MAX = 100;
/** Notices shown at one lot; each is an open case that covers it. */
export const LOT_NOTICES_MAX = 50;

export interface NoticeDeps {
  readonly database: DatabaseReader;
  /** Without a slash at the end. */
  readonly publicUrl: string;
}

export interface NoticePage {
  readonly notices: readonly Notice[];
  readonly next: string | null;
}

/** Open notices of all brands or of one, newest first. */
export async function pageOfNotices(
  deps: NoticeDeps,
  asked: {
    readonly brand: string | undefined;
    readonly lotCode: string | undefined;
    readonly before: string | undefined;
    readonly limit: number;
  },
): Promise<NoticePage> {
  const { brand, lotCode, before, limit } = asked;
  const rows = await newestOpenCases(deps.database, {
    tenantId: brand,
    lotCode,
    below: before === undefined ? Number.MAX_SAFE_INTEGER : caseIdOf(before),
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    notices: await noticesOf(deps, shown, undefined),
    next: rows.length > limit && last !== undefined ? last.caseNo : null,
  };
}

/** Open notices of a lot, newest first; in each of them the lot comes first among the lot codes. */
export async function noticesOfLot(
  deps: NoticeDeps,
  lot: { readonly lotNo: number; readonly lotCode: string },
): Promise<{ readonly notices: readonly Notice[]; readonly truncated: boolean }> {
  const rows = await openCasesOfLot(deps.database, {
    lotNo: lot.lotNo,
    limit: LOT_NOTICES_MAX + 1,
  });
  return {
    notices: await noticesOf(deps, rows.slice(0, LOT_NOTICES_MAX), lot.lotCode),
    truncated: rows.length > LOT_NOTICES_MAX,
  };
}

/** How many open notices each lot has; a lot without one is not in the map. */
export async function countNotices(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await askForEach(database, slicesOf(lotNos), openCaseCounts);
  return new Map(rows.flat().map(({ lotNo, cases }) => [lotNo, cases]));
}

/** The open notice of a case with a page of its lot codes; undefined when there is no such notice. */
export async function findNotice(
  deps: NoticeDeps,
  asked: {
    readonly caseNo: string;
    /** A lot code of the page before. */
    readonly after: string | undefined;
    readonly limit: number;
  },
): Promise<NoticeDetail | undefined> {
  const { database } = deps;
  const row = await findOpenCase(database, asked.caseNo);
  if (row === undefined) return undefined;
  const { caseId, tenantId } = row;
  const after =
    asked.after === undefined
      ? undefined
      : await findLot(database, { tenantId, lotCode: asked.after });
  const [skus, lots] = await askTogether(database, (one) =>
    Promise.all([
      skusOfCase(one, caseId),
      firstLotsOfCases(one, {
        caseIds: [caseId],
        above: after?.lotNo ?? 0,
        limit: asked.limit + 1,
      }),
    ]),
  );
  const codes = lots.slice(0, asked.limit).map((lot) => lot.lotCode);
  const notice = noticeOf(deps, row, { codes, skus, asked: undefined });
  const next = lots.length > asked.limit ? (codes.at(-1) ?? null) : null;
  return { ...notice, lot_codes: codes, next };
}

async function noticesOf(
  deps: NoticeDeps,
  rows: readonly OpenCaseRow[],
  asked: string | undefined,
): Promise<readonly Notice[]> {
  const notices: Notice[] = [];
  for (const slice of slicesOf(rows, CASES_PER_COMPOUND)) {
    if (notices.length > 0) await setImmediate();
    const caseIds = slice.map((row) => row.caseId);
    const [lots, skus] = await askTogether(deps.database, (one) =>
      Promise.all([
        firstLotsOfCases(one, { caseIds, above: 0, limit: NOTICE_LOTS_MAX }),
        Promise.all(caseIds.map((caseId) => skusOfCase(one, caseId))),
      ]),
    );
    const codesOf = Map.groupBy(lots, (lot) => lot.caseId);
    for (const [index, row] of slice.entries()) {
      const codes = (codesOf.get(row.caseId) ?? []).map((lot) => lot.lotCode);
      notices.push(noticeOf(deps, row, { codes, skus: skus[index] ?? [], asked }));
    }
  }
  return notices;
}

function noticeOf(
  { publicUrl }: NoticeDeps,
  row: OpenCaseRow,
  lots: {
    /** The first of the lots that the case covers. */
    readonly codes: readonly string[];
    readonly skus: readonly { readonly productSku: string; readonly lots: number }[];
    /** The lot that is looked at. */
    readonly asked: string | undefined;
  },
): Notice {
  const seed = row.seedLotNo === null ? undefined : row.seedLotCode;
  const leading = [lots.asked, seed].filter((code) => code !== undefined);
  const codes = [...new Set([...leading, ...lots.codes])].slice(0, NOTICE_LOTS_MAX);
  const verified = seed ?? codes[0];
  return {
    case_no: row.caseNo,
    title: row.title,
    reason: row.reason,
    severity: row.severity,
    status: row.status,
    brand: { id: row.tenantId, name: row.brandName },
    lot_code: row.seedLotCode,
    lot_codes: codes,
    lots_total: lots.skus.reduce((total, sku) => total + sku.lots, 0),
    product_skus: lots.skus.map((sku) => sku.productSku),
    opened_at: row.openedAt,
    updated_at: row.updatedAt,
    advice: adviceOf(row),
    verify_url:
      verified === undefined
        ? null
        : `${publicUrl}/public/verify/${encodeURIComponent(verified)}?brand=${row.tenantId}`,
  };
}

const CASE_DIGITS_MIN = 4;

/** @param caseNo as `CaseNoBefore` demands it */
export function caseIdOf(caseNo: string): number {
  return Number(caseNo.slice(caseNo.lastIndexOf('-') + 1));
}

export function caseNoOf(of: { readonly caseId: number; readonly year: number }): string {
  return `RC-${of.year}-${String(of.caseId).padStart(CASE_DIGITS_MIN, '0')}`;
}
