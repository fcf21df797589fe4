// The rows of recall cases: the case, its moves, the lots that it covers, their holds, and its
// recipients. The columns of lots about holds and recalls are derived from these rows
// (`STATE_AGAIN`, recall/case/scope-writes.ts).
import { cutSlices } from '@lothub/kit/in-list';
import { cutRowSlices, valueRows } from '@lothub/kit/rows/value-rows';
import sql, { raw, type Sql } from 'sql-template-tag';
import { ENDED_STATUSES, NOTIFIED } from '../../terms.ts';
import { MANUAL_HOLD } from '../draft.ts';
import { parseCaseId } from '../record/case-no.ts';
import { wordingText } from '../record/decisions/wording.ts';
import { stepsOfBlock, type RecallBlock } from './confidential.ts';
import type { DecisionKind } from './kind.ts';
import { buildLotsCondition } from './lots.ts';
import { byHandRows, editRows } from './recall-edit.ts';
import { insertPart, nameLots, partsOfBlock } from './recall-parts.ts';
import { textOrErased, type SealedCaseLot } from '../record/decisions/contents.ts';

const OPENED_BEFORE = sql`select case_id from recall_cases where step_no is null`;

/** A condition on rows of `lot_holds`, written like that of the index of holds of cases. */
export const IS_OF_CASE = sql`source <> ${raw(`'${MANUAL_HOLD}'`)}`;

export const RECALL_KIND: DecisionKind<'recall'> = {
  buildRows: (block) => [
    ...stepsOfBlock(block).flatMap((step) => rowsOfStep({ ...step, brand: block.brand })),
    ...partsOfBlock(block).map(insertPart),
  ],
  clear: [
    sql`
      delete from lot_holds
      where ${IS_OF_CASE}
        and source not in (select case_no from recall_cases where step_no is null)`,
    // Notifications with an answer stay: these blocks do not contain answers. `scopeRows` updates their rows.
    sql`
      delete from recall_notifications
      where status in ('pending', 'ready') and case_id not in (${OPENED_BEFORE})`,
    sql`delete from recall_lots where case_id not in (${OPENED_BEFORE})`,
    sql`delete from recall_moves where case_id not in (${OPENED_BEFORE})`,
    sql`delete from recall_lots_by_hand`,
    sql`delete from recall_lots_named`,
    sql`delete from recall_parts`,
    sql`delete from recall_edits`,
    sql`delete from recall_cases where step_no is not null`,
  ],
};

/** Rows of one part of a step, whether its block was public or not. */
export function rowsOfPart(block: RecallBlock): readonly Sql[] {
  return [...rowsOfStep(block), insertPart(block)];
}

function rowsOfStep(block: RecallBlock): readonly Sql[] {
  const { decision } = block;
  if (decision.part > 1) return [...scopeRows(block), ...editRows(block)];
  if (decision.change === 'opened') {
    return [...wipeCase(block), insertCase(block), ...scopeRows(block), insertMove(block)];
  }
  return [...stepRows(block), ...scopeRows(block), ...editRows(block)];
}

/**
 * Returns the rows of a part of a step of an open case, in two halves.
 * @param again codes of lots that it covered before: a person may release their holds meanwhile
 */
export function halvesOfPart(
  block: RecallBlock,
  again: ReadonlySet<string>,
): {
  /** Rows that no other change writes while the case is claimed. */
  readonly prepared: readonly Sql[];
  readonly statements: readonly Sql[];
} {
  const entered = new Set(listEntered(block));
  return {
    prepared: scopeRows(block, entered.difference(again)),
    statements: [
      ...(block.decision.part === 1 ? stepRows(block) : []),
      ...holdLots(block, entered.intersection(again)),
      ...editRows(block),
      insertPart(block),
    ],
  };
}

/**
 * Deletes all rows with the number of a case, such as those of a case that was opened before steps were
 * sealed.
 */
function wipeCase({ decision }: RecallBlock): readonly Sql[] {
  const caseId = parseCaseId(decision.case_no);
  return [
    sql`delete from lot_holds where ${IS_OF_CASE} and source = ${decision.case_no}`,
    sql`delete from recall_lots where case_id = ${caseId}`,
    sql`delete from recall_moves where case_id = ${caseId}`,
    sql`delete from recall_cases where case_id = ${caseId}`,
  ];
}

