// Invitations: the only way into a place and, after the first account, into the service. Whoever answers
// for the people of a place makes a link that one person uses once.
import { instantText } from '@lothub/kit/clock';
import { IN_LIST_MAX } from '@lothub/kit/in-list';
import { present } from '@lothub/kit/present';
import { cutPage } from '@lothub/kit/rows/cut-page';
import { randomBase62 } from '@lothub/kit/secrets/base62';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { newId } from '@lothub/kit/secrets/ids';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import { foldEmail } from '../access/email.ts';
import { checkEmail } from '../accounts/schema.ts';
import { COMMAND_LINE } from '../brands/roles-of-place.ts';
import { PeopleProblem } from '../errors.ts';
import { placeText, type Place } from '../places/place.ts';
import type { Inviter, PlaceKind } from '../places/places.ts';
import { insertAuditEntry, type Actor } from '../store/audit.ts';
import type { InvitationDeps } from './deps.ts';
import {
  findUnusedInvitation,
  insertInvitation,
  makersOfUnused,
  revokeInvitation,
  revokeInvitationsBy,
  readUnusedInvitations,
  whileInvitationUnused,
  whileInvitationsBelow,
} from './queries.ts';
import type { InvitationRow } from './queries.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** docs/interface/notifications.md#invitations */
export const INVITATION_LIFE_MS = 7 * DAY_MS;
/** Open ones of a place. */
export const INVITATIONS_MAX = 100;
/** 256 bits in base62. */
const SECRET_LENGTH = 43;

/** An open invitation, without its link. */
export interface Invitation {
  readonly id: string;
  readonly role: string;
  /** The e-mail of the invited person; null: everybody with the link may accept. */
  readonly email: string | null;
  /** The name of its maker; `operator`: the command line. */
  readonly invited_by: string;
  readonly created_at: string;
  readonly expires_at: string;
}

/** The only time its link can be seen. */
export interface MadeInvitation extends Invitation {
  readonly url: string;
}

export interface InvitationList {
  readonly items: readonly Invitation[];
  /** `after` of the next page; null on the last one. */
  readonly next: string | null;
}

/**
 * The open ones of a place, the oldest first.
 * @throws what the place's `assertMayInvite` throws
 */
export async function listInvitations(
  deps: InvitationDeps,
  actor: Actor,
  page: { readonly place: Place; readonly after?: string | undefined; readonly limit: number },
): Promise<InvitationList> {
  const { after, limit } = page;
  const kind = getKind(deps, page.place);
  await kind.assertMayInvite(actor, { placeId: page.place.id, role: undefined });
  const nowMs = deps.clock.nowMs();
  const { able: makers } = await judgeMakers(deps, { kind, place: page.place, nowMs });
  const place = placeText(page.place);
  const found = await readUnusedInvitations(deps.store.reader, {
    place,
    nowMs,
    makers,
    after,
    limit: limit + 1,
  });
  const { rows, last } = cutPage(found, limit);
  return { items: rows.map(invitationFrom), next: last?.id ?? null };
}

/**
 * @param deps `prefix` is that of the pages that show the link, such as `/inbox`
 * @throws what the place's `assertMayInvite` throws; PeopleProblem `limit_reached`, `fields_invalid`
 */
export async function makeInvitation(
  deps: InvitationDeps & { readonly publicUrl: string; readonly prefix: string },
  actor: Actor,
  values: { readonly place: Place; readonly role: string; readonly email: string | null },
): Promise<MadeInvitation> {
  const { store, clock, publicUrl, prefix } = deps;
  const { role } = values;
  const kind = getKind(deps, values.place);
  checkRole(kind, role);
  if (values.email !== null) checkEmail(values.email, '/email');
  const email = values.email === null ? null : foldEmail(values.email);
  const place = placeText(values.place);
  const placeId = values.place.id;
  const secret = randomBase62(SECRET_LENGTH);
  const row = await changePlanned(store, async () => {
    await kind.assertMayInvite(actor, { placeId, role });
    const at = clock.nowMs();
    const { able, former } = await judgeMakers(deps, { kind, place: values.place, nowMs: at });
    const page = { place, nowMs: at, makers: able, after: undefined, limit: INVITATIONS_MAX };
    if ((await readUnusedInvitations(store.reader, page)).length >= INVITATIONS_MAX) {
      throw new PeopleProblem(
        'limit_reached',
        `${kind.words.subject} has at most ${INVITATIONS_MAX} open invitations: withdraw one`,
      );
    }
    const made: InvitationRow = {
      id: newId('inv'),
      place,
      role,
      email,
      invitedBy: actor.accountId,
      inviterName: actor.name,
      createdAt: at,
      expiresAt: at + INVITATION_LIFE_MS,
    };
    const inviter: Inviter = { accountId: actor.accountId, role };
    return {
      guard: whileInvitationsBelow({
        place,
        nowMs: at,
        former,
        invitationsMax: INVITATIONS_MAX,
        conditions: kind.guardMaking({ placeId, inviter }),
      }),
      statements: [
        // They are not listed any more, so no one could withdraw them to make room.
        ...(former.length === 0 ? [] : [revokeInvitationsBy({ place, makers: former, at })]),
        insertInvitation({ ...made, tokenHash: sha256Hex(secret) }),
        insertAuditEntry({
          at,
          actor,
          action: 'invitation_made',
          place,
          subject: made.id,
          details: { role },
        }),
      ],
      result: made,
    };
  });
  await kind.note?.({
    action: 'invitation_made',
    actor,
    placeId,
    invitationId: row.id,
    role,
    at: row.createdAt,
  });
  return { ...invitationFrom(row), url: `${publicUrl}${prefix}/invitation/${secret}` };
}

