// Brands and the hub as places that people are invited into. A manager invites into a brand; an operator
// invites operators, and into a brand without a manager its first one.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { inList } from '@lothub/kit/in-list';
import { PeopleProblem } from '../errors.ts';
import { TENANT_ID_PATTERN, TENANT_ID_RIGHT, isTenantId } from '../places/tenant-id.ts';
import { HUB, brandPlace, placeText, readPlace } from '../places/place.ts';
import { PlaceRegistry } from '../places/places.ts';
import type {
  Acceptance,
  HereWriting,
  Inviter,
  Leaver,
  PlaceKind,
  Stay,
} from '../places/places.ts';
import { insertAuditEntry, type Actor } from '../store/audit.ts';
import type { PeopleStore } from '../store/store.ts';
import { assertLeads } from './access.ts';
import type { BrandNames } from './brand-names.ts';
import { assertRoom, getMaxima, isLast } from './plan-role.ts';
import {
  accountsInRole,
  andInRole,
  andNobodyInRole,
  andNotIn,
  andOtherInRole,
  andRoom,
  deleteGrant,
  findGrant,
  grantsOfAccount,
  hasAnyInRole,
  insertGrant,
  personOfPlace,
} from './queries.ts';
import type { GrantRow } from './queries.ts';
import { ROLES_OF_PLACE, type GrantPlace } from './roles-of-place.ts';

const { leading: BRAND_LEAD } = ROLES_OF_PLACE.brand;
const { leading: HUB_LEAD } = ROLES_OF_PLACE.hub;
const HUB_TEXT = placeText(HUB);

type Reading = Pick<PeopleStore, 'reader'>;

/** The places whose people are kept as grants. */
export function newPlaces(
  store: Reading,
  { brandNames, publicUrl }: { readonly brandNames: BrandNames; readonly publicUrl: string },
): PlaceRegistry {
  const places = new PlaceRegistry();
  places.add(brandPlaces(store, brandNames));
  places.add(hubPlaces(store, new URL(publicUrl).host));
  return places;
}

function brandPlaces(store: Reading, names: BrandNames): PlaceKind {
  const readName = (tenantId: string): Promise<string> => names.readName(tenantId);
  return {
    kind: 'brand',
    words: { subject: 'A brand', inviter: 'a manager of the brand' },
    roles: ROLES_OF_PLACE.brand.roles,
    describe: async (tenantId) => ({ name: await readName(tenantId) }),
    assertMayInvite: (actor, { placeId, role }) =>
      assertMayInviteToBrand(store, { actor, tenantId: placeId, role }),
    findInviters: async (tenantId, accountIds) => {
      const managers = await findLeading(store, { place: brandPlace(tenantId), accountIds });
      const operators = await findLeading(store, { place: HUB, accountIds });
      const place = placeText(brandPlace(tenantId));
      const isLed = await hasAnyInRole(store.reader, { place, role: BRAND_LEAD });
      return ({ accountId, role }) =>
        accountId === null ||
        managers.has(accountId) ||
        (role === BRAND_LEAD && !isLed && operators.has(accountId));
    },
    guardMaking: ({ placeId, inviter }) => [andMayInviteToBrand(placeId, inviter)],
    ...placeOfGrants(store, {
      toPlace: (tenantId) => ({ kind: 'brand', id: tenantId }),
      readName,
      mayInvite: ({ placeId, role, invitedBy }) =>
        andMayInviteToBrand(placeId, { accountId: invitedBy, role }),
    }),
  };
}