/** Inserts the row of a case that is opened. Returns no row when another case has the number. */
export function insertCase({ brand, decision, opened, isConfidential }: RecallBlock): Sql {
  const { case_no: caseNo, seed, as_of: asOf } = decision;
  if (asOf === undefined)
    throw new Error(`the opening of ${caseNo} does not say as of which block`);
  const isOwn = seed.type === 'lot' ? 1 : 0;
  return sql`
    insert into recall_cases (
      case_id, case_no, tenant_no, seed_lot_code, seed_lot_no, title, reason, severity, direction,
      auto_hold, opened_by, opened_at, opened_height, opened_hash, status, updated_at, revision,
      snapshot, seed_supplier_name, step_no, confidential, wording
    )
    select cast(${parseCaseId(caseNo)} as bigint), cast(${caseNo} as text), t.tenant_no,
      cast(${seed.lot_code} as text),
      (
        select l.lot_no
        from lots l
        where l.tenant_no = t.tenant_no and l.lot_code = ${seed.lot_code}
          and cast(${isOwn} as bigint) = 1
      ),
      cast(${decision.title} as text), cast(${decision.reason} as text),
      cast(${decision.severity} as text), cast(${decision.direction} as text),
      cast(${decision.auto_hold ? 1 : 0} as bigint), cast(${textOrErased(opened, 'opened_by')} as text),
      cast(${decision.at} as text), cast(${asOf.height} as bigint), cast(${asOf.hash} as text),
      cast(${decision.state} as text), cast(${decision.at} as text), cast(1 as bigint),
      cast(${opened.snapshot ?? NO_SNAPSHOT} as text),
      cast(${seed.supplier_name ?? null} as text), cast(${decision.step} as bigint),
      cast(${isConfidential ? 1 : 0} as bigint), cast(${wordingText(decision.wording)} as text)
    from tenants t
    where t.tenant_id = ${brand}
    on conflict do nothing
    returning case_id`;
}

/** The snapshot of an opening whose private values are erased. */
export const NO_SNAPSHOT = JSON.stringify({
  lots: 0,
  products: [],
  quantities: [],
  shipments: 0,
  customers: 0,
  channels: [],
  suppliers: 0,
  event_count: 0,
  truncated: true,
});

/** Inserts the opening of a case, or a move of it. Run it before the row of the case has the new status. */
export function insertMove({ decision, opened, height }: RecallBlock): Sql {
  const isOpening = decision.change === 'opened';
  const by = opened[isOpening ? 'opened_by' : 'changed_by'] ?? null;
  return sql`
    insert into recall_moves (
      case_id, move_no, from_status, to_status, moved_at, moved_by, note, block_height
    )
    select c.case_id, (select count(*) + 1 from recall_moves m where m.case_id = c.case_id),
      case when ${isOpening ? 1 : 0} = 1 then null else c.status end,
      cast(${decision.state} as text), cast(${decision.at} as text), cast(${by} as text),
      cast(${opened.note ?? null} as text), cast(${height} as bigint)
    from recall_cases c
    where c.case_id = ${parseCaseId(decision.case_no)}`;
}

/** Returns the changes that a later step makes to the case itself. */
function stepRows(block: RecallBlock): readonly Sql[] {
  const { decision, opened } = block;
  const { at, case_no: caseNo, state } = decision;
  const caseId = parseCaseId(caseNo);
  const notifiedAt = state === NOTIFIED ? at : null;
  const endedAt = ENDED_STATUSES.includes(state) ? at : null;
  const update = sql`
    update recall_cases
    set step_no = ${decision.step}, revision = revision + 1, status = ${state},
      title = ${decision.title}, reason = ${decision.reason}, severity = ${decision.severity},
      auto_hold = ${decision.auto_hold ? 1 : 0},
      wording = case
        when ${decision.was?.wording === undefined ? 0 : 1} = 1
          then cast(${wordingText(decision.wording)} as text)
        else wording
      end,
      updated_at = case
        when ${changesCase(decision) ? 1 : 0} = 1 then cast(${at} as text) else updated_at
      end,
      notified_at = coalesce(notified_at, cast(${notifiedAt} as text)),
      ended_at = coalesce(ended_at, cast(${endedAt} as text))
    where case_id = ${caseId}`;
  if (decision.change !== 'moved') return [update];
  const endHolds = sql`
    update lot_holds
    set released_at = ${at}, released_by = ${textOrErased(opened, 'released_by')}
    where ${IS_OF_CASE} and source = ${caseNo} and released_at is null`;
  // A recipient that has answered was ready before.
  const ready = sql`
    update recall_notifications
    set status = case when status = 'pending' then 'ready' else status end, ready_at = ${at}
    where case_id = ${caseId} and ready_at is null`;
  return [
    insertMove(block),
    update,
    ...(state === NOTIFIED ? [ready] : []),
    ...(decision.ends_holds === true ? [endHolds] : []),
  ];
}

/** Returns whether a step changes the case or its lots, and not only its recipients. */
export function changesCase(decision: RecallBlock['decision']): boolean {
  const { change, entered, changed, left } = decision;
  return (
    change !== 'widened' || entered !== undefined || changed !== undefined || left !== undefined
  );
}

/**
 * Returns the rows of the lots and recipients of a part of a step.
 * @param held codes of the lots that enter and are held
 */
