// Stores the list of a brand's imports: rows outside the chain, written by the pages and by the
// API. Each change names the states that it may follow, so that of two simultaneous changes only
// the first succeeds.
import { instantText } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import { insertRow, selectList } from '@lothub/kit/rows/stored-table';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { WarningCode } from '../../events/prepare.ts';
import { IMPORTS, type ImportRow, type ImportState } from '../../ledger/tables/imports.ts';
import type { ImportWarning, RowError } from '../row-error.ts';
import {
  ALL_IMPORTS,
  RUNNING,
  WITH_ERRORS,
  importsLike,
  isSilentAt,
  stateAt,
} from './import-filter.ts';
import type { ImportFilter } from './import-filter.ts';

/** Days for which imports are listed; their blocks stay on the chain. */
export const IMPORTS_KEPT_DAYS = 365;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Limits of the lists in a row, which people read. */
const ERRORS_KEPT_MAX = 200;
const WARNED_ROWS_KEPT_MAX = 20;
export const BLOCKS_KEPT_MAX = 20;
/** Imports removed at once, so that a sweep never holds other writers up. */
const SWEPT_MAX = 500;
/** Characters of the name of a file. */
export const FILE_NAME_CHARACTERS_MAX = 200;

/** The reason why a file was not imported, besides the errors of its rows. */
export type ImportProblem = 'unreadable' | 'disk_full' | 'busy' | 'defect' | 'refused';

export interface ImportReport {
  readonly problem: ImportProblem | null;
  readonly errors: readonly RowError[];
  readonly warnings: readonly KeptWarning[];
  /** The first of the events that were stored, with their first row in the file. */
  readonly blocks: readonly { readonly row: number; readonly height: number }[];
}

export interface KeptWarning {
  readonly code: WarningCode;
  readonly count: number;
  readonly rows: readonly number[];
}

export const NO_REPORT: ImportReport = { problem: null, errors: [], warnings: [], blocks: [] };

export function keptReport(report: {
  readonly problem?: ImportProblem | null;
  readonly errors?: readonly RowError[];
  readonly warnings?: readonly ImportWarning[];
  readonly blocks?: ImportReport['blocks'];
}): ImportReport {
  const { problem = null, errors = [], warnings = [], blocks = [] } = report;
  return {
    problem,
    errors: errors.slice(0, ERRORS_KEPT_MAX),
    warnings: warnings.map(({ code, count, rows }) => ({
      code,
      count,
      rows: rows.slice(0, WARNED_ROWS_KEPT_MAX).map(({ row }) => row),
    })),
    blocks: blocks.slice(0, BLOCKS_KEPT_MAX),
  };
}

export interface KeptImport extends Omit<ImportRow, 'report'> {
  readonly report: ImportReport;
}

/** Only this file writes the report; of a report of a later version it reads the known members. */
function keptImport({ report, ...row }: ImportRow, nowMs: number): KeptImport {
  const read = report === null ? {} : (JSON.parse(report) as Partial<ImportReport>);
  return { ...row, state: stateAt(row, nowMs), report: { ...NO_REPORT, ...read } };
}

export function isRunning({ state }: Pick<ImportRow, 'state'>): boolean {
  return RUNNING.includes(state);
}

export function insertImport(
  row: Omit<ImportRow, 'report' | 'done_count'> & { readonly report: ImportReport },
): Sql {
  const { report, ...rest } = row;
  return insertRow(IMPORTS, { ...rest, report: JSON.stringify(report) });
}

/** The columns that a change may set. */
export type ImportChanges = Partial<
  Pick<
    ImportRow,
    | 'state'
    | 'actor'
    | 'folder_id'
    | 'machine'
    | 'row_count'
    | 'event_count'
    | 'accepted'
    | 'duplicates'
    | 'rejected'
    | 'done_count'
  >
> & { readonly report?: ImportReport };

/**
 * Returns a row when the change was made.
 * @param change `from`: the states that it is made from; one in which a process fell silent counts as stopped
 */
