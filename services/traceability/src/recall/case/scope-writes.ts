// What changes of a case's scope write: its lots, their holds, their recall, whom it concerns. Opening a
// case, moving it and following the chain build their changes of these statements.
//
// Each statement finds its lots by their numbers, in slices of one list, whatever figures PostgreSQL has of
// tables that were written just now. Nothing in it is to tempt the server into another way, for it took each
// of them with the head locked: a subquery for the lots of the case (11 s for 10,000 lots), the condition of
// an index of all lots that are recalled or all holds that are open, a `not exists` that can be made a join.
import { inList, slicesOf } from '@lothub/kit/in-list';
import { rowSlicesOf, valueRows } from '@lothub/kit/rows/value-rows';
import sql, { join } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { isRecalled } from '../../ledger/recalled.ts';
import type { RelatedLot } from '../../lots/genealogy/links.ts';
import type { Audience } from '../notification-status.ts';

/** A case as far as its holds tell of it. */
export interface HoldingCase {
  readonly caseId: number;
  readonly caseNo: string;
  readonly title: string;
  readonly openedBy: string;
}

/** When something was found, and at which height of the chain. */
export interface Finding {
  readonly at: string;
  readonly height: number;
}

/** Whom a case concerns. */
export interface NewNotification {
  readonly audience: Audience;
  readonly recipient: string;
}

/** Answers a row as long as nobody has changed the case. */
export function caseAtRevision(of: { readonly caseId: number; readonly revision: number }): Sql {
  return sql`
    select case_id from recall_cases where case_id = ${of.caseId} and revision = ${of.revision}`;
}

/**
 * Answers a row as long as nobody has changed any of these cases, each given once. The last one is
 * repeated up to the next power of two, so that a handful of query texts serves all numbers of cases.
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

export function raiseRevision(of: { readonly caseId: number; readonly at: string }): Sql {
  return sql`
    update recall_cases
    set revision = revision + 1, updated_at = ${of.at}
    where case_id = ${of.caseId}`;
}

/**
 * Lots enter a case, for the first time or again; of those that are in it the relation is noted as it is
 * now.
 */
export function enterLots(of: {
  readonly caseId: number;
  readonly lots: readonly RelatedLot[];
  readonly found: Finding;
  readonly when: 'at_opening' | 'later';
}): readonly Sql[] {
  const inSnapshot = of.when === 'at_opening' ? 1 : 0;
  const rows = of.lots.map(({ lotNo, relation, distance, bothWays }) => [
    lotNo,
    relation,
    distance,
    bothWays ? 1 : 0,
  ]);
  return [...rowSlicesOf(rows)].map(
    (slice) => sql`
      insert into recall_lots (
        case_id, lot_no, relation, distance, both_ways, in_snapshot, entered_at, entered_height
      )
      select cast(${of.caseId} as bigint), cast(v.column1 as bigint), v.column2,
        cast(v.column3 as bigint), cast(v.column4 as bigint), cast(${inSnapshot} as bigint),
        cast(${of.found.at} as text), cast(${of.found.height} as bigint)
      from (${valueRows(slice)}) v
      where true
      on conflict (case_id, lot_no) do update set
        relation = excluded.relation,
        distance = excluded.distance,
        both_ways = excluded.both_ways,
        entered_at = case
          when recall_lots.left_at is null then recall_lots.entered_at else excluded.entered_at
        end,
        entered_height = case
          when recall_lots.left_at is null
            then recall_lots.entered_height
          else excluded.entered_height
        end,
        left_at = null,
        left_height = null`,
  );
}

/** Lots are not in the impact any more; what held them for the case goes on holding them. */
export function leaveLots(of: {
  readonly caseId: number;
  readonly lotNos: readonly number[];
  readonly found: Finding;
}): readonly Sql[] {
  const leave = [...slicesOf(of.lotNos)].map(
    (slice) => sql`
      update recall_lots
      set left_at = ${of.found.at}, left_height = ${of.found.height}
      where case_id = ${of.caseId} and lot_no in (${inList(slice)}) and left_at is null`,
  );
  return [...leave, ...endRecall(of.lotNos)];
}

