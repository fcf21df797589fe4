// The people of a brand and of the hub: who has which role, given, changed and taken. A brand always keeps
// a manager and the hub an operator, once they have one, also when two are taken at the same moment.
import { instantText, type Clock } from '@lothub/kit/clock';
import { present } from '@lothub/kit/present';
import { cutPage } from '@lothub/kit/rows/cut-page';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import { PeopleProblem } from '../errors.ts';
import { placeText } from '../places/place.ts';
import type { Actor } from '../store/audit.ts';
import type { PeopleStore } from '../store/store.ts';
import { assertLeads } from './access.ts';
import { toGrantKey, planRole, planTaking, type RoleOf } from './plan-role.ts';
import { peopleOfPlace, personOfPlace, type PlacePersonRow } from './queries.ts';
import { checkRole, type GrantPlace } from './roles-of-place.ts';

export interface GrantDeps {
  readonly store: PeopleStore;
  readonly clock: Clock;
}

/** Somebody in a brand or of the hub, as those who answer for its people see them. */
export interface PlacePerson {
  readonly account_id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  /** Whether the provider of single sign-on says so, and takes it again. */
  readonly by_sign_on: boolean;
  readonly since: string;
}

export interface PlacePeople {
  readonly items: readonly PlacePerson[];
  /** `after` of the next page; null on the last one. */
  readonly next: string | null;
}

/**
 * In the order of their names.
 * @throws PeopleProblem as `assertLeads`
 */
export async function listPeople(
  { store }: Pick<GrantDeps, 'store'>,
  actor: Actor,
  page: {
    readonly place: GrantPlace;
    readonly after?: string | undefined;
    readonly limit: number;
  },
): Promise<PlacePeople> {
  const { after, limit } = page;
  await assertLeads(store.reader, { actor, place: page.place });
  const place = placeText(page.place);
  const found = await peopleOfPlace(store.reader, { place, after, limit: limit + 1 });
  const { rows, last } = cutPage(found, limit);
  return { items: rows.map(personFrom), next: last?.accountId ?? null };
}

/**
 * Gives a role to somebody who has an account, or changes the one there is. Only what needs no invitation
 * does so: the command line.
 * @throws PeopleProblem `not_found` without such an account; `conflict` when it would take the last
 * manager or operator; `limit_reached`, `fields_invalid`
 */
export async function giveRole(
  { store, clock }: GrantDeps,
  actor: Actor,
  target: RoleOf & { readonly role: string },
): Promise<void> {
  checkRole(target.place, target.role);
  await changePlanned(store, async () => {
    await assertLeads(store.reader, { actor, place: target.place });
    const plan = { ...target, actor, source: null, at: clock.nowMs() };
    return await planRole(store, plan);
  });
}

/**
 * @returns the person as changed
 * @throws PeopleProblem as `assertLeads`; `not_found` when the person has no role there; `conflict` when it
 * would take the last manager or operator; `fields_invalid`
 */
export async function changeRole(
  { store, clock }: GrantDeps,
  actor: Actor,
  target: RoleOf & { readonly role: string },
): Promise<PlacePerson> {
  checkRole(target.place, target.role);
  return await changePlanned(store, async () => {
    await assertLeads(store.reader, { actor, place: target.place });
    const person = await getPerson(store, target);
    const { result: _, ...plan } = await planRole(store, {
      ...target,
      actor,
      source: null,
      at: clock.nowMs(),
    });
    return { ...plan, result: { ...personFrom(person), role: target.role, by_sign_on: false } };
  });
}

/**
 * Takes somebody out of a brand or of the hub, or leaves it oneself.
 * @throws PeopleProblem as `assertLeads`; `not_found` when the person has no role there; `conflict` when it
 * would take the last manager or operator
 */
export async function takeRole(
  { store, clock }: GrantDeps,
  actor: Actor,
  target: RoleOf,
): Promise<void> {
  await changePlanned(store, async () => {
    const isLeaving = actor.accountId === target.accountId;
    if (!isLeaving) await assertLeads(store.reader, { actor, place: target.place });
    const person = await getPerson(store, target);
    return await planTaking(store, { ...target, actor, grant: person, at: clock.nowMs() });
  });
}

/** @throws PeopleProblem `not_found` */
async function getPerson({ reader }: PeopleStore, target: RoleOf): Promise<PlacePersonRow> {
  const person = await personOfPlace(reader, toGrantKey(target));
  if (person !== undefined) return person;
  throw new PeopleProblem('not_found', 'There is no such person here');
}

function personFrom(row: PlacePersonRow): PlacePerson {
  return {
    account_id: row.accountId,
    name: row.name,
    email: present(row.email, 'the e-mail of a person with a role'),
    role: row.role,
    by_sign_on: row.source === 'sign_on',
    since: instantText(row.grantedAt),
  };
}
