// How many people brands have, for those who operate the hub.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import { brandPlace, placeText, readPlace } from '../places/place.ts';
import { ROLES_OF_PLACE } from './roles-of-place.ts';

/**
 * Tenants of brands that have people, in the order of their ids.
 * @param after only tenants behind this one; an empty text is before all
 */
export async function brandsWithPeopleAfter(
  reader: DatabaseReader,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await reader.all<{ readonly place: string }>(sql`
    select place
    from grants
    where place > ${placeText(brandPlace(after))}
      and place < ${BEHIND_BRANDS}
    group by place
    order by place
    limit ${limit}`);
  return rows.map(({ place }) => readPlace(place).id);
}

/** Right behind every place of a brand: the sign after the colon. */
const BEHIND_BRANDS = 'brand;';

export interface PeopleOfBrand {
  readonly people: number;
  readonly managers: number;
}

/**
 * By tenant; brands without people are not there.
 * @param tenantIds of one page
 */
export async function peopleOfBrands(
  reader: DatabaseReader,
  tenantIds: readonly string[],
): Promise<ReadonlyMap<string, PeopleOfBrand>> {
  if (tenantIds.length === 0) return new Map();
  const places = tenantIds.map((tenantId) => placeText(brandPlace(tenantId)));
  const rows = await reader.all<PeopleOfBrand & { readonly place: string }>(sql`
    select place, count(*) as people,
      sum(case when role = ${ROLES_OF_PLACE.brand.leading} then 1 else 0 end) as managers
    from grants
    where place in (${inList(places)})
    group by place`);
  return new Map(
    rows.map(({ place, people, managers }) => [readPlace(place).id, { people, managers }]),
  );
}
