// The query of the address of the list of lots: search, filters, offset, and columns, which a cookie
// remembers.
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import type { AddressQuery } from '../filters.ts';
import { PARTS, isShare, type Part } from '../../ledger/record/event-types.ts';
import { OffsetQuery, PAGE_DEFAULT } from '../../http.ts';
import { HOLD_STATUSES, LOT_STATUSES, type HoldStatus, type LotStatus } from '../../terms.ts';
import type { To } from '../send.ts';

/** Characters of a text that is searched, as of the API. */
export const SEARCH_MAX = 200;
const COLUMNS_COOKIE = 'lothub_lot_columns';
const COOKIE_DAYS = 365;
const DAY_SECONDS = 86_400;

/** Columns that a reader may choose, beside the lot itself; sums of a balance are among them. */
export const LOT_LIST_COLUMNS = [
  'product',
  'state',
  'remaining',
  ...PARTS.filter((part) => !isShare(part)),
] as const;
export type LotListColumn = 'product' | 'state' | 'remaining' | Part;

const COLUMNS_DEFAULT: readonly LotListColumn[] = ['product', 'state', 'remaining'];

const OneOrMore = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())]));

/** A form sends an empty text where nothing is chosen, and a list where several values are. */
export const LotListQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: SEARCH_MAX })),
  status: Type.Optional(Type.String()),
  hold_status: Type.Optional(Type.String()),
  offset: OffsetQuery,
  column: OneOrMore,
});

export interface LotListAsked {
  readonly q: string | undefined;
  readonly status: LotStatus | undefined;
  readonly holdStatus: HoldStatus | undefined;
  readonly offset: number;
  readonly limit: number;
}

export function readLotListQuery(query: Static<typeof LotListQuery>): LotListAsked {
  const q = query.q?.trim() ?? '';
  return {
    q: q === '' ? undefined : q,
    status: LOT_STATUSES.find((status) => status === query.status),
    holdStatus: HOLD_STATUSES.find((status) => status === query.hold_status),
    offset: query.offset ?? 0,
    limit: PAGE_DEFAULT,
  };
}

/** The filters as an address has them. */
export function lotListAddress({ q, status, holdStatus }: LotListAsked): AddressQuery {
  return { q, status, hold_status: holdStatus };
}

/**
 * Returns the columns of the address, or else those that were chosen last. A choice in the address is
 * remembered.
 */
export function listColumns(
  { request, reply }: To,
  chosen: string | string[] | undefined,
  { isSecure }: { readonly isSecure: boolean },
): readonly LotListColumn[] {
  if (chosen === undefined)
    return named([request.cookies[COLUMNS_COOKIE] ?? '']) ?? COLUMNS_DEFAULT;
  const columns = named([chosen].flat()) ?? COLUMNS_DEFAULT;
  void reply.setCookie(COLUMNS_COOKIE, columns.join(','), {
    path: '/console',
    maxAge: COOKIE_DAYS * DAY_SECONDS,
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
  });
  return columns;
}

/** In the order of the columns of the page; undefined when none is named. */
function named(texts: readonly string[]): readonly LotListColumn[] | undefined {
  const names = new Set(texts.flatMap((text) => text.split(',')));
  const columns = LOT_LIST_COLUMNS.filter((column) => names.has(column));
  return columns.length === 0 ? undefined : columns;
}
