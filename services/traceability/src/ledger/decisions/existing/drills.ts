// Recall drills that were made before drills were sealed.
import sql from 'sql-template-tag';
import { draftDecision, sealedHeight } from '../draft.ts';
import { ROWS_PER_BATCH, type ExistingDecisions } from './planner.ts';

interface DrillRow {
  readonly drillId: number;
  readonly tenantId: string;
  readonly lotCode: string;
  readonly drilledAt: string;
  readonly actor: string;
  readonly height: number;
  readonly tipHash: string;
  readonly elapsedUs: number;
  readonly result: string;
}

export const EXISTING_DRILLS: ExistingDecisions = {
  table: 'recall_drills',
  unsealed: sql`
    select count(*) as unsealed
    from recall_drills
    where sealed_height is null`,
  next: async (reader) => {
    const rows = await reader.all<DrillRow>(sql`
      select
        d.drill_id as "drillId", t.tenant_id as "tenantId", d.lot_code as "lotCode",
        d.drilled_at as "drilledAt", d.actor, d.height, d.tip_hash as "tipHash",
        d.elapsed_us as "elapsedUs", d.result
      from recall_drills d
      join tenants t on t.tenant_no = d.tenant_no
      where d.sealed_height is null
      order by d.drill_id
      limit ${ROWS_PER_BATCH}`);
    if (rows.length === 0) return undefined;
    return {
      decisions: rows.map(({ tenantId: brand, actor: by, result, ...row }) =>
        draftDecision(
          {
            brand,
            type: 'drill',
            content: {
              at: row.drilledAt,
              drill: row.drillId,
              elapsed_us: row.elapsedUs,
              lot: row.lotCode,
              migrated: true,
              tip: { hash: row.tipHash, height: row.height },
            },
          },
          { by, result },
        ),
      ),
      statements: rows.map(
        ({ drillId }, index) => sql`
          update recall_drills
          set sealed_height = ${sealedHeight(index)}
          where drill_id = ${drillId}`,
      ),
    };
  },
};
