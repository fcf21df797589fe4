// Rows that an edit of a recall case makes: the changed texts, and the lots that were added, excluded or
// restored by hand.
import { cutSlices } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { parseCaseId } from '../record/case-no.ts';
import { EDITED, EDITED_TEXTS, textOrErased } from '../record/decisions/contents.ts';
import type { EDITED_FIELDS, RecallDecision } from '../record/decisions/contents.ts';
import { formatWording } from '../record/decisions/wording.ts';
import type { RecallBlock } from './confidential.ts';
import { buildLotsCondition } from './lots.ts';

/** A text of a case that an edit changed. */
export interface TextChange {
  readonly field: (typeof EDITED_FIELDS)[number];
  /** The old text; for a wording canonical JSON, like `to`. */
  readonly from: string;
  readonly to: string;
}

/** Lists the changes in the order of `EDITED_FIELDS`. */
export function listTextChanges(decision: RecallDecision): readonly TextChange[] {
  const { was = {} } = decision;
  const texts = EDITED_TEXTS.flatMap((field) => {
    const from = was[field];
    return from === undefined ? [] : [{ field, from, to: decision[field] }];
  });
  if (was.wording === undefined) return texts;
  const [from, to] = [formatWording(was.wording), formatWording(decision.wording ?? {})];
  return [...texts, { field: 'wording', from, to }];
}

/** Returns the row of the edit itself and the holds that it ends; none for another step. */
export function editRows(block: RecallBlock): readonly Sql[] {
  const { decision } = block;
  if (decision.change !== EDITED) return [];
  return [
    decision.part === 1 ? insertEdit(block) : countLots(block),
    ...endHolds(block, decision.excluded ?? []),
  ];
}

/**
 * Returns the rows of the lots that an edit adds, excludes or restores by hand; none for another
 * step.
 */
export function byHandRows(block: RecallBlock): readonly Sql[] {
  const { added = [], excluded = [], restored = [] } = block.decision;
  return [
    ...sayOfLots(block, added, 'added'),
    ...sayOfLots(block, excluded, 'excluded'),
    ...saidNoMore(block, restored),
  ];
}

function insertEdit({ decision, opened, height }: RecallBlock): Sql {
  const { at, state, added = [], excluded = [], restored = [] } = decision;
  return sql`
    insert into recall_edits (
      case_id, step_no, status, edited_at, edited_by, note, scope_reason, changes, lots_added,
      lots_excluded, lots_restored, block_height
    )
    values (
      ${parseCaseId(decision.case_no)}, ${decision.step}, ${state}, ${at},
      ${opened.changed_by ?? null}, ${opened.note ?? null}, ${opened.scope_reason ?? null},
      ${JSON.stringify(listTextChanges(decision))}, ${added.length}, ${excluded.length},
      ${restored.length}, ${height}
    )`;
}

/** Adds the lots of a further part to the counts of the edit. */
function countLots({ decision }: RecallBlock): Sql {
  const { added = [], excluded = [], restored = [] } = decision;
  return sql`
    update recall_edits
    set lots_added = lots_added + ${added.length},
      lots_excluded = lots_excluded + ${excluded.length},
      lots_restored = lots_restored + ${restored.length}
    where case_id = ${parseCaseId(decision.case_no)} and step_no = ${decision.step}`;
}

function sayOfLots(
  { brand, decision }: RecallBlock,
  codes: readonly string[],
  said: 'added' | 'excluded' | 'restored',
): readonly Sql[] {
  return [...cutSlices(codes)].map(
    (slice) => sql`
      insert into recall_lots_by_hand (case_id, lot_no, said, said_at, step_no, part)
      select cast(${parseCaseId(decision.case_no)} as bigint), l.lot_no, cast(${said} as text),
        cast(${decision.at} as text), cast(${decision.step} as bigint),
        cast(${decision.part} as bigint)
      from lots l
      where ${buildLotsCondition(brand, slice)}
      on conflict (case_id, lot_no) do update set
        said = excluded.said,
        said_at = excluded.said_at,
        step_no = excluded.step_no,
        part = excluded.part`,
  );
}

/** Marks the rows first and deletes the marked ones, for the reason that `leaveLots` gives. */
function saidNoMore(block: RecallBlock, codes: readonly string[]): readonly Sql[] {
  if (codes.length === 0) return [];
  return [
    ...sayOfLots(block, codes, 'restored'),
    sql`
      delete from recall_lots_by_hand
      where case_id = ${parseCaseId(block.decision.case_no)} and said = 'restored'`,
  ];
}

/** Ends the holds of the case on lots that it no longer covers; finds them as `leaveLots` does. */
function endHolds(
  { brand, decision, opened }: RecallBlock,
  codes: readonly string[],
): readonly Sql[] {
  const { case_no: caseNo } = decision;
  return [...cutSlices(codes)].map(
    (slice) => sql`
      insert into lot_holds (lot_no, tenant_no, source, reason, held_by, held_since)
      select l.lot_no, l.tenant_no, cast(${caseNo} as text), '', '', ''
      from lots l
      where ${buildLotsCondition(brand, slice)}
        and (
          select 1
          from lot_holds h
          where h.lot_no = l.lot_no and h.source = ${caseNo} and h.released_at is null
          limit 1
        ) is not null
      on conflict (lot_no, source) where released_at is null do update set
        released_at = ${decision.at},
        released_by = ${textOrErased(opened, 'released_by')}`,
  );
}
