// Builds the statements that a change of a case's scope writes besides the rows of its blocks
// (ledger/decisions/recall.ts): the flags of lots that are held and recalled, and how far cases
// were followed. Opening a case, moving it and following the chain build their changes of these
// statements.
//
// Each statement finds its lots by their numbers, in slices of one list, whatever statistics
// PostgreSQL has of tables that were written just now. No statement may offer the server another
// plan, because it chose each of these with the head locked: a subquery for the lots of the case
// (11 s for 10,000 lots), the condition of an index of all lots that are recalled or all holds that
// are open, and a `not exists` that can be made a join.
import { cutSlices, inList } from '@lothub/kit/in-list';
import sql, { join, type Sql } from 'sql-template-tag';
import { isRecalled } from '../../ledger/recalled.ts';
import type { Audience } from '../notification-status.ts';

/** When something was found, and at which height of the chain. */
export interface Finding {
  readonly at: string;
  readonly height: number;
  /** The hash of that block. */
  readonly hash: string;
}

/** The recipients of a case. */
export interface NewNotification {
  readonly audience: Audience;
  readonly recipient: string;
}

/** A guard that returns a row if nobody has changed the case. */
export function caseAtRevision(read: { readonly caseId: number; readonly revision: number }): Sql {
  return sql`
    select case_id from recall_cases where case_id = ${read.caseId} and revision = ${read.revision}`;
}

/**
 * A guard that returns a row if nobody has changed any of these cases, each given once. The last
 * one is repeated up to the next power of two, so that a few query texts serve every number of
 * cases.
 */
export function casesAtRevisions(
  cases: readonly { readonly caseId: number; readonly revision: number }[],
): Sql {
  const unchanged = cases.map(
    ({ caseId, revision }) => sql`(case_id = ${caseId} and revision = ${revision})`,
  );
  const last = unchanged.at(-1);
  if (last === undefined) throw new RangeError('a guard of cases has at least one of them');
  const length = 2 ** Math.ceil(Math.log2(unchanged.length));
  const filled = [...unchanged, ...new Array<Sql>(length - unchanged.length).fill(last)];
  return sql`
    select id
    from head
    where id = 1 and ${cases.length} = (
      select count(*) from recall_cases where ${join(filled, ' or ')}
    )`;
}

/**
 * Claims the prepared rows: nobody else can insert lots and recipients of these open cases. The
 * guard judges whether the cases are unchanged. Without the claim, two writers of the same rows
 * would fail or wait for each other. The claim locks the row of the opening, which nobody else
 * writes: the case itself is written with the head locked, also by erasures.
 * @param cases 1 to IN_LIST_MAX
 */
export function claimCases(cases: readonly { readonly caseId: number }[]): Sql {
  return sql`
    update recall_moves
    set moved_at = moved_at
    where case_id in (${inList(cases.map(({ caseId }) => caseId))}) and move_no = 1
    returning case_id`;
}

/** Lots that this transaction has inserted holds of are on hold. */
export function flagHeld(lotNos: readonly number[]): readonly Sql[] {
  return [...cutSlices(lotNos)].map(
    (slice) => sql`update lots set on_hold = 1 where lot_no in (${inList(slice)}) and on_hold = 0`,
  );
}

/** Returns the statements that flag the lots that enter a case. */
export function flagEntered(
  lotNos: readonly number[],
  { autoHold, notifiedAt }: { readonly autoHold: 0 | 1; readonly notifiedAt: string | null },
): readonly Sql[] {
  if (autoHold === 0) return notifiedAt === null ? [] : recallLots(lotNos);
  if (notifiedAt === null) return flagHeld(lotNos);
  // Each change of a lot rewrites its row and all of its indexes: one statement changes both.
  return [...cutSlices(lotNos)].map(
    (slice) => sql`
      update lots
      set on_hold = 1, recalled = 1
      where lot_no in (${inList(slice)}) and (on_hold = 0 or recalled = 0)`,
  );
}

/** Does the same as `flagReleased` and `endRecall`, with one change of each lot. */
export function freeLots(lotNos: readonly number[]): readonly Sql[] {
  return [...cutSlices(lotNos)].map(
    (slice) => sql`
      update lots
      set on_hold = case when ${isFree} then 0 else 1 end,
        recalled = case when ${isRecalled(sql`lots.lot_no`)} then 1 else 0 end
      where lot_no in (${inList(slice)}) and (on_hold <> 0 or recalled <> 0)`,
  );
}

/** A condition: no hold is open on a row of `lots`. */
const isFree = sql`(
  select 1 from lot_holds h where h.lot_no = lots.lot_no and h.released_at is null limit 1
) is null`;

/** Lots whose holds a statement before this one has ended are free, unless another one holds them. */
export function flagReleased(lotNos: readonly number[]): readonly Sql[] {
  return [...cutSlices(lotNos)].map(
    (slice) => sql`
      update lots
      set on_hold = 0
      where lot_no in (${inList(slice)}) and on_hold = 1 and ${isFree}`,
  );
}

/** Lots of a case that has reached `notification` are recalled. */
export function recallLots(lotNos: readonly number[]): readonly Sql[] {
  return [...cutSlices(lotNos)].map(
    (slice) =>
      sql`update lots set recalled = 1 where lot_no in (${inList(slice)}) and recalled = 0`,
  );
}

/** Lots of a case that is cancelled by a statement before this one are recalled by other cases alone. */
export function endRecall(lotNos: readonly number[]): readonly Sql[] {
  return [...cutSlices(lotNos)].map(
    (slice) => sql`
      update lots
      set recalled = 0
      where lot_no in (${inList(slice)}) and recalled <> 0
        and case when ${isRecalled(sql`lots.lot_no`)} then 1 else 0 end = 0`,
  );
}

/**
 * Follows the chain again from this height for a case that is opened, because its scope lacks the
 * blocks that were appended while it was searched. Blocks that other open cases wait for are still
 * followed.
 */
export function followFrom(opened: { readonly caseId: number; readonly height: number }): Sql {
  return sql`
    insert into recall_progress (id, followed_height)
    values (1, ${opened.height})
    on conflict (id) do update set followed_height = excluded.followed_height
    where recall_progress.followed_height > excluded.followed_height
      or not exists (
        select 1 from recall_cases where ended_at is null and case_id <> ${opened.caseId}
      )`;
}

/** Mends a place at which no block is, or a missing one: the cases are compared with their traces then. */
export function setPlace(height: number): Sql {
  return sql`
    insert into recall_progress (id, followed_height)
    values (1, ${height})
    on conflict (id) do update set followed_height = excluded.followed_height
    where recall_progress.followed_height > excluded.followed_height
      or recall_progress.followed_height < 0`;
}
