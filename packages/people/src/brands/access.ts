// What somebody may do in brands and in the hub, asked with each request: a role that is taken is gone
// with the next one. A brand that somebody is not in answers as one that does not exist.
import type { DatabaseReader } from '@lothub/kit/database';
import { PeopleProblem } from '../errors.ts';
import { placeText, readPlace } from '../places/place.ts';
import type { Actor } from '../store/audit.ts';
import { findGrant, grantsOfAccount } from './queries.ts';
import { ROLES_OF_PLACE, type GrantPlace } from './roles-of-place.ts';
import { isBrandRole, isHubRole, type BrandRole, type HubRole } from './rights.ts';

export interface Rights {
  readonly hub: HubRole | undefined;
  /** By tenant, in its order. */
  readonly brands: ReadonlyMap<string, BrandRole>;
}

/** All roles of somebody. */
export async function readRights(reader: DatabaseReader, accountId: string): Promise<Rights> {
  let hub: HubRole | undefined;
  const brands = new Map<string, BrandRole>();
  for (const grant of await grantsOfAccount(reader, accountId)) {
    const place = readPlace(grant.place);
    if (place.kind === 'hub' && isHubRole(grant.role)) hub = grant.role;
    if (place.kind === 'brand' && isBrandRole(grant.role)) brands.set(place.id, grant.role);
  }
  return { hub, brands };
}

/**
 * Refuses a person who may not manage the people of the place. Managers of a brand, operators of the hub,
 * and the command line may.
 * @throws PeopleProblem `not_found` for a brand that the person is not in, `role_required`
 */
export async function assertLeads(
  reader: DatabaseReader,
  { actor, place }: { readonly actor: Actor; readonly place: GrantPlace },
): Promise<void> {
  if (actor.accountId === null) return;
  const grant = await findGrant(reader, { accountId: actor.accountId, place: placeText(place) });
  if (grant?.role === ROLES_OF_PLACE[place.kind].leading) return;
  if (place.kind === 'hub') {
    throw new PeopleProblem('role_required', 'Only an operator of the hub may do this');
  }
  if (grant === undefined) throw noSuchBrand();
  throw new PeopleProblem('role_required', 'Only a manager of the brand may do this: ask one');
}

/** In the same words whether there is such a brand or not. */
export function noSuchBrand(): PeopleProblem {
  return new PeopleProblem('not_found', 'There is no such brand, or you are not in it');
}