export function changeImport(change: {
  readonly importId: string;
  readonly from: readonly ImportState[];
  readonly set: ImportChanges;
  readonly nowMs: number;
}): Sql {
  const { importId, from, set, nowMs } = change;
  const { report, ...plain } = set;
  const values = { ...plain, ...(report === undefined ? {} : { report: JSON.stringify(report) }) };
  const assigned = Object.entries(values).flatMap(([name, value]) => {
    const assign = ASSIGNMENTS.get(name);
    return assign === undefined || value === undefined ? [] : [assign(value)];
  });
  const orSilent = from.includes('stopped') ? sql`or ${isSilentAt(nowMs)}` : empty;
  return sql`
    update imports
    set changed_at = ${instantText(nowMs)}${assigned.reduce((all, one) => sql`${all}, ${one}`, empty)}
    where import_id = ${importId} and (state in (${inList(from)}) ${orSilent})
    returning import_id as "importId"`;
}

type Value = string | number | null;
const ASSIGNMENTS: ReadonlyMap<string, (value: Value) => Sql> = new Map([
  ['state', (value: Value) => sql`state = ${value}`],
  ['actor', (value: Value) => sql`actor = ${value}`],
  ['folder_id', (value: Value) => sql`folder_id = ${value}`],
  ['machine', (value: Value) => sql`machine = ${value}`],
  ['row_count', (value: Value) => sql`row_count = ${value}`],
  ['event_count', (value: Value) => sql`event_count = ${value}`],
  ['accepted', (value: Value) => sql`accepted = ${value}`],
  ['duplicates', (value: Value) => sql`duplicates = ${value}`],
  ['rejected', (value: Value) => sql`rejected = ${value}`],
  ['done_count', (value: Value) => sql`done_count = ${value}`],
  ['report', (value: Value) => sql`report = ${value}`],
]);

export async function findImport(
  database: Pick<DatabaseReader, 'first'>,
  wanted: { readonly tenantId: string; readonly importId: string; readonly nowMs: number },
): Promise<KeptImport | undefined> {
  const row = await database.first<ImportRow>(sql`
    select ${selectList(IMPORTS)}
    from imports
    where import_id = ${wanted.importId} and tenant_id = ${wanted.tenantId}`);
  return row === undefined ? undefined : keptImport(row, wanted.nowMs);
}

/**
 * Newest first.
 * @param wanted `before`: the id of the last one of the page before; null on the first. `filter`: all without it
 */
export async function listImports(
  database: Pick<DatabaseReader, 'all'>,
  wanted: {
    readonly tenantId: string;
    readonly before: string | null;
    readonly limit: number;
    readonly nowMs: number;
    readonly filter?: ImportFilter;
  },
): Promise<readonly KeptImport[]> {
  const { tenantId, before, limit, nowMs, filter = ALL_IMPORTS } = wanted;
  const behind =
    before === null
      ? empty
      : sql`and (created_at, import_id) < (
          select created_at, import_id from imports
          where import_id = ${before} and tenant_id = ${tenantId}
        )`;
  const rows = await database.all<ImportRow>(sql`
    select ${selectList(IMPORTS)}
    from imports
    where tenant_id = ${tenantId} ${behind} ${importsLike(filter, nowMs)}
    order by created_at desc, import_id desc
    limit ${limit}`);
  return rows.map((row) => keptImport(row, nowMs));
}

/** Counts the imports with errors since a moment, at most `limit`. */
export async function countImportsWithErrors(
  database: Pick<DatabaseReader, 'first'>,
  wanted: {
    readonly tenantId: string;
    readonly since: string;
    readonly limit: number;
    readonly nowMs: number;
  },
): Promise<number> {
  const { tenantId, since, limit, nowMs } = wanted;
  const found = await database.first<{ readonly count: number }>(sql`
    select count(*) as count
    from (
      select 1
      from imports
      where tenant_id = ${tenantId} ${importsLike({ state: WITH_ERRORS, since }, nowMs)}
      limit ${limit}
    ) as wrong`);
  return found?.count ?? 0;
}

/** Removes imports that are older than IMPORTS_KEPT_DAYS. */
export function removeOldImports(nowMs: number): Sql {
  return sql`
    delete from imports
    where import_id in (
      select import_id from imports
      where created_at < ${instantText(nowMs - IMPORTS_KEPT_DAYS * DAY_MS)}
      order by created_at
      limit ${SWEPT_MAX}
    )`;
}
