// Rows that say which blocks of a recall case name a lot: one for each part of a step and the block that says it,
// and one for each part that names a lot again.
import { cutSlices } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { parseCaseId } from '../record/case-no.ts';
import { isDisclosure } from '../record/decisions/confidential.ts';
import type { RecallDecision } from '../record/decisions/contents.ts';
import type { RecallPartRow } from '../tables/recall.ts';
import { stepsOfBlock, type RecallBlock, type StepOfBlock } from './confidential.ts';
import type { DecidedBlock } from './kind.ts';
import { buildLotsCondition } from './lots.ts';

type Part<Height> = Pick<StepOfBlock<Height>, 'height' | 'decision' | 'isConfidential'>;

/** The parts that a block says, commits to or discloses. */
export function partsOfBlock<Height extends RecallBlock['height']>(
  block: Pick<DecidedBlock<'recall'>, 'decision' | 'opened'> & { readonly height: Height },
): readonly Part<Height>[] {
  const { height, decision } = block;
  return isDisclosure(decision)
    ? [{ height, decision: decision.contents, isConfidential: false }]
    : stepsOfBlock(block);
}

export function partRow<Height>({
  height,
  decision,
  isConfidential,
}: Part<Height>): Omit<RecallPartRow, 'height'> & { readonly height: Height } {
  const { part, change, entered = [], left = [] } = decision;
  return {
    height,
    part,
    case_id: parseCaseId(decision.case_no),
    step_no: decision.step,
    of_case: part === 1 && change !== 'widened' ? 1 : 0,
    confidential: isConfidential ? 1 : 0,
    lots_entered: entered.length,
    lots_left: left.length,
  };
}

export function insertPart(part: Part<RecallBlock['height']>): Sql {
  const row = partRow(part);
  return sql`
    insert into recall_parts (
      height, part, case_id, step_no, of_case, confidential, lots_entered, lots_left
    )
    values (
      ${row.height}, ${row.part}, ${row.case_id}, ${row.step_no}, ${row.of_case},
      ${row.confidential}, ${row.lots_entered}, ${row.lots_left}
    )`;
}

/** Codes of the lots that a part names, each once. */
export function lotsNamedBy(decision: RecallDecision): ReadonlySet<string> {
  const { entered = [], changed = [], left = [], added = [], excluded = [] } = decision;
  const { restored = [] } = decision;
  const related = [...entered, ...changed].map(({ lot }) => lot);
  return new Set([...related, ...left, ...added, ...excluded, ...restored]);
}

/**
 * Run them after the rows of the lots that enter the case: such a row itself says which part named the lot
 * first.
 */
export function nameLots({ brand, decision }: RecallBlock): readonly Sql[] {
  const { case_no: caseNo, step, part } = decision;
  const caseId = parseCaseId(caseNo);
  // No lot is named before the opening, nor twice by it.
  if (decision.change === 'opened') return [];
  return [...cutSlices([...lotsNamedBy(decision)])].map(
    (slice) => sql`
      insert into recall_lots_named (case_id, lot_no, step_no, part)
      select cast(${caseId} as bigint), l.lot_no, cast(${step} as bigint), cast(${part} as bigint)
      from lots l
      where ${buildLotsCondition(brand, slice)}
        and (
          select 1
          from recall_lots r
          where r.case_id = ${caseId} and r.lot_no = l.lot_no
            and r.named_step = ${step} and r.named_part = ${part}
          limit 1
        ) is null`,
  );
}
