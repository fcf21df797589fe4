// Roles that a provider of single sign-on says somebody has.
import { changePlanned } from '@lothub/kit/writer/change-planned';
import { PeopleProblem } from '../errors.ts';
import { placeText, readPlace } from '../places/place.ts';
import type { Actor } from '../store/audit.ts';
import type { GrantDeps } from './grants.ts';
import { isLast, planRole, planTaking } from './plan-role.ts';
import { findGrant, grantsOfAccount } from './queries.ts';
import { checkRole, type GrantPlace } from './roles-of-place.ts';

const PROVIDER: Actor = { accountId: null, name: 'sign-on' };

export interface SignOnRole {
  readonly place: GrantPlace;
  readonly role: string;
}

/**
 * Takes what the provider said before and says no more, and gives what it says now. Roles that people
 * gave stay as they are, and so does the last manager or operator.
 * @param signOn `roles` names each place at most once
 * @returns roles for which a place, or the person, has no room
 * @throws PeopleProblem `fields_invalid` for a role that the place does not know
 */
export async function setRolesBySignOn(
  deps: GrantDeps,
  signOn: {
    readonly account: { readonly id: string; readonly name: string };
    readonly roles: readonly SignOnRole[];
  },
): Promise<{ readonly withoutRoom: readonly SignOnRole[] }> {
  for (const { place, role } of signOn.roles) checkRole(place, role);
  const { id: accountId } = signOn.account;
  const said = new Set(signOn.roles.map(({ place }) => placeText(place)));
  for (const { place: text, source } of await grantsOfAccount(deps.store.reader, accountId)) {
    const place = readPlace(text);
    if (source !== 'sign_on' || said.has(text) || place.kind === 'group') continue;
    await takeAgain(deps, { ...signOn, place });
  }
  const withoutRoom: SignOnRole[] = [];
  for (const one of signOn.roles) {
    const outcome = await give(deps, { accountId, ...one });
    if (outcome === 'no_room') withoutRoom.push(one);
  }
  return { withoutRoom };
}

async function takeAgain(
  { store, clock }: GrantDeps,
  {
    account,
    place,
  }: {
    readonly account: { readonly id: string; readonly name: string };
    readonly place: GrantPlace;
  },
): Promise<void> {
  const accountId = account.id;
  await changePlanned(store, async () => {
    const grant = await findGrant(store.reader, { accountId, place: placeText(place) });
    if (grant?.source !== 'sign_on' || (await isLast(store, { grant, place }))) return UNCHANGED;
    const person = { ...grant, name: account.name };
    const at = clock.nowMs();
    return await planTaking(store, { place, accountId, actor: PROVIDER, grant: person, at });
  });
}

async function give(
  { store, clock }: GrantDeps,
  given: SignOnRole & { readonly accountId: string },
): Promise<'given' | 'no_room'> {
  const { place, role, accountId } = given;
  try {
    await changePlanned(store, async () => {
      const grant = await findGrant(store.reader, { accountId, place: placeText(place) });
      if (grant !== undefined) {
        if (grant.source !== 'sign_on' || grant.role === role) return UNCHANGED;
        if (await isLast(store, { grant, place })) return UNCHANGED;
      }
      const at = clock.nowMs();
      return await planRole(store, { ...given, actor: PROVIDER, source: 'sign_on', at });
    });
    return 'given';
  } catch (error) {
    if (error instanceof PeopleProblem && error.code === 'limit_reached') return 'no_room';
    throw error;
  }
}

const UNCHANGED = { result: undefined } as const;
