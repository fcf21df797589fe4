// Which brand a page is of, and what it is called.
import { Type } from '@lothub/kit/json-schema';
import { present } from '@lothub/kit/present';
import { TENANT_ID_PATTERN } from '../../http.ts';
import type { ConsoleDeps } from '../deps.ts';
import { param } from '../params.ts';
import { CONSOLE } from '../paths.ts';
import { namesOfBrands } from '../queries.ts';
import type { To } from '../send.ts';

export const BRAND_ROUTE = `${CONSOLE}/b/:brand`;
export const BRAND_PARAM = { brand: Type.String({ pattern: TENANT_ID_PATTERN }) };

/** The tenant in the address. */
export function getBrand(to: To): string {
  return present(param(to, 'brand'), 'the brand of a page');
}

/** A brand without a name is called by its tenant. */
export async function readName(
  { database }: Pick<ConsoleDeps, 'database'>,
  brand: string,
): Promise<string> {
  return (await namesOfBrands(database, [brand])).get(brand) ?? brand;
}
