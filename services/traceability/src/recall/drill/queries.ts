// Queries of drills: which lot to drill, and the evidence of drills made. Each reads through an index.
import { camelList, type CamelRowOf } from '@lothub/kit/rows/camel-rows';
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { RECALL_DRILLS } from '../../ledger/tables/recall.ts';

export interface LotNumbers {
  readonly first: number | null;
  readonly last: number | null;
}

/** The numbers between which the lots of a tenant are; nulls when it has none. */
export async function lotNumbersOfTenant(
  database: DatabaseReader,
  tenantNo: number,
): Promise<LotNumbers> {
  // Through the texts, of which every lot has one: they are in the order of a tenant's lots.
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

export interface DrillRow extends CamelRowOf<typeof RECALL_DRILLS> {
  /** The hash of the block that seals it. */
  readonly sealedHash: string | null;
}

const DRILL_ROW = sql`
  ${camelList(RECALL_DRILLS, 'd')},
  (select b.hash from blocks b where b.height = d.sealed_height) as "sealedHash"`;

/** The greatest number of a drill; 0 before the first one. */
export async function lastDrillId(database: DatabaseReader): Promise<number> {
  const row = await database.first<{ readonly drillId: number }>(sql`
    select drill_id as "drillId"
    from recall_drills
    order by drill_id desc
    limit 1`);
  return row?.drillId ?? 0;
}

/** A guard that returns a row if no drill has this number or a greater one. */
export function isNextDrill(drillId: number): Sql {
  return sql`
    select id
    from head
    where id = 1 and not exists (select 1 from recall_drills where drill_id >= ${drillId})`;
}

/** Drills of a tenant, newest first. */
export async function newestDrills(
  database: DatabaseReader,
  page: { readonly tenantId: string; readonly before: number; readonly limit: number },
): Promise<readonly DrillRow[]> {
  return await database.all<DrillRow>(sql`
    select ${DRILL_ROW}
    from recall_drills d
    where d.tenant_no = (select t.tenant_no from tenants t where t.tenant_id = ${page.tenantId})
      and -d.drill_id > ${-page.before}
    order by -d.drill_id
    limit ${page.limit}`);
}

/** A drill of a tenant. */
export async function findDrill(
  database: DatabaseReader,
  asked: { readonly tenantId: string; readonly drillId: number },
): Promise<DrillRow | undefined> {
  return await database.first<DrillRow>(sql`
    select ${DRILL_ROW}
    from recall_drills d
    where d.drill_id = ${asked.drillId}
      and d.tenant_no = (select t.tenant_no from tenants t where t.tenant_id = ${asked.tenantId})`);
}
