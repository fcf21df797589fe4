// Rows of recall cases as they were written before their steps were sealed.
import { inList, slicesOf } from '@lothub/kit/in-list';
import { insertCamelRow } from '@lothub/kit/rows/camel-rows';
import { rowSlicesOf, valueRows } from '@lothub/kit/rows/value-rows';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { RECALL_CASES } from '../src/ledger/tables/recall.ts';
import type { RelatedLot } from '../src/lots/genealogy/links.ts';
import type { RecallCase } from '../src/recall/case/rows.ts';
import { endRecall } from '../src/recall/case/scope-writes.ts';

export function claimCase(row: Omit<RecallCase, 'stepNo'>): Sql {
  return insertCamelRow(RECALL_CASES, { ...row, stepNo: null });
}

/**
 * Lots enter a case, for the first time or again; of those that are in it the relation is noted as it is
 * now.
 */
export function enterLots(of: {
  readonly caseId: number;
  readonly lots: readonly RelatedLot[];
  readonly found: { readonly at: string; readonly height: number };
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
  readonly found: { readonly at: string; readonly height: number };
}): readonly Sql[] {
  const leave = [...slicesOf(of.lotNos)].map(
    (slice) => sql`
      update recall_lots
      set left_at = ${of.found.at}, left_height = ${of.found.height}
      where case_id = ${of.caseId} and lot_no in (${inList(slice)}) and left_at is null`,
  );
  return [...leave, ...endRecall(of.lotNos)];
}
