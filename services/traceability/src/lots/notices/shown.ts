// Reads the recalls that pages and feeds show: open ones, and closed ones while their goods may
// last. No event has a date of durability, so this is a year.
import type { DatabaseReader } from '@lothub/kit/database';
import { instantText, type Clock } from '@lothub/kit/clock';
import { nextTurn } from '@lothub/kit/in-turns';
import { parseCaseId } from '../../ledger/record/case-no.ts';
import { newestShownCaseId, shownCasesBetween, type ShownCaseNumber } from './shown-numbers.ts';
import type { Notices, ShownNotice } from './notices.ts';
import type { PublishedCaseRow } from './queries.ts';
import type { NoticeDetail } from './schema.ts';
import { isFound, readSearch, type RecallSearch } from './search.ts';
import {
  casesCoveringLots,
  findPublicCase,
  lastChangedCases,
  shownCases,
} from './shown-queries.ts';

/**
 * Days for which a recall is listed after it was closed: most packaged food does not last longer.
 */
export const CLOSED_SHOWN_DAYS = 365;
const DAY_MS = 86_400_000;
/** Maximum number of cases that one search reads, the newest first. */
export const SEARCHED_MAX = 2_000;
/** Cases that are read at a time while searching: some milliseconds. */
const SEARCHED_AT_ONCE = 100;

export interface RecallsAsked {
  /** Words of the product, the brand or the title, a GTIN or a lot code. */
  readonly q: string | undefined;
  /** Only of the brand with this id. */
  readonly brand: string | undefined;
  /** Only those that cover a lot of exactly this code, or a supplier's. */
  readonly lotCode: string | undefined;
  /** Only older ones than this case. */
  readonly before: string | undefined;
  /** Only newer ones than this case; counts when `before` is not given. */
  readonly after: string | undefined;
}

export interface RecallPage {
  /** Newest first. */
  readonly recalls: readonly ShownNotice[];
  /** The value of `before` for older ones; null at the end. */
  readonly older: string | null;
  /** The value of `after` for newer ones; null on the first page. */
  readonly newer: string | null;
  /** True when the search has reached its limit, so that it did not read older cases. */
  readonly isCut: boolean;
}

export interface RecallDetail extends ShownNotice {
  readonly lots: Pick<NoticeDetail, 'lot_codes' | 'next'>;
}

interface ShownDeps {
  readonly database: DatabaseReader;
  readonly notices: Notices;
  readonly clock: Clock;
}

export class ShownRecalls {
  readonly #deps: ShownDeps;

  constructor(deps: ShownDeps) {
    this.#deps = deps;
  }

  async list(asked: RecallsAsked & { readonly limit: number }): Promise<RecallPage> {
    const { before, after, limit } = asked;
    if (before !== undefined || after === undefined) {
      const { found, isCut } = await this.#walk(asked, { side: 'below', from: before });
      const recalls = found.slice(0, limit);
      return {
        recalls,
        older: found.length > limit ? findCaseNo(recalls.at(-1)) : null,
        newer: before === undefined ? null : findCaseNo(recalls[0]),
        isCut,
      };
    }
    const { found } = await this.#walk(asked, { side: 'above', from: after });
    // A page that reaches the newest is the first one, and as full as that one.
    if (found.length <= limit) return await this.list({ ...asked, after: undefined });
    const recalls = found.slice(0, limit).toReversed();
    return {
      recalls,
      older: findCaseNo(recalls.at(-1)),
      newer: findCaseNo(recalls[0]),
      isCut: false,
    };
  }

  /** A public case with a page of its lots, also one that ended long ago; undefined when there is none. */
  async find(asked: {
    readonly caseNo: string;
    readonly after: string | undefined;
    readonly limit: number;
  }): Promise<RecallDetail | undefined> {
    const { database, notices } = this.#deps;
    const row = await findPublicCase(database, asked.caseNo);
    if (row === undefined) return undefined;
    const [shown] = await notices.shownOfCases([row]);
    return shown && { ...shown, lots: await notices.lotsOfCase(row, asked) };
  }

