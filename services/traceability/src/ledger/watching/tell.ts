// What those who watch a lot or a product are told: one row for a step of a recall, written in the transaction of
// that step, however many people watch. What each of them is sent follows from it later (watching/fan-out.ts). A brand
// that nobody watches gets no row; then the statement reads one entry of an index. Of a case in confidence nothing
// is told.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { CaseStatus } from '../../terms.ts';
import { isHidden } from '../decisions/hidden-cases.ts';

/** What a step did of which consumers read. */
export const WATCHED_CHANGES = ['opened', 'moved', 'edited', 'widened'] as const;
export type WatchedChange = (typeof WATCHED_CHANGES)[number];

export interface WatchedStep {
  readonly brand: string;
  readonly recallCase: {
    readonly caseNo: string;
    readonly confidential: 0 | 1;
    readonly notifiedAt: string | null;
  };
  readonly stepNo: number;
  /** As the lots that enter and leave by the step have it. */
  readonly at: string;
  /** Behind the step. */
  readonly status: CaseStatus;
}

/** A case was opened: whoever watches what it covers is told. */
export function tellWatchersOpened(step: WatchedStep): readonly Sql[] {
  return isHidden(step.recallCase) ? [] : [insertMessage(step, 'opened', { tellsAll: 1 })];
}

/** A case moved. One that leaves confidence by the move is told as one that was opened. */
export function tellWatchersMoved(
  step: WatchedStep,
  { isDisclosed }: { readonly isDisclosed: boolean },
): readonly Sql[] {
  if (!isHidden(step.recallCase)) return [insertMessage(step, 'moved', { tellsAll: 1 })];
  return isDisclosed ? [insertMessage(step, 'opened', { tellsAll: 1 })] : [];
}

/** What the notice says was edited, its lots were changed by hand, or both. */
export function tellWatchersEdited(
  step: WatchedStep,
  edited: { readonly hasTexts: boolean; readonly hasLots: boolean },
): readonly Sql[] {
  if (isHidden(step.recallCase) || (!edited.hasTexts && !edited.hasLots)) return [];
  return [insertMessage(step, 'edited', { tellsAll: edited.hasTexts ? 1 : 0 })];
}

/** Lots entered a case, or left it, by what was recorded since. */
export function tellWatchersWidened(
  step: WatchedStep,
  { hasLots }: { readonly hasLots: boolean },
): readonly Sql[] {
  if (isHidden(step.recallCase) || !hasLots) return [];
  return [insertMessage(step, 'widened', { tellsAll: 0 })];
}

function insertMessage(
  { brand, recallCase, stepNo, at, status }: WatchedStep,
  change: WatchedChange,
  { tellsAll }: { readonly tellsAll: 0 | 1 },
): Sql {
  return sql`
    insert into watch_messages (
      case_no, step_no, tenant_id, change, tells_all, case_status, at, looked_through
    )
    select cast(${recallCase.caseNo} as text), cast(${stepNo} as bigint), cast(${brand} as text),
      cast(${change} as text), cast(${tellsAll} as bigint), cast(${status} as text),
      cast(${at} as text), ''
    from head
    where id = 1
      and exists (select 1 from watches w where w.tenant_id = ${brand} and w.status = 'active')
    on conflict (case_no, step_no) do nothing`;
}
