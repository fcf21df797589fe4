// Recall notices: the public part of an open case. From its opening until it has ended, the notice
// is in the list of all and at every lot that the case covers
// (docs/interface/traceability.md#notices). It never contains who opened the case, and never a
// customer.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { cutPage } from '@lothub/kit/rows/cut-page';
import { readProductProfiles } from '../profiles/read-profiles.ts';
import type { ProductProfile, ProductProfiles } from '../profiles/read-profiles.ts';
import { parseCaseId } from '../../ledger/record/case-no.ts';
import { toPublicBrand } from '../profiles/brand-texts.ts';
import { readWording } from '../../ledger/record/decisions/wording.ts';
import { chooseAdvice } from './advice.ts';
import { readHistory } from './history.ts';
import { CoveredLots, NOTICE_LOTS_MAX, type LotsOfCase } from './lots.ts';
import {
  findOpenCase,
  firstLotsOfCases,
  newestOpenCases,
  openCaseCounts,
  openCasesOfLot,
} from './queries.ts';
import type { OpenCaseRow, PublishedCaseRow } from './queries.ts';
import type { Notice, NoticeDetail } from './schema.ts';
import { findLot } from '../queries.ts';

/** Notices shown at one lot; each is an open case that covers it. */
export const LOT_NOTICES_MAX = 50;

export interface NoticeOptions {
  readonly database: DatabaseReader;
  /** The public address, without a slash at the end. */
  readonly publicUrl: string;
}

/** A notice as pages and feeds show it, also of a case that ended. */
export interface ShownNotice {
  readonly notice: Notice;
  readonly caseId: number;
  /** Null while the case is open. */
  readonly endedAt: string | null;
  /** The contact for consumers in a recall, as the brand says. */
  readonly recallContact: string | null;
  readonly website: string | null;
  /** Details for consumers about the products of `product_skus`. */
  readonly products: readonly ProductProfile[];
}

export interface NoticePage {
  readonly notices: readonly Notice[];
  readonly next: string | null;
}

export class Notices {
  readonly #database: DatabaseReader;
  readonly #publicUrl: string;
  readonly #covered: CoveredLots;

  constructor(options: NoticeOptions) {
    this.#database = options.database;
    this.#publicUrl = options.publicUrl;
    this.#covered = new CoveredLots(options.database);
  }

  /** Open notices of all brands or of one, newest first. */
  async page(asked: {
    readonly brand: string | undefined;
    readonly lotCode: string | undefined;
    readonly before: string | undefined;
    readonly limit: number;
  }): Promise<NoticePage> {
    const { brand, lotCode, before, limit } = asked;
    const rows = await newestOpenCases(this.#database, {
      tenantId: brand,
      lotCode,
      below: before === undefined ? Number.MAX_SAFE_INTEGER : parseCaseId(before),
      limit: limit + 1,
    });
    const { rows: shown, last } = cutPage(rows, limit);
    return { notices: await this.#readNotices(shown), next: last?.caseNo ?? null };
  }

