// Open invitations of the first managers of brands, for those who operate the hub.
import { cutPage } from '@lothub/kit/rows/cut-page';
import { assertLeads } from '../brands/access.ts';
import { ROLES_OF_PLACE } from '../brands/roles-of-place.ts';
import { HUB, placeText, readPlace } from '../places/place.ts';
import type { Actor } from '../store/audit.ts';
import type { InvitationDeps } from './deps.ts';
import { invitationFrom, type Invitation } from './invitations.ts';
import { unusedFirstInvitations } from './queries.ts';

export interface FirstInvitation extends Invitation {
  /** Its tenant. */
  readonly brand: string;
}

export interface FirstInvitationList {
  readonly items: readonly FirstInvitation[];
  /** `after` of the next page; null on the last one. */
  readonly next: string | null;
}

/**
 * Those that end first, first.
 * @throws PeopleProblem `role_required`
 */
export async function listFirstInvitations(
  { store, clock }: Pick<InvitationDeps, 'store' | 'clock'>,
  actor: Actor,
  page: { readonly after?: string | undefined; readonly limit: number },
): Promise<FirstInvitationList> {
  const { after, limit } = page;
  await assertLeads(store.reader, { actor, place: { kind: 'hub', id: '' } });
  const found = await unusedFirstInvitations(store.reader, {
    role: ROLES_OF_PLACE.brand.leading,
    hub: placeText(HUB),
    hubRole: ROLES_OF_PLACE.hub.leading,
    nowMs: clock.nowMs(),
    after,
    limit: limit + 1,
  });
  const { rows, last } = cutPage(found, limit);
  return {
    items: rows.map((row) => ({ ...invitationFrom(row), brand: readPlace(row.place).id })),
    next: last?.id ?? null,
  };
}