/** @param name what the hub is called where somebody is invited to operate it */
function hubPlaces(store: Reading, name: string): PlaceKind {
  return {
    kind: 'hub',
    words: { subject: 'The hub', inviter: 'an operator' },
    roles: ROLES_OF_PLACE.hub.roles,
    describe: () => Promise.resolve({ name }),
    assertMayInvite: (actor) => assertLeads(store.reader, { actor, place: HUB_PLACE }),
    findInviters: async (_placeId, accountIds) => {
      const operators = await findLeading(store, { place: HUB, accountIds });
      return ({ accountId }) => accountId === null || operators.has(accountId);
    },
    guardMaking: ({ inviter }) => [andOperates(inviter.accountId)],
    ...placeOfGrants(store, {
      toPlace: () => HUB_PLACE,
      readName: () => Promise.resolve(name),
      mayInvite: ({ invitedBy }) => andOperates(invitedBy),
    }),
  };
}

const HUB_PLACE: GrantPlace = { kind: 'hub', id: '' };

/**
 * A manager of the brand may, for every role. As long as it has no manager, an operator may for one, and
 * may see and withdraw what was made so far.
 * @throws PeopleProblem `fields_invalid`, `not_found`, `role_required`, `conflict`
 */
async function assertMayInviteToBrand(
  store: Reading,
  {
    actor,
    tenantId,
    role,
  }: { readonly actor: Actor; readonly tenantId: string; readonly role: string | undefined },
): Promise<void> {
  const { reader } = store;
  if (!isTenantId(tenantId)) {
    throw new PeopleProblem('fields_invalid', TENANT_ID_RIGHT, {
      fields: [{ pointer: '/brand', code: 'wrong_form', limit: TENANT_ID_PATTERN, actual: null }],
    });
  }
  const place: GrantPlace = { kind: 'brand', id: tenantId };
  const text = placeText(place);
  const key = { accountId: actor.accountId ?? '', place: text };
  const mine = await findGrant(reader, key);
  const operates = (await findGrant(reader, { ...key, place: HUB_TEXT }))?.role === HUB_LEAD;
  if (mine?.role === BRAND_LEAD || !operates) {
    await assertLeads(reader, { actor, place });
    return;
  }
  if (role !== undefined && role !== BRAND_LEAD) {
    throw new PeopleProblem('role_required', 'An operator invites the first manager of a brand');
  }
  if (await hasAnyInRole(reader, { place: text, role: BRAND_LEAD })) {
    throw new PeopleProblem('conflict', 'The brand has a manager, who invites its people');
  }
}

/** For a guard: what `assertMayInviteToBrand` asks. */
function andMayInviteToBrand(tenantId: string, { accountId, role }: Inviter): Sql {
  if (accountId === null) return sql``;
  const place = placeText(brandPlace(tenantId));
  const manages = andInRole({ accountId, place, role: BRAND_LEAD });
  if (role !== BRAND_LEAD) return manages;
  return sql`
    and (
      (1 = 1 ${manages})
      or (
        1 = 1
        ${andInRole({ accountId, place: HUB_TEXT, role: HUB_LEAD })}
        ${andNobodyInRole({ place, role: BRAND_LEAD })}
      )
    )`;
}

function andOperates(accountId: string | null): Sql {
  return accountId === null ? sql`` : andInRole({ accountId, place: HUB_TEXT, role: HUB_LEAD });
}

/** Which of them answer for the people of the place. */
async function findLeading(
  { reader }: Reading,
  {
    place,
    accountIds,
  }: { readonly place: Parameters<typeof placeText>[0]; readonly accountIds: readonly string[] },
): Promise<ReadonlySet<string>> {
  if (accountIds.length === 0) return new Set();
  const role = place.kind === 'hub' ? HUB_LEAD : BRAND_LEAD;
  const found = await accountsInRole(reader, {
    place: placeText(place),
    role,
    among: inList(accountIds),
  });
  return new Set(found.map(({ accountId }) => accountId));
}