  /** Open notices of a lot, newest first; in each of them the lot comes first among the lot codes. */
  async ofLot(lot: {
    readonly lotNo: number;
    readonly lotCode: string;
  }): Promise<{ readonly notices: readonly Notice[]; readonly truncated: boolean }> {
    const rows = await openCasesOfLot(this.#database, {
      lotNo: lot.lotNo,
      limit: LOT_NOTICES_MAX + 1,
    });
    return {
      notices: await this.#readNotices(rows.slice(0, LOT_NOTICES_MAX), () => lot.lotCode),
      truncated: rows.length > LOT_NOTICES_MAX,
    };
  }

  /**
   * Reads open notices of all brands that cover a lot of this code, or a supplier's lot with it;
   * newest first.
   */
  async ofCode(
    lotCode: string,
  ): Promise<{ readonly notices: readonly Notice[]; readonly truncated: boolean }> {
    const rows = await newestOpenCases(this.#database, {
      tenantId: undefined,
      lotCode,
      below: Number.MAX_SAFE_INTEGER,
      limit: LOT_NOTICES_MAX + 1,
    });
    return {
      notices: await this.#readNotices(rows.slice(0, LOT_NOTICES_MAX), (row) =>
        // A case may be about a supplier's lot with this code: then no lot of the brand needs to have the code.
        row.seedLotNo === null && row.seedLotCode === lotCode ? undefined : lotCode,
      ),
      truncated: rows.length > LOT_NOTICES_MAX,
    };
  }

  /** Counts the open notices of each lot; a lot without one is not in the map. */
  async count(lotNos: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const rows = await askForEach(this.#database, cutSlices(lotNos), openCaseCounts);
    return new Map(rows.flat().map(({ lotNo, cases }) => [lotNo, cases]));
  }

  /** The open notice of a case with a page of its lot codes; undefined when there is no such notice. */
  async find(asked: {
    readonly caseNo: string;
    /** A lot code of the page before. */
    readonly after: string | undefined;
    readonly limit: number;
  }): Promise<NoticeDetail | undefined> {
    const row = await findOpenCase(this.#database, asked.caseNo);
    if (row === undefined) return undefined;
    const [notice] = await this.#readNotices([row]);
    if (notice === undefined) return undefined;
    return { ...notice, ...(await this.lotsOfCase(row, asked)) };
  }

  /** A page of the lots that a case covers. */
  async lotsOfCase(
    { tenantId, caseId }: OpenCaseRow,
    page: { readonly after: string | undefined; readonly limit: number },
  ): Promise<Pick<NoticeDetail, 'lot_codes' | 'next'>> {
    const database = this.#database;
    const after =
      page.after === undefined
        ? undefined
        : await findLot(database, { tenantId, lotCode: page.after });
    const found = await firstLotsOfCases(database, {
      caseIds: [caseId],
      above: after?.lotNo ?? 0,
      limit: page.limit + 1,
    });
    const { rows: lots, last } = cutPage(found, page.limit);
    return { lot_codes: lots.map((lot) => lot.lotCode), next: last?.lotCode ?? null };
  }

  /** The notices of cases that were read, in their order, as the public sees them while they are open. */
  ofCases(rows: readonly OpenCaseRow[]): Promise<readonly Notice[]> {
    return this.#readNotices(rows);
  }

  /** Does the same as `ofCases`, and adds what pages show beside a notice. */
  async shownOfCases(rows: readonly PublishedCaseRow[]): Promise<readonly ShownNotice[]> {
    return await this.#buildNotices(rows, (row, notice, profiles) => ({
      notice,
      caseId: row.caseId,
      endedAt: row.endedAt,
      recallContact: row.recallContact,
      website: row.website,
      products: notice.product_skus.flatMap((sku) => profiles.get(sku) ?? []),
    }));
  }

  /** Returns the decisions on a case; undefined when there is no such case. */
  history(asked: Parameters<typeof readHistory>[1]): ReturnType<typeof readHistory> {
    return readHistory(this.#database, asked);
  }

  /** @param findLookedAt the lot that comes first in the notice, because the reader is on its page */
  async #readNotices(
    rows: readonly OpenCaseRow[],
    findLookedAt: (row: OpenCaseRow) => string | undefined = () => undefined,
  ): Promise<readonly Notice[]> {
    return await this.#buildNotices(rows, (_row, notice) => notice, findLookedAt);
  }

  async #buildNotices<Row extends OpenCaseRow, Made>(
    rows: readonly Row[],
    make: (row: Row, notice: Notice, profiles: ProductProfiles) => Made,
    findLookedAt: (row: Row) => string | undefined = () => undefined,
  ): Promise<readonly Made[]> {
    const lotsOf = await this.#covered.of(rows);
    const profilesByTenant = await this.#readProfiles(rows, lotsOf);
    return rows.flatMap((row) => {
      const lots = lotsOf.get(row.caseId);
      if (lots === undefined) return [];
      const profiles = profilesByTenant.get(row.tenantId) ?? NO_PROFILES;
      const noticeContext = {
        lots,
        profiles,
        lookedAt: findLookedAt(row),
        publicUrl: this.#publicUrl,
      };
      return [make(row, buildNotice(row, noticeContext), profiles)];
    });
  }

  /**
   * Reads the details for consumers about the products of each brand. They are never cached,
   * because they change without a change of the case.
   */
  async #readProfiles(
    rows: readonly OpenCaseRow[],
    lotsOf: ReadonlyMap<number, LotsOfCase>,
  ): Promise<ReadonlyMap<string, ProductProfiles>> {
    const profiles = new Map<string, ProductProfiles>();
    const withProfiles = rows.filter((row) => row.hasProfiles === 1);
    for (const [tenantId, cases] of Map.groupBy(withProfiles, (row) => row.tenantId)) {
      const skus = cases.flatMap(({ caseId }) => lotsOf.get(caseId)?.skus ?? []);
      const query = { tenantId, skus, publicUrl: this.#publicUrl };
      profiles.set(tenantId, await readProductProfiles(this.#database, query));
    }
    return profiles;
  }
}

const NO_PROFILES: ProductProfiles = new Map();

/** The fields of a case that a notice uses; a case that is not open yet has them, too. */
export type SaidCase = Omit<
  OpenCaseRow,
  'caseId' | 'tenantNo' | 'seedLotNo' | 'revision' | 'corrections' | 'hasProfiles'
>;

export function buildNotice(
  row: SaidCase,
  context: {
    readonly lots: LotsOfCase;
    readonly profiles: ProductProfiles;
    /** The lot on whose page the reader is. */
    readonly lookedAt: string | undefined;
    readonly publicUrl: string;
  },
): Notice {
  const { lots, profiles, lookedAt, publicUrl } = context;
  const seed = row.coversSeed === 1 ? row.seedLotCode : undefined;
  const leading = [lookedAt, seed].filter((code) => code !== undefined);
  const codes = [...new Set([...leading, ...lots.codes])].slice(0, NOTICE_LOTS_MAX);
  const verified = seed ?? codes[0];
  const products = lots.skus.flatMap((sku) => {
    const product = profiles.get(sku);
    return product === undefined ? [] : [{ sku, names: { ...product.names } }];
  });
  return {
    case_no: row.caseNo,
    title: row.title,
    reason: row.reason,
    ...wordingIn(row),
    severity: row.severity,
    status: row.status,
    brand: toPublicBrand(row),
    lot_code: row.seedLotCode,
    lot_codes: codes,
    lots_total: lots.total,
    product_skus: [...lots.skus],
    products_total: lots.skusTotal,
    ...(products.length === 0 ? {} : { products }),
    opened_at: row.openedAt,
    updated_at: row.updatedAt,
    advice: chooseAdvice(row),
    verify_url:
      verified === undefined
        ? null
        : `${publicUrl}/public/verify/${encodeURIComponent(verified)}?brand=${row.tenantId}`,
  };
}

/** The language of the brand, when the case has none. */
function wordingIn({
  wording,
  brandLanguage,
}: Pick<SaidCase, 'wording' | 'brandLanguage'>): Pick<Notice, 'language' | 'translations'> {
  const { language = brandLanguage, translations } = readWording(wording);
  return {
    ...(language === null ? {} : { language }),
    ...(translations === undefined ? {} : { translations: { ...translations } }),
  };
}
