// Invitations into groups (docs/interface/notifications.md#invitations), as this service shows them. What
// an invitation is and how it is used up belongs to the people; see places/group-places.ts for what a group
// adds.
import { acceptInvitation, type Accepting } from '@lothub/people/invitations/accept';
import {
  listInvitations,
  makeInvitation,
  withdrawInvitation,
} from '@lothub/people/invitations/invitations';
import type { Invitation } from '@lothub/people/invitations/invitations';
import { groupPlace } from '@lothub/people/places/place';
import type { Static } from 'typebox';
import { toActor } from '../../access/person.ts';
import type { Person } from '../../access/person.ts';
import { groupRole } from '../places/group-places.ts';
import { PAGES_PREFIX } from '../../http.ts';
import type { Role } from '../../access/person.ts';
import type { EntranceDeps } from '../deps.ts';
import type { InvitationListSchema, InvitationSchema, MadeInvitationSchema } from './schema.ts';

type Deps = Pick<EntranceDeps, 'people'>;

/** @throws Problem `not_found`, `owner_only` */
export async function listGroupInvitations(
  { people }: Deps,
  person: Person,
  page: { readonly groupId: string; readonly after?: string | undefined; readonly limit: number },
): Promise<Static<typeof InvitationListSchema>> {
  const { groupId, after, limit } = page;
  const place = groupPlace(groupId);
  const { items, next } = await listInvitations(people, toActor(person), { place, after, limit });
  return { items: items.map(invitationAnswer), next };
}

/** @throws Problem `not_found`, `owner_only`; PeopleProblem `limit_reached`, `fields_invalid` */
export async function inviteIntoGroup(
  { people }: Deps,
  person: Person,
  values: { readonly groupId: string; readonly role: Role; readonly email: string | null },
): Promise<Static<typeof MadeInvitationSchema>> {
  const { groupId, role, email } = values;
  const place = groupPlace(groupId);
  const deps = { ...people, prefix: PAGES_PREFIX };
  const made = await makeInvitation(deps, toActor(person), { place, role, email });
  return { ...invitationAnswer(made), url: made.url };
}

/** @throws Problem `not_found`, `owner_only`; PeopleProblem `not_found` */
export async function withdrawGroupInvitation(
  { people }: Deps,
  person: Person,
  { groupId, id }: { readonly groupId: string; readonly id: string },
): Promise<void> {
  await withdrawInvitation(people, toActor(person), { place: groupPlace(groupId), id });
}

/**
 * Only of an invitation into a group: other places have pages and no interface.
 * @throws as `acceptInvitation`
 */
export async function acceptGroupInvitation(
  { people }: Deps,
  request: { readonly secret: string; readonly as: Accepting },
) {
  const { place, role, person, loggedIn } = await acceptInvitation(people, {
    ...request,
    into: 'group',
  });
  return { groupId: place.id, role: groupRole(role), person, loggedIn };
}

function invitationAnswer(one: Invitation): Static<typeof InvitationSchema> {
  const { id, role, email, invited_by, created_at, expires_at } = one;
  return { id, role: groupRole(role), email, invited_by, created_at, expires_at };
}
