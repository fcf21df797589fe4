// The brands of the hub, page by page: those that have written something, and those that only have people.
// They are in two databases; both return them in the order of their ids.
import type { DatabaseReader } from '@lothub/kit/database';
import { cutPage } from '@lothub/kit/rows/cut-page';
import { compareTexts } from '@lothub/kit/text-order';
import { brandsWithPeopleAfter, peopleOfBrands } from '@lothub/people/brands/overview-queries';
import { namesOfBrands } from '../queries.ts';
import { tenantsAfter } from './queries.ts';

export interface BrandOfHub {
  /** Its tenant. */
  readonly brand: string;
  /** Its public name; undefined: it has not set one. */
  readonly name: string | undefined;
  readonly people: number;
  readonly managers: number;
}

export interface BrandPage {
  readonly items: readonly BrandOfHub[];
  /** `after` of the next page; null on the last one. */
  readonly next: string | null;
}

export async function listBrands(
  deps: {
    /** Reads the ledger. */
    readonly database: DatabaseReader;
    readonly people: DatabaseReader;
  },
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<BrandPage> {
  // Reads one more than is shown, to find out whether there are more.
  const page = { after, limit: limit + 1 };
  const tenants = await tenantsAfter(deps.database, page);
  const withPeople = await brandsWithPeopleAfter(deps.people, page);
  const all = [...new Set([...tenants, ...withPeople])].sort(compareTexts).slice(0, limit + 1);
  const { rows: brands, last } = cutPage(all, limit);
  const names = await namesOfBrands(deps.database, brands);
  const people = await peopleOfBrands(deps.people, brands);
  return {
    items: brands.map((brand) => ({
      brand,
      name: names.get(brand),
      people: people.get(brand)?.people ?? 0,
      managers: people.get(brand)?.managers ?? 0,
    })),
    next: last ?? null,
  };
}
