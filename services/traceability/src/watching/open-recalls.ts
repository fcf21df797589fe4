// Open recalls of what somebody watches, for whoever begins to watch it: they are not told of them later.
import type { Notices } from '../lots/notices/notices.ts';
import type { Notice } from '../lots/notices/schema.ts';
import type { Target } from './target.ts';
import { skusOf } from './targets.ts';
import type { TargetDeps } from './targets.ts';

/** The newest of the brand, among which those of a product are looked for. */
const LOOKED_AT_MAX = 50;
const SHOWN_MAX = 3;

export async function openRecallsOf(
  { notices, ...deps }: TargetDeps & { readonly notices: Notices },
  { tenantId, kind, target }: Target,
): Promise<readonly Notice[]> {
  const asked = { brand: tenantId, before: undefined };
  if (kind === 'lot') {
    const page = await notices.page({ ...asked, lotCode: target, limit: SHOWN_MAX });
    return page.notices;
  }
  const skus = await skusOf(deps, { tenantId, kind, target });
  const page = await notices.page({ ...asked, lotCode: undefined, limit: LOOKED_AT_MAX });
  return page.notices
    .filter(({ product_skus: covered }) => covered.some((sku) => skus.includes(sku)))
    .slice(0, SHOWN_MAX);
}