/** Holds lots for the case, unless it holds them already; `flagHeld` makes the lots say so. */
export function insertHolds(of: {
  readonly held: HoldingCase;
  readonly lotNos: readonly number[];
  readonly at: string;
}): readonly Sql[] {
  const { caseNo, title, openedBy } = of.held;
  return [...slicesOf(of.lotNos)].map(
    (slice) => sql`
      insert into lot_holds (lot_no, tenant_no, source, reason, held_by, held_since)
      select l.lot_no, l.tenant_no, cast(${caseNo} as text), cast(${title} as text),
        cast(${openedBy} as text), cast(${of.at} as text)
      from lots l
      where l.lot_no in (${inList(slice)})
      order by l.lot_no
      on conflict (lot_no, source) where released_at is null do nothing`,
  );
}

/** Lots that this transaction has inserted holds of are on hold. */
export function flagHeld(lotNos: readonly number[]): readonly Sql[] {
  return [...slicesOf(lotNos)].map(
    (slice) => sql`update lots set on_hold = 1 where lot_no in (${inList(slice)}) and on_hold = 0`,
  );
}

/** Ends the holds of lots that a case set; a lot is free when it was the last one. */
export function endHolds(of: {
  readonly lotNos: readonly number[];
  readonly caseNo: string;
  readonly at: string;
  readonly by: string;
}): readonly Sql[] {
  return [...slicesOf(of.lotNos)].flatMap((slice) => [
    sql`
      update lot_holds
      set released_at = ${of.at}, released_by = ${of.by}
      where lot_no in (${inList(slice)}) and source = ${of.caseNo}
        and coalesce(released_at, '') = ''`,
    sql`
      update lots
      set on_hold = 0
      where lot_no in (${inList(slice)}) and on_hold = 1
        and (
          select 1 from lot_holds h where h.lot_no = lots.lot_no and h.released_at is null limit 1
        ) is null`,
  ]);
}

/** Lots of a case that has reached `notification` are recalled. */
export function recallLots(lotNos: readonly number[]): readonly Sql[] {
  return [...slicesOf(lotNos)].map(
    (slice) =>
      sql`update lots set recalled = 1 where lot_no in (${inList(slice)}) and recalled = 0`,
  );
}

/** Lots of a case that is cancelled by a statement before this one are recalled by other cases alone. */
export function endRecall(lotNos: readonly number[]): readonly Sql[] {
  return [...slicesOf(lotNos)].map(
    (slice) => sql`
      update lots
      set recalled = 0
      where lot_no in (${inList(slice)}) and recalled <> 0
        and case when ${isRecalled(sql`lots.lot_no`)} then 1 else 0 end = 0`,
  );
}

/**
 * Adds whom the case concerns, each once; `dropErased` of drop-erased.ts belongs behind it.
 * @param of.status `ready` when the case has reached `notification`
 */
export function insertNotifications(of: {
  readonly caseId: number;
  readonly notifications: readonly NewNotification[];
  readonly status: 'pending' | 'ready';
  readonly at: string;
}): readonly Sql[] {
  const readyAt = of.status === 'ready' ? of.at : null;
  const rows = of.notifications.map(({ audience, recipient }) => [audience, recipient]);
  return [...rowSlicesOf(rows)].map(
    (slice) => sql`
      insert into recall_notifications (case_id, audience, recipient, status, created_at, ready_at)
      select cast(${of.caseId} as bigint), v.column1, v.column2, cast(${of.status} as text),
        cast(${of.at} as text), cast(${readyAt} as text)
      from (${valueRows(slice)}) v
      where true
      on conflict (case_id, audience, recipient) do nothing`,
  );
}

/** What was waiting for the case to reach `notification` waits no more. */
export function readyNotifications(of: { readonly caseId: number; readonly at: string }): Sql {
  return sql`
    update recall_notifications
    set status = 'ready', ready_at = ${of.at}
    where case_id = ${of.caseId} and status = 'pending'`;
}

/**
 * The chain is followed from here again, for the sake of a case that is opened: what was appended
 * while its scope was looked for is not in it. Blocks that other open cases wait for stay to be followed.
 */
export function followFrom(of: { readonly caseId: number; readonly height: number }): Sql {
  return sql`
    insert into recall_progress (id, followed_height)
    values (1, ${of.height})
    on conflict (id) do update set followed_height = excluded.followed_height
    where recall_progress.followed_height > excluded.followed_height
      or not exists (
        select 1 from recall_cases where ended_at is null and case_id <> ${of.caseId}
      )`;
}
