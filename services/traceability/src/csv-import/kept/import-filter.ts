// The filters of a list of imports.
import { instantText } from '@lothub/kit/clock';
import { inList } from '@lothub/kit/in-list';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { ImportRow, ImportState } from '../../ledger/tables/imports.ts';

/** A process that does something says so more often than this; one that has not is gone. */
export const SILENT_MS = 30_000;
export const RUNNING: readonly ImportState[] = ['checking', 'importing'];
/** States in which nothing or only a part of a file is stored. */
const FAILED: readonly ImportState[] = ['failed', 'stopped'];
/** A filter in addition to the states: imports that failed, that stopped, or that left rows out. */
export const WITH_ERRORS = 'with_errors';

export interface ImportFilter {
  readonly state: ImportState | typeof WITH_ERRORS | undefined;
  /** An instant: imports at or after it. */
  readonly since: string | undefined;
}

export const ALL_IMPORTS: ImportFilter = { state: undefined, since: undefined };

/** Returns the conditions of a filter, each with `and` before it. */
export function importsLike({ state, since }: ImportFilter, nowMs: number): Sql {
  const from = since === undefined ? empty : sql`and created_at >= ${since}`;
  return sql`${from} ${inState(state, nowMs)}`;
}

/** Imports whose process fell silent count as stopped, as `stateAt` shows them. */
function inState(state: ImportFilter['state'], nowMs: number): Sql {
  const silent = isSilentAt(nowMs);
  if (state === undefined) return empty;
  if (state === WITH_ERRORS) {
    return sql`and (
      state in (${inList(FAILED)})
      or (state = 'imported' and rejected > 0)
      or ${silent})`;
  }
  if (state === 'stopped') return sql`and (state = ${state} or ${silent})`;
  return RUNNING.includes(state)
    ? sql`and state = ${state} and not ${silent}`
    : sql`and state = ${state}`;
}

/** Imports that run as their row says, and whose process has said nothing for a while. */
export function isSilentAt(nowMs: number): Sql {
  const since = instantText(nowMs - SILENT_MS);
  return sql`(state in (${inList(RUNNING)}) and changed_at < ${since})`;
}

/** Applies `isSilentAt` to a row that was read. */
export function stateAt(row: Pick<ImportRow, 'state' | 'changed_at'>, nowMs: number): ImportState {
  const isSilent = RUNNING.includes(row.state) && row.changed_at < instantText(nowMs - SILENT_MS);
  return isSilent ? 'stopped' : row.state;
}
