// Plans how a role is given, changed or taken: what is refused, the guard that asks the same again, and
// the statements with their entry in the audit.
import type { Sql } from 'sql-template-tag';
import { PeopleProblem } from '../errors.ts';
import { placeText } from '../places/place.ts';
import { insertAuditEntry, type Actor, type AuditAction } from '../store/audit.ts';
import type { PeopleStore } from '../store/store.ts';
import {
  andInRole,
  andNotIn,
  andOtherInRole,
  andRoom,
  deleteGrant,
  findGrant,
  readFullness,
  hasOtherInRole,
  insertGrant,
  isAccount,
  updateGrant,
  whileAccount,
} from './queries.ts';
import type { GrantKey, GrantRow, GrantSource } from './queries.ts';
import { ROLES_OF_PLACE, type GrantPlace } from './roles-of-place.ts';

/** How many people a brand and the hub have, and how many brands a person is in. */
export const PEOPLE_PER_BRAND_MAX = 1_000;
export const BRANDS_PER_PERSON_MAX = 200;
export const OPERATORS_MAX = 100;

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
  target: RoleOf & {
    readonly role: string;
    readonly actor: Actor;
    readonly source: GrantSource;
    readonly at: number;
  },
): Promise<PlannedGrant | { readonly result: undefined }> {
  const { actor, role, source, at } = target;
  const key = toGrantKey(target);
  const grant = await findGrant(store.reader, key);
  if (grant?.role === role && grant.source === source) return { result: undefined };
  if (grant === undefined) {
    await assertAccount(store, key.accountId);
    await assertRoom(store, target);
  } else if (role !== grant.role) {
    await assertNotLast(store, { grant, place: target.place });
  }
  const written = { ...key, role, source, grantedBy: actor.accountId, at };
  const action = grant === undefined ? 'role_granted' : 'role_changed';
  return {
    guard: whileAccount(key.accountId, [
      ...whileLeading(actor, target.place),
      ...(grant === undefined
        ? [andNotIn(key), andRoom({ ...key, ...getMaxima(target.place) })]
        : [andInRole(grant), ...whileNotLast(grant, { place: target.place, role })]),
    ]),
    statements: [
      grant === undefined ? insertGrant(written) : updateGrant(written),
      entry({ ...target, action, details: { role } }),
    ],
    result: undefined,
  };
}

/** @throws PeopleProblem `conflict` */
export async function planTaking(
  store: PeopleStore,
  target: RoleOf & {
    readonly actor: Actor;
    readonly grant: GrantRow & { readonly name: string };
    readonly at: number;
  },
): Promise<PlannedGrant> {
  const { actor, grant, place } = target;
  await assertNotLast(store, { grant, place });
  const isLeaving = actor.accountId === target.accountId;
  const details = { name: grant.name, role: grant.role, left: isLeaving };
  return {
    guard: whileAccount(target.accountId, [
      ...(isLeaving ? [] : whileLeading(actor, place)),
      andInRole(grant),
      ...whileNotLast(grant, { place, role: undefined }),
    ]),
    statements: [deleteGrant(grant), entry({ ...target, action: 'role_taken', details })],
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
async function assertNotLast(store: PeopleStore, grant: GrantOfPlace): Promise<void> {
  if (!(await isLast(store, grant))) return;
  throw new PeopleProblem('conflict', ROLES_OF_PLACE[grant.place.kind].lastStays);
}

/** @throws PeopleProblem `not_found` */
async function assertAccount({ reader }: PeopleStore, accountId: string): Promise<void> {
  if (await isAccount(reader, accountId)) return;
  throw new PeopleProblem('not_found', 'Nobody has this account');
}

/** Whether this is the last manager of the brand, or the last operator of the hub. */
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
  target: { readonly place: GrantPlace; readonly accountId: string | null },
): Promise<void> {
  const place = placeText(target.place);
  const { people, brands } = await readFullness(reader, { place, accountId: target.accountId });
  const { peopleMax, brandsMax } = getMaxima(target.place);
  if (people >= peopleMax) {
    const what = target.place.kind === 'hub' ? 'The hub' : 'A brand';
    const whom = target.place.kind === 'hub' ? 'operators' : 'people';
    throw new PeopleProblem('limit_reached', `${what} has at most ${peopleMax} ${whom}`);
  }
  if (brands >= brandsMax) {
    throw new PeopleProblem('limit_reached', `A person is in at most ${brandsMax} brands`);
  }
}

/** For `andRoom`. */
export function getMaxima({ kind }: GrantPlace): {
  readonly peopleMax: number;
  readonly brandsMax: number;
} {
  return kind === 'hub'
    ? // An operator may be in as many brands as anybody.
      { peopleMax: OPERATORS_MAX, brandsMax: Number.MAX_SAFE_INTEGER }
    : { peopleMax: PEOPLE_PER_BRAND_MAX, brandsMax: BRANDS_PER_PERSON_MAX };
}

export function toGrantKey({ place, accountId }: RoleOf): GrantKey {
  return { place: placeText(place), accountId };
}

function entry(
  change: RoleOf & {
    readonly at: number;
    readonly actor: Actor;
    readonly action: AuditAction;
    readonly details: Readonly<Record<string, string | boolean>>;
  },
): Sql {
  const { at, actor, action, details, accountId: subject } = change;
  return insertAuditEntry({ at, actor, action, place: placeText(change.place), subject, details });
}
