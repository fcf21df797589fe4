// Which roles a brand and the hub know, and the one role that invites and removes people there.
import type { Actor } from '../store/audit.ts';
import { PeopleProblem } from '../errors.ts';
import type { Place } from '../places/place.ts';
import { BRAND_ROLES, HUB_ROLES, type BrandRole, type HubRole } from './rights.ts';

/** A place whose people are kept as grants. */
export type GrantPlace = Extract<Place, { readonly kind: 'brand' | 'hub' }>;

/** Somebody at the command line: no account, and may do what a manager and an operator may. */
export const COMMAND_LINE: Actor = { accountId: null, name: 'operator' };

interface KnownRoles {
  readonly roles: readonly (BrandRole | HubRole)[];
  /** Answers for the place's people: somebody with it always stays. */
  readonly leading: string;
  readonly lastStays: string;
}

export const ROLES_OF_PLACE: Readonly<Record<GrantPlace['kind'], KnownRoles>> = {
  brand: {
    roles: BRAND_ROLES,
    leading: 'manager',
    lastStays: 'A brand always has a manager: make somebody else a manager first',
  },
  hub: {
    roles: HUB_ROLES,
    leading: 'operator',
    lastStays: 'The hub always has an operator: make somebody else an operator first',
  },
};

/** @throws PeopleProblem `fields_invalid` when the place knows no such role */
export function checkRole(place: GrantPlace, role: string): void {
  const roles: readonly string[] = ROLES_OF_PLACE[place.kind].roles;
  if (roles.includes(role)) return;
  throw new PeopleProblem('fields_invalid', `The role is one of ${roles.join(', ')}`, {
    fields: [{ pointer: '/role', code: 'not_one_of', limit: roles.join(', '), actual: null }],
  });
}
