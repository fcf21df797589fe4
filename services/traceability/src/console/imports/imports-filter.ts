// The filter of the list of imports in its address. Of an address that was written by hand, it takes what can
// be understood.
import { instantText } from '@lothub/kit/clock';
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { WITH_ERRORS, type ImportFilter } from '../../csv-import/kept/import-filter.ts';
import { IMPORT_STATES } from '../../ledger/tables/imports.ts';
import { dayIn } from '../filters.ts';

const TEXT_MAX = 64;
const FilterText = Type.Optional(Type.String({ maxLength: TEXT_MAX }));

export const ImportsQuery = Type.Object({
  state: FilterText,
  from: FilterText,
  before: Type.Optional(Type.String({ minLength: 1, maxLength: TEXT_MAX })),
});

/** The states that a reader can choose. */
export const LISTED_STATES = [WITH_ERRORS, ...IMPORT_STATES] as const;

export interface AskedImports {
  readonly state: ImportFilter['state'];
  /** A day in UTC, included. */
  readonly from: string | undefined;
}

export function readFilters({ state, from }: Static<typeof ImportsQuery>): AskedImports {
  return { state: LISTED_STATES.find((one) => one === state), from: dayIn(from) };
}

export function makeFilter({ state, from }: AskedImports): ImportFilter {
  return { state, since: from === undefined ? undefined : instantText(Date.parse(from)) };
}