  /**
   * Reads cases for feeds: open ones and those that ended, cancelled or not, in the order in which
   * they changed, newest first.
   */
  async lastChanged(page: {
    /** Only those after this one. */
    readonly after: { readonly updatedAt: string; readonly caseNo: string } | undefined;
    readonly limit: number;
  }): Promise<readonly ShownNotice[]> {
    const { after, limit } = page;
    const rows = await lastChangedCases(this.#deps.database, {
      endedSince: this.#closedSince(),
      after: after && { updatedAt: after.updatedAt, caseId: parseCaseId(after.caseNo) },
      limit,
    });
    return await this.#deps.notices.shownOfCases(rows);
  }

  /** The highest id of a recall that is listed; 0 without one. */
  async newestId(): Promise<number> {
    return await newestShownCaseId(this.#deps.database, this.#closedSince());
  }

  /** The numbers of those that are listed, by ranges of ids, newest first. */
  async numbersBetween(range: {
    readonly above: number;
    readonly upTo: number;
  }): Promise<readonly ShownCaseNumber[]> {
    const closedSince = this.#closedSince();
    return await shownCasesBetween(this.#deps.database, { ...range, closedSince });
  }

  /** One more than the page has room for, when there are more. */
  async #walk(
    asked: RecallsAsked & { readonly limit: number },
    way: { readonly side: 'below' | 'above'; readonly from: string | undefined },
  ): Promise<{ readonly found: readonly ShownNotice[]; readonly isCut: boolean }> {
    const { q, brand, lotCode } = asked;
    const limit = asked.limit + 1;
    const search = q === undefined ? undefined : readSearch(q);
    const read = (caseId: number, size: number): Promise<readonly PublishedCaseRow[]> =>
      shownCases(this.#deps.database, {
        closedSince: this.#closedSince(),
        tenantId: brand,
        lotCode,
        side: way.side,
        caseId,
        limit: size,
      });
    const start = way.from === undefined ? Number.MAX_SAFE_INTEGER : parseCaseId(way.from);
    if (search === undefined) {
      return {
        found: await this.#deps.notices.shownOfCases(await read(start, limit)),
        isCut: false,
      };
    }
    return await this.#searchFrom(start, { search, limit, read });
  }

  async #searchFrom(
    start: number,
    query: {
      readonly search: RecallSearch;
      readonly limit: number;
      readonly read: (caseId: number, size: number) => Promise<readonly PublishedCaseRow[]>;
    },
  ): Promise<{ readonly found: readonly ShownNotice[]; readonly isCut: boolean }> {
    const { search, limit, read } = query;
    const caseIds = new Set(
      await casesCoveringLots(this.#deps.database, {
        lotCodes: search.lotCodes,
        limit: SEARCHED_MAX,
      }),
    );
    const found: ShownNotice[] = [];
    let from = start;
    for (let searched = 0; searched < SEARCHED_MAX; searched += SEARCHED_AT_ONCE) {
      const rows = await read(from, SEARCHED_AT_ONCE);
      const shown = await this.#deps.notices.shownOfCases(rows);
      found.push(...shown.filter((one) => isFound(one, search, caseIds)));
      const last = rows.at(-1);
      if (found.length >= limit) return { found: found.slice(0, limit), isCut: false };
      if (last === undefined || rows.length < SEARCHED_AT_ONCE) return { found, isCut: false };
      from = last.caseId;
      await nextTurn();
    }
    return { found, isCut: true };
  }

  /** Recalls that were closed before this instant are listed nowhere. */
  #closedSince(): string {
    return instantText(this.#deps.clock.nowMs() - CLOSED_SHOWN_DAYS * DAY_MS);
  }
}

function findCaseNo(shown: ShownNotice | undefined): string | null {
  return shown?.notice.case_no ?? null;
}
