// Open recalls of a watched lot or product, for people who begin to watch it: no message about these follows later.
import type { Notices } from '../lots/notices/notices.ts';
import type { Notice } from '../lots/notices/schema.ts';
import type { Target } from './target.ts';
import { readSkus, type TargetDeps } from './targets.ts';

/** The newest of the brand, among which those of a product are looked for. */
const LOOKED_AT_MAX = 50;
const SHOWN_MAX = 3;

export async function readOpenRecalls(
  { notices, ...deps }: TargetDeps & { readonly notices: Notices },
  { tenantId, kind, target }: Target,
): Promise<readonly Notice[]> {
  const asked = { brand: tenantId, before: undefined };
  if (kind === 'lot') {
    const page = await notices.page({ ...asked, lotCode: target, limit: SHOWN_MAX });
    return page.notices;
  }
  const skus = await readSkus(deps, { tenantId, kind, target });
  const page = await notices.page({ ...asked, lotCode: undefined, limit: LOOKED_AT_MAX });
  return page.notices
    .filter(({ product_skus: covered }) => covered.some((sku) => skus.includes(sku)))
    .slice(0, SHOWN_MAX);
}
