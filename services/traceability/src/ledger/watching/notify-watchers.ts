// Notifies the people who watch a lot or a product. The transaction of a step of a recall writes one row, no matter
// how many people watch; later each of them gets messages that are made from it (watching/sending/fan-out.ts). A brand
// without watchers gets no row, which costs one read of an index. A confidential case notifies nobody.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { CaseStatus } from '../../terms.ts';
import { isHidden } from '../decisions/hidden-cases.ts';

/** The kinds of steps that consumers are notified of. */
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
  /** The same time as in the rows of the lots that the step adds or removes. */
  readonly at: string;
  /** After the step. */
  readonly status: CaseStatus;
}

/** Returns the statements that notify everybody who watches a lot or a product that the opened case covers. */
export function notifyWatchersOpened(step: WatchedStep): readonly Sql[] {
  return isHidden(step.recallCase) ? [] : [insertMessage(step, 'opened', { notifiesAll: 1 })];
}

/** Returns the statements that notify of a new status. A case that stops being confidential by the move is reported as opened. */
export function notifyWatchersMoved(
  step: WatchedStep,
  { isDisclosed }: { readonly isDisclosed: boolean },
): readonly Sql[] {
  if (!isHidden(step.recallCase)) return [insertMessage(step, 'moved', { notifiesAll: 1 })];
  return isDisclosed ? [insertMessage(step, 'opened', { notifiesAll: 1 })] : [];
}

/** Returns the statements that notify of edited texts of the notice, of lots that were changed by hand, or of both. */
export function notifyWatchersEdited(
  step: WatchedStep,
  edited: { readonly hasTexts: boolean; readonly hasLots: boolean },
): readonly Sql[] {
  if (isHidden(step.recallCase) || (!edited.hasTexts && !edited.hasLots)) return [];
  return [insertMessage(step, 'edited', { notifiesAll: edited.hasTexts ? 1 : 0 })];
}

/** Returns the statements that notify of lots that events added to the case, or removed from it. */
export function notifyWatchersWidened(
  step: WatchedStep,
  { hasLots }: { readonly hasLots: boolean },
): readonly Sql[] {
  if (isHidden(step.recallCase) || !hasLots) return [];
  return [insertMessage(step, 'widened', { notifiesAll: 0 })];
}

function insertMessage(
  { brand, recallCase, stepNo, at, status }: WatchedStep,
  change: WatchedChange,
  { notifiesAll }: { readonly notifiesAll: 0 | 1 },
): Sql {
  return sql`
    insert into watch_messages (
      case_no, step_no, tenant_id, change, tells_all, case_status, at, looked_through
    )
    select cast(${recallCase.caseNo} as text), cast(${stepNo} as bigint), cast(${brand} as text),
      cast(${change} as text), cast(${notifiesAll} as bigint), cast(${status} as text),
      cast(${at} as text), ''
    from head
    where id = 1
      and exists (select 1 from watches w where w.tenant_id = ${brand} and w.status = 'active')
    on conflict (case_no, step_no) do nothing`;
}