/** What brands and the hub have in common: their people are kept as grants. */
function placeOfGrants(
  store: Reading,
  {
    toPlace,
    readName,
    mayInvite,
  }: {
    readonly toPlace: (placeId: string) => GrantPlace;
    readonly readName: (placeId: string) => Promise<string>;
    readonly mayInvite: (acceptance: Acceptance) => Sql;
  },
): Pick<PlaceKind, 'assertRoom' | 'entering' | 'findStays' | 'leaving'> {
  const { kind } = toPlace('');
  const readGrants = async (accountId: string) =>
    (await grantsOfAccount(store.reader, accountId)).flatMap((grant) => {
      const place = readPlace(grant.place);
      return place.kind === kind ? [{ grant, place: toPlace(place.id) }] : [];
    });
  return {
    assertRoom: async ({ placeId, accountId }) => {
      const place = toPlace(placeId);
      const key = { accountId: accountId ?? '', place: placeText(place) };
      if ((await personOfPlace(store.reader, key)) !== undefined) {
        const where = kind === 'hub' ? 'You operate the hub' : 'You are in the brand';
        throw new PeopleProblem('conflict', `${where} already; the invitation stays open`);
      }
      await assertRoom(store, { place, accountId });
    },
    entering: {
      kind: 'here',
      plan: (acceptance) => {
        const place = toPlace(acceptance.placeId);
        return planEntering({ place, acceptance, mayInvite: mayInvite(acceptance) });
      },
    },
    findStays: async (accountId) => {
      const grants = await readGrants(accountId);
      return await Promise.all(
        grants.map(async ({ grant, place }): Promise<Stay> => {
          const { role, grantedAt: since } = grant;
          return { place, name: await readName(place.id), role, since };
        }),
      );
    },
    leaving: {
      kind: 'here',
      plan: async (leaver) =>
        await planLeaving(store, { leaver, grants: await readGrants(leaver.accountId), kind }),
    },
  };
}

function planEntering({
  place,
  acceptance,
  mayInvite,
}: {
  readonly place: GrantPlace;
  readonly acceptance: Acceptance;
  readonly mayInvite: Sql;
}): HereWriting {
  const { person, role, invitedBy, invitationId, at } = acceptance;
  const { accountId } = person;
  const key = { accountId, place: placeText(place) };
  return {
    conditions: [mayInvite, andNotIn(key), andRoom({ ...key, ...getMaxima(place) })],
    statements: [
      insertGrant({ ...key, role, source: null, grantedBy: invitedBy, at }),
      insertAuditEntry({
        at,
        actor: person,
        action: 'role_granted',
        place: key.place,
        subject: accountId,
        details: { role, invitation: invitationId },
      }),
    ],
  };
}

/** @throws PeopleProblem `conflict` */
async function planLeaving(
  store: Reading,
  {
    leaver,
    grants,
    kind,
  }: {
    readonly leaver: Leaver;
    readonly grants: readonly { readonly grant: GrantRow; readonly place: GrantPlace }[];
    readonly kind: GrantPlace['kind'];
  },
): Promise<HereWriting> {
  const { accountId, actor, at } = leaver;
  const { leading, lastStays } = ROLES_OF_PLACE[kind];
  for (const one of grants) {
    if (!(await isLast(store, one))) continue;
    throw new PeopleProblem('conflict', `${placeText(one.place)}: ${lastStays}`);
  }
  const isOfKind = kind === 'hub' ? sql`place = ${HUB_TEXT}` : sql`place like 'brand:%'`;
  return {
    conditions: [
      sql`
      and (
        select count(*)
        from grants
        where account_id = ${accountId}
          and ${isOfKind}
      ) = ${grants.length}`,
      ...grants.map(({ grant }) => andInRole(grant)),
      ...grants
        .filter(({ grant }) => grant.role === leading)
        .map(({ grant }) => andOtherInRole(grant)),
    ],
    statements: grants.flatMap(({ grant }) => [
      deleteGrant(grant),
      insertAuditEntry({
        at,
        actor,
        action: 'role_taken',
        place: grant.place,
        subject: accountId,
        details: { role: grant.role, left: actor.accountId === accountId },
      }),
    ]),
  };
}