export function scopeRows(
  block: RecallBlock,
  held: Iterable<string> = listEntered(block),
): readonly Sql[] {
  const { entered = [], changed = [], left = [] } = block.decision;
  return [
    ...enterLots(block, [...entered, ...changed]),
    ...holdLots(block, held),
    ...leaveLots(block, left),
    ...nameLots(block),
    ...byHandRows(block),
    ...notifyRecipients(block),
  ];
}

function listEntered({ decision }: RecallBlock): readonly string[] {
  return (decision.entered ?? []).map(({ lot }) => lot);
}

/**
 * Adds lots to a case, for the first time or again. For lots that are in it already, the current relation is
 * stored.
 */
function enterLots(
  { brand, decision }: RecallBlock,
  lots: readonly SealedCaseLot[],
): readonly Sql[] {
  if (lots.length === 0) return [];
  const { at, as_of: asOf } = decision;
  const inSnapshot = decision.change === 'opened' ? 1 : 0;
  const rows = lots.map(({ lot, relation, distance, both_ways: bothWays }) => [
    lot,
    relation,
    distance,
    bothWays === true ? 1 : 0,
  ]);
  return [...cutRowSlices(rows)].map(
    (slice) => sql`
      insert into recall_lots (
        case_id, lot_no, relation, distance, both_ways, in_snapshot, entered_at, entered_height,
        named_step, named_part
      )
      select cast(${parseCaseId(decision.case_no)} as bigint), l.lot_no, v.column2,
        cast(v.column3 as bigint), cast(v.column4 as bigint), cast(${inSnapshot} as bigint),
        cast(${at} as text), cast(${asOf?.height ?? null} as bigint),
        cast(${decision.step} as bigint), cast(${decision.part} as bigint)
      from (${valueRows(slice)}) v
      join lots l on l.lot_code = v.column1
        and l.tenant_no = (select tenant_no from tenants where tenant_id = ${brand})
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

/**
 * Removes lots from the impact; their holds for the case continue. The statement is an insertion in
 * which every row conflicts, so that PostgreSQL goes from the lots to their rows. With an update of
 * the rows of these lots it read all lots of the case for each slice, some seconds for 10,000 with
 * the head locked.
 */
function leaveLots({ brand, decision }: RecallBlock, codes: readonly string[]): readonly Sql[] {
  const caseId = parseCaseId(decision.case_no);
  return [...cutSlices(codes)].map(
    (slice) => sql`
      insert into recall_lots (
        case_id, lot_no, relation, distance, both_ways, in_snapshot, entered_at, entered_height
      )
      select cast(${caseId} as bigint), l.lot_no, '', 0, 0, 0, '', 0
      from lots l
      where ${buildLotsCondition(brand, slice)}
        and (
          select 1
          from recall_lots r
          where r.case_id = ${caseId} and r.lot_no = l.lot_no and r.left_at is null
          limit 1
        ) is not null
      on conflict (case_id, lot_no) do update set
        left_at = ${decision.at},
        left_height = ${decision.as_of?.height ?? null}`,
  );
}

/** Holds lots for a case that holds what enters it, unless it holds them already. */
function holdLots({ brand, decision }: RecallBlock, codes: Iterable<string>): readonly Sql[] {
  if (!decision.auto_hold) return [];
  return [...cutSlices(codes)].map(
    (slice) => sql`
      insert into lot_holds (lot_no, tenant_no, source, reason, held_by, held_since)
      select l.lot_no, l.tenant_no, cast(${decision.case_no} as text),
        cast(${decision.title} as text),
        (select c.opened_by from recall_cases c where c.case_id = ${parseCaseId(decision.case_no)}),
        cast(${decision.at} as text)
      from lots l
      where ${buildLotsCondition(brand, slice)}
      order by l.lot_no
      on conflict (lot_no, source) where released_at is null do nothing`,
  );
}

/** Inserts a notification for each recipient. An existing one keeps its answer. */
function notifyRecipients({ decision }: RecallBlock): readonly Sql[] {
  const { at, concerned = [] } = decision;
  return [...cutRowSlices(concerned.map(({ id }) => [id]))].map(
    (slice) => sql`
      insert into recall_notifications (
        notification_id, case_id, audience, recipient, status, created_at, ready_at
      )
      select cast(v.column1 as bigint), c.case_id, coalesce(p.audience, 'customer'), p.recipient,
        case when c.notified_at is null then 'pending' else 'ready' end, cast(${at} as text),
        case when c.notified_at is null then null else cast(${at} as text) end
      from (${valueRows(slice)}) v
      join recall_cases c on c.case_id = ${parseCaseId(decision.case_no)}
      left join private_recipients p on p.notification_id = cast(v.column1 as bigint)
      where true
      on conflict (notification_id) do update set
        case_id = excluded.case_id,
        audience = excluded.audience,
        recipient = excluded.recipient,
        created_at = excluded.created_at,
        ready_at = excluded.ready_at`,
  );
}
