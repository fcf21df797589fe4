// The rows of recall drills. The result of a drill is private: once it is erased, the row cannot be
// made.
import sql from 'sql-template-tag';
import type { DecisionKind } from './kind.ts';

export const DRILL_KIND: DecisionKind<'drill'> = {
  rowsOf: ({ brand, decision, opened, height }) => {
    const { result } = opened;
    if (result === undefined) return [];
    return [
      sql`
        insert into recall_drills (
          drill_id, tenant_no, lot_code, drilled_at, actor, height, tip_hash, elapsed_us, result,
          sealed_height
        )
        select cast(${decision.drill} as bigint), t.tenant_no, cast(${decision.lot} as text),
          cast(${decision.at} as text), cast(${opened['by'] ?? ''} as text),
          cast(${decision.tip.height} as bigint), cast(${decision.tip.hash} as text),
          cast(${decision.elapsed_us} as bigint), cast(${result} as text),
          cast(${height} as bigint)
        from tenants t
        where t.tenant_id = ${brand}`,
    ];
  },
  clear: [sql`delete from recall_drills where sealed_height is not null`],
};
