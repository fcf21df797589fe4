// Rows of holds by hand. A lot is on hold while any hold of it is open.
import { cutSlices } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { MANUAL_HOLD } from '../draft.ts';
import type { DecidedBlock, DecisionKind } from './kind.ts';
import { buildLotsCondition } from './lots.ts';
import { textOrErased } from '../record/decisions/contents.ts';

export const HOLD_KIND: DecisionKind<'hold'> = {
  buildRows: (block) =>
    [...cutSlices(block.decision.lots)].flatMap((codes) =>
      block.decision.state === 'held' ? holdLots(block, codes) : releaseLots(block, codes),
    ),
  clear: [
    sql`delete from lot_holds where held_height is not null`,
    sql`
      update lot_holds
      set released_at = null, released_by = null, released_height = null
      where released_height is not null`,
  ],
};

function holdLots(
  { brand, decision, opened, height }: DecidedBlock<'hold'>,
  codes: readonly string[],
): readonly Sql[] {
  return [
    sql`
      insert into lot_holds (
        lot_no, source, reason, held_by, held_since, tenant_no, held_height
      )
      select l.lot_no, cast(${MANUAL_HOLD} as text), cast(${textOrErased(opened, 'reason')} as text),
        cast(${textOrErased(opened, 'by')} as text), cast(${decision.at} as text), l.tenant_no,
        cast(${height} as bigint)
      from lots l
      where ${buildLotsCondition(brand, codes)}
      order by l.lot_no`,
    sql`
      update lots
      set on_hold = 1
      where lot_no in (select l.lot_no from lots l where ${buildLotsCondition(brand, codes)}) and on_hold = 0`,
  ];
}

function releaseLots(
  { brand, decision, opened, height }: DecidedBlock<'hold'>,
  codes: readonly string[],
): readonly Sql[] {
  return [
    sql`
      update lot_holds
      set released_at = ${decision.at}, released_by = ${textOrErased(opened, 'by')},
        released_height = ${height}
      where lot_no in (select l.lot_no from lots l where ${buildLotsCondition(brand, codes)})
        and source = ${decision.case_no ?? MANUAL_HOLD} and released_at is null`,
    sql`
      update lots
      set on_hold = 0
      where lot_no in (select l.lot_no from lots l where ${buildLotsCondition(brand, codes)}) and on_hold = 1
        and not exists (
          select 1 from lot_holds h where h.lot_no = lots.lot_no and h.released_at is null
        )`,
  ];
}
