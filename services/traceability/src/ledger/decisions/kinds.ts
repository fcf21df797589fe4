// All types of decisions with their effects on rows: a missing type does not compile.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { DecidedBlock, DecisionKind } from './kind.ts';
import { BRAND_KIND } from './brand.ts';
import { ERASURE_KIND } from './erasure.ts';
import { HOLD_KIND } from './hold.ts';
import { RECALL_KIND } from './recall.ts';
import { textOrErased, type DecisionType } from '../record/decisions/contents.ts';

/** The result of a drill is private: once it is erased, the row cannot be made. */
const DRILL_KIND: DecisionKind<'drill'> = {
  buildRows: ({ brand, decision, opened, height }) => {
    const { result } = opened;
    if (result === undefined) return [];
    return [
      sql`
        insert into recall_drills (
          drill_id, tenant_no, lot_code, drilled_at, actor, height, tip_hash, elapsed_us, result,
          sealed_height
        )
        select cast(${decision.drill} as bigint), t.tenant_no, cast(${decision.lot} as text),
          cast(${decision.at} as text), cast(${textOrErased(opened, 'by')} as text),
          cast(${decision.tip.height} as bigint), cast(${decision.tip.hash} as text),
          cast(${decision.elapsed_us} as bigint), cast(${result} as text),
          cast(${height} as bigint)
        from tenants t
        where t.tenant_id = ${brand}`,
    ];
  },
  clear: [sql`delete from recall_drills where sealed_height is not null`],
};

/** The whole state of a notification. */
const RESPONSE_KIND: DecisionKind<'response'> = {
  buildRows: ({ decision, opened, height }) => [
    sql`
      update recall_notifications
      set status = ${decision.status}, sent_at = ${decision.sent_at ?? null},
        acknowledged_at = ${decision.acknowledged_at ?? null},
        resolved_at = ${decision.resolved_at ?? null}, response = ${opened.response ?? null},
        response_height = ${height}
      where notification_id = ${decision.notification}
        and case_id = (select case_id from recall_cases where case_no = ${decision.case_no})`,
  ],
  // Only a notification that is ready can be answered.
  clear: [
    sql`
      update recall_notifications
      set status = 'ready', sent_at = null, acknowledged_at = null, resolved_at = null,
        response = null, response_height = null
      where response_height is not null`,
  ],
};

const KINDS: { readonly [Type in DecisionType]: DecisionKind<Type> } = {
  brand: BRAND_KIND,
  drill: DRILL_KIND,
  erasure: ERASURE_KIND,
  hold: HOLD_KIND,
  recall: RECALL_KIND,
  response: RESPONSE_KIND,
};

/** Returns the statements that follow the block of a decision in the same transaction. */
export function rowsOfDecision<Type extends DecisionType>(
  type: Type,
  block: DecidedBlock<Type>,
): readonly Sql[] {
  return KINDS[type].buildRows(block);
}

/** Returns the statements for a rebuild that delete all rows of decisions. */
export function clearDecided(): readonly Sql[] {
  return Object.values(KINDS).flatMap(({ clear }) => clear);
}
