// Plans how a role is given, changed or taken: what is refused, the guard that asks the same again, and
// the statements with their entry in the audit.
import type { Sql } from 'sql-template-tag';
import { PeopleProblem } from '../errors.ts';
import { placeText } from '../places/place.ts';
import { insertAuditEntry } from '../store/audit.ts';
import type { Actor, AuditAction } from '../store/audit.ts';
import type { PeopleStore } from '../store/store.ts';
import { BRANDS_PER_PERSON_MAX, OPERATORS_MAX, PEOPLE_PER_BRAND_MAX } from './limits.ts';
import {
  andInRole,
  andNotIn,
  andOtherInRole,
  andRoom,
  deleteGrant,
  findGrant,
  fullnessOf,
  hasOtherInRole,
  insertGrant,
  isAccount,
  updateGrant,
  whileAccount,
} from './queries.ts';
import type { GrantKey, GrantRow, GrantSource } from './queries.ts';
import { ROLES_OF_PLACE } from './roles-of-place.ts';
import type { GrantPlace } from './roles-of-place.ts';

/** Whose role it is about. */
export interface RoleOf {
  readonly place: GrantPlace;
  readonly accountId: string;
}

export interface PlannedGrant {
  readonly guard: Sql;
  readonly statements: readonly Sql[];
  readonly result: undefined;
}

/** @throws PeopleProblem `not_found`, `conflict`, `limit_reached` */
export async function planRole(
  store: PeopleStore,
  of: RoleOf & {
    readonly role: string;
    readonly actor: Actor;
    readonly source: GrantSource;
    readonly at: number;
  },
): Promise<PlannedGrant | { readonly result: undefined }> {
  const { actor, role, source, at } = of;
  const key = keyOf(of);
  const grant = await findGrant(store.reader, key);
  if (grant?.role === role && grant.source === source) return { result: undefined };
  if (grant === undefined) {
    await assertAccount(store, key.accountId);
    await assertRoom(store, of);
  } else if (role !== grant.role) {
    await assertNotLast(store, { grant, place: of.place });
  }
  const written = { ...key, role, source, grantedBy: actor.accountId, at };
  const action = grant === undefined ? 'role_granted' : 'role_changed';
  return {
    guard: whileAccount(key.accountId, [
      ...whileLeading(actor, of.place),
      ...(grant === undefined
        ? [andNotIn(key), andRoom({ ...key, ...maximaOf(of.place) })]
        : [andInRole(grant), ...whileNotLast(grant, { place: of.place, role })]),
    ]),
    statements: [
      grant === undefined ? insertGrant(written) : updateGrant(written),
      entry({ ...of, action, details: { role } }),
    ],
    result: undefined,
  };
}

/** @throws PeopleProblem `conflict` */
export async function planTaking(
  store: PeopleStore,
  of: RoleOf & {
    readonly actor: Actor;
    readonly grant: GrantRow & { readonly name: string };
    readonly at: number;
  },
): Promise<PlannedGrant> {
  const { actor, grant, place } = of;
  await assertNotLast(store, { grant, place });
  const isLeaving = actor.accountId === of.accountId;
  const details = { name: grant.name, role: grant.role, left: isLeaving };
  return {
    guard: whileAccount(of.accountId, [
      ...(isLeaving ? [] : whileLeading(actor, place)),
      andInRole(grant),
      ...whileNotLast(grant, { place, role: undefined }),
    ]),
    statements: [deleteGrant(grant), entry({ ...of, action: 'role_taken', details })],
    result: undefined,
  };
}

/** The person who acts still answers for the place's people. */
function whileLeading({ accountId }: Actor, place: GrantPlace): readonly Sql[] {
  if (accountId === null) return [];
  const role = ROLES_OF_PLACE[place.kind].leading;
  return [andInRole({ accountId, place: placeText(place), role })];
}

/** @param after the role that the person has then; undefined: none */
function whileNotLast(
  grant: GrantRow,
  after: { readonly place: GrantPlace; readonly role: string | undefined },
): readonly Sql[] {
  const { leading } = ROLES_OF_PLACE[after.place.kind];
  return grant.role === leading && after.role !== leading ? [andOtherInRole(grant)] : [];
}

export interface GrantOfPlace {
  readonly grant: GrantRow;
  readonly place: GrantPlace;
}

/** @throws PeopleProblem `conflict` */
async function assertNotLast(store: PeopleStore, of: GrantOfPlace): Promise<void> {
  if (!(await isLast(store, of))) return;
  throw new PeopleProblem('conflict', ROLES_OF_PLACE[of.place.kind].lastStays);
}

/** @throws PeopleProblem `not_found` */
async function assertAccount({ reader }: PeopleStore, accountId: string): Promise<void> {
  if (await isAccount(reader, accountId)) return;
  throw new PeopleProblem('not_found', 'Nobody has this account');
}

/** Whether nobody else answers for the people of the place. */
export async function isLast(
  { reader }: Pick<PeopleStore, 'reader'>,
  { grant, place }: GrantOfPlace,
): Promise<boolean> {
  if (grant.role !== ROLES_OF_PLACE[place.kind].leading) return false;
  return !(await hasOtherInRole(reader, grant));
}

/** @throws PeopleProblem `limit_reached` */
export async function assertRoom(
  { reader }: Pick<PeopleStore, 'reader'>,
  of: { readonly place: GrantPlace; readonly accountId: string | null },
): Promise<void> {
  const place = placeText(of.place);
  const { people, brands } = await fullnessOf(reader, { place, accountId: of.accountId });
  const { peopleMax, brandsMax } = maximaOf(of.place);
  if (people >= peopleMax) {
    const what = of.place.kind === 'hub' ? 'The hub' : 'A brand';
    const whom = of.place.kind === 'hub' ? 'operators' : 'people';
    throw new PeopleProblem('limit_reached', `${what} has at most ${peopleMax} ${whom}`);
  }
  if (brands >= brandsMax) {
    throw new PeopleProblem('limit_reached', `A person is in at most ${brandsMax} brands`);
  }
}

/** For `andRoom`. */
export function maximaOf({ kind }: GrantPlace): {
  readonly peopleMax: number;
  readonly brandsMax: number;
} {
  return kind === 'hub'
    ? // An operator may be in as many brands as anybody.
      { peopleMax: OPERATORS_MAX, brandsMax: Number.MAX_SAFE_INTEGER }
    : { peopleMax: PEOPLE_PER_BRAND_MAX, brandsMax: BRANDS_PER_PERSON_MAX };
}

export function keyOf({ place, accountId }: RoleOf): GrantKey {
  return { place: placeText(place), accountId };
}

function entry(
  of: RoleOf & {
    readonly at: number;
    readonly actor: Actor;
    readonly action: AuditAction;
    readonly details: Readonly<Record<string, string | boolean>>;
  },
): Sql {
  const { at, actor, action, details, accountId: subject } = of;
  return insertAuditEntry({ at, actor, action, place: placeText(of.place), subject, details });
}
