// Queries of drills: which lot to drill, and the evidence of drills made. Each reads through an index.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

export interface LotNumbers {
  readonly first: number | null;
  readonly last: number | null;
}

/** The numbers between which the lots of a tenant are; nulls when it has none. */
export async function lotNumbersOfTenant(
  database: DatabaseReader,
  tenantNo: number,
): Promise<LotNumbers> {
  // Of the texts, of which every lot has one: they lie in the order of a tenant's lots.
  const row = await database.first<LotNumbers>(sql`
    select
      (select lot_no from lot_texts where tenant_no = ${tenantNo} order by lot_no limit 1)
        as "first",
      (select lot_no from lot_texts where tenant_no = ${tenantNo} order by lot_no desc limit 1)
        as "last"`);
  return row ?? { first: null, last: null };
}

/** Code of the tenant's lot with this number, or with the next one that is its own. */
export async function findLotCodeFrom(
  database: DatabaseReader,
  from: { readonly tenantNo: number; readonly lotNo: number },
): Promise<string | undefined> {
  const row = await database.first<{ readonly lotCode: string }>(sql`
    select l.lot_code as "lotCode"
    from lot_texts t
    join lots l on l.lot_no = t.lot_no
    where t.tenant_no = ${from.tenantNo} and t.lot_no >= ${from.lotNo}
    order by t.lot_no
    limit 1`);
  return row?.lotCode;
}

export interface DrillRecord {
  readonly lotCode: string;
  readonly drilledAt: string;
  readonly actor: string;
  readonly height: number;
  readonly tipHash: string;
  readonly elapsedUs: number;
  /** What the trace found: JSON without private values. */
  readonly result: string;
}

export interface DrillRow extends DrillRecord {
  readonly drillId: number;
}

const DRILL_ROW = sql`
  drill_id as "drillId", lot_code as "lotCode", drilled_at as "drilledAt", actor, height,
  tip_hash as "tipHash", elapsed_us as "elapsedUs", result`;

/** Answers the id of the drill. */
export function insertDrill(tenantNo: number, drill: DrillRecord): Sql {
  return sql`
    insert into recall_drills (
      tenant_no, lot_code, drilled_at, actor, height, tip_hash, elapsed_us, result
    )
    values (
      ${tenantNo}, ${drill.lotCode}, ${drill.drilledAt}, ${drill.actor}, ${drill.height},
      ${drill.tipHash}, ${drill.elapsedUs}, ${drill.result}
    )
    returning drill_id as "drillId"`;
}

/** Drills of a tenant, newest first. */
export async function newestDrills(
  database: DatabaseReader,
  page: { readonly tenantId: string; readonly before: number; readonly limit: number },
): Promise<readonly DrillRow[]> {
  return await database.all<DrillRow>(sql`
    select ${DRILL_ROW}
    from recall_drills
    where tenant_no = (select t.tenant_no from tenants t where t.tenant_id = ${page.tenantId})
      and -drill_id > ${-page.before}
    order by -drill_id
    limit ${page.limit}`);
}

/** A drill of a tenant. */
export async function findDrill(
  database: DatabaseReader,
  asked: { readonly tenantId: string; readonly drillId: number },
): Promise<DrillRow | undefined> {
  return await database.first<DrillRow>(sql`
    select ${DRILL_ROW}
    from recall_drills
    where drill_id = ${asked.drillId}
      and tenant_no = (select t.tenant_no from tenants t where t.tenant_id = ${asked.tenantId})`);
}
