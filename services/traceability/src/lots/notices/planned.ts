// Makes the notice of a case that is not open yet, exactly as the public would read it.
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import { FIRST_CASE_STATUS } from '../../terms.ts';
import { readProductProfiles } from '../profiles/read-profiles.ts';
import { lotsOfPlan } from './lots.ts';
import { buildNotice, type SaidCase, type ShownNotice } from './notices.ts';
import { findBrandOfNotices } from './queries.ts';

export interface PlannedNotice extends Pick<
  SaidCase,
  'title' | 'reason' | 'wording' | 'severity' | 'seedLotCode' | 'coversSeed'
> {
  readonly tenantId: string;
  /** A placeholder for the number that the case gets when it is opened. */
  readonly caseNo: string;
  /** The time of the preview. */
  readonly at: string;
  /** The lots that the case would cover. */
  readonly lots: Parameters<typeof lotsOfPlan>[0];
}

export async function readPlannedNotice(
  { database, publicUrl }: { readonly database: DatabaseReader; readonly publicUrl: string },
  { at, lots, ...said }: PlannedNotice,
): Promise<Omit<ShownNotice, 'caseId' | 'endedAt'>> {
  const { tenantId } = said;
  const brand = present(await findBrandOfNotices(database, tenantId), `the tenant ${tenantId}`);
  const covered = lotsOfPlan(lots);
  const skus = brand.hasProfiles === 1 ? covered.skus : [];
  const profiles = await readProductProfiles(database, { tenantId, skus, publicUrl });
  const status = FIRST_CASE_STATUS;
  const row: SaidCase = { ...brand, ...said, status, openedAt: at, updatedAt: at };
  return {
    notice: buildNotice(row, { lots: covered, profiles, lookedAt: undefined, publicUrl }),
    recallContact: brand.recallContact,
    website: brand.website,
    products: covered.skus.flatMap((sku) => profiles.get(sku) ?? []),
  };
}