/**
 * Ends an open invitation.
 * @throws what the place's `assertMayInvite` throws; PeopleProblem `not_found`
 */
export async function withdrawInvitation(
  deps: InvitationDeps,
  actor: Actor,
  invitation: { readonly place: Place; readonly id: string },
): Promise<void> {
  const { store, clock } = deps;
  const { id } = invitation;
  const kind = getKind(deps, invitation.place);
  const placeId = invitation.place.id;
  const place = placeText(invitation.place);
  await kind.assertMayInvite(actor, { placeId, role: undefined });
  const at = clock.nowMs();
  const row = await findUnusedInvitation(store.reader, { id, place, nowMs: at });
  if (row === undefined || !(await isMakerAble(kind, { placeId, row }))) throw noSuchInvitation();
  const { kind: outcome } = await store.change({
    guard: whileInvitationUnused({ id, place, nowMs: at }),
    statements: [
      revokeInvitation(id, at),
      insertAuditEntry({
        at,
        actor,
        action: 'invitation_revoked',
        place,
        subject: id,
        details: {},
      }),
    ],
  });
  if (outcome === 'stale') throw noSuchInvitation();
  const { role } = row;
  await kind.note?.({ action: 'invitation_revoked', actor, placeId, invitationId: id, role, at });
}

/** Whether its maker may still invite. */
export async function isMakerAble(
  kind: PlaceKind,
  invitation: { readonly placeId: string; readonly row: Pick<InvitationRow, 'invitedBy' | 'role'> },
): Promise<boolean> {
  const { invitedBy: accountId, role } = invitation.row;
  const isAble = await kind.findInviters(invitation.placeId, accountId === null ? [] : [accountId]);
  return isAble({ accountId, role });
}

/** The kind of a place that this process serves. */
function getKind({ places }: InvitationDeps, place: Place): PlaceKind {
  return present(places.find(place), `the kind of the place ${placeText(place)}`);
}

/** Who made the unused invitations of a place: who may still invite, and who may not any more. */
async function judgeMakers(
  { store }: InvitationDeps,
  look: { readonly kind: PlaceKind; readonly place: Place; readonly nowMs: number },
): Promise<{ readonly able: readonly Inviter[]; readonly former: readonly Inviter[] }> {
  const { kind, nowMs } = look;
  const place = placeText(look.place);
  const makers = await makersOfUnused(store.reader, { place, nowMs, limit: IN_LIST_MAX });
  const accountIds = new Set(makers.flatMap(({ accountId }) => accountId ?? []));
  const isAble = await kind.findInviters(look.place.id, [...accountIds]);
  return {
    able: makers.filter(isAble),
    former: makers.filter((maker) => !isAble(maker)),
  };
}

function checkRole({ roles }: PlaceKind, role: string): void {
  if (roles.some((known) => known === role)) return;
  throw new PeopleProblem('fields_invalid', `The role is one of ${roles.join(', ')}`, {
    fields: [{ pointer: '/role', code: 'not_one_of', limit: roles.join(', '), actual: null }],
  });
}

function noSuchInvitation(): PeopleProblem {
  return new PeopleProblem('not_found', 'There is no such open invitation');
}

export function invitationFrom(row: InvitationRow): Invitation {
  return {
    id: row.id,
    role: row.role,
    email: row.email,
    invited_by: row.inviterName ?? COMMAND_LINE.name,
    created_at: instantText(row.createdAt),
    expires_at: instantText(row.expiresAt),
  };
}
