// How far a tenant has come with the first things that one does: a first event, a lot, a drill.
import type { DatabaseReader } from '@lothub/kit/database';
import { lotLabels } from '../lots/queries.ts';
import { findLastDrill, findTenantOfDashboard, newestLotsOfTenant } from './queries.ts';

const TOP = Number.MAX_SAFE_INTEGER;

export interface Beginning {
  readonly events: number;
  /** The newest lot; undefined while there is none. */
  readonly lotCode: string | undefined;
  readonly hasDrilled: boolean;
}

export async function readBeginning(
  database: DatabaseReader,
  tenantId: string,
): Promise<Beginning> {
  const tenant = await findTenantOfDashboard(database, tenantId);
  if (tenant === undefined) return { events: 0, lotCode: undefined, hasDrilled: false };
  const { tenantNo, events } = tenant;
  const [lot] = await newestLotsOfTenant(database, { tenantNo, below: TOP, limit: 1 });
  const [label] = lot === undefined ? [] : await lotLabels(database, [lot.lotNo]);
  const drill = await findLastDrill(database, tenantNo);
  return { events, lotCode: label?.lotCode, hasDrilled: drill !== undefined };
}
