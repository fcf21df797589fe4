// Invitations: the only way into a group and, after the first account, into the service
// (notifications.md, section 3). An owner makes a link that one person uses once.
import { randomBase62 } from '@lothub/kit/secrets/base62';
import { instantText } from '@lothub/kit/clock';
import type { Clock } from '@lothub/kit/clock';
import { cutPage } from '@lothub/kit/rows/cut-page';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import type { Static } from 'typebox';
import { foldEmail } from '../../access/email.ts';
import { getOwnership } from '../../access/membership.ts';
import { actorOf } from '../../access/person.ts';
import type { Person, Role } from '../../access/person.ts';
import { Problem } from '../../errors.ts';
import { PAGES_PREFIX } from '../../http.ts';
import { insertAuditEntry } from '../../store/audit.ts';
import { newId } from '../../store/ids.ts';
import { changePlanned } from '../../store/planned-change.ts';
import type { NotificationStore } from '../../store/store.ts';
import {
  deleteEndedInvitations,
  insertInvitation,
  openInvitationsOf,
  revokeInvitation,
  whileInvitationOpen,
  whileInvitationsBelow,
} from './queries.ts';
import type { InvitationRow } from './queries.ts';
import type { InvitationListSchema, InvitationSchema, MadeInvitationSchema } from './schema.ts';
import { checkEmail } from '../people-schema.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** notifications.md, section 3. */
export const INVITATION_LIFE_MS = 7 * DAY_MS;
/** Open ones of a group. */
export const INVITATIONS_MAX = 100;
/** So long a link that has ended still says so, and not that there is none. */
const ENDED_KEPT_MS = 30 * DAY_MS;
/** 256 bits in base62. */
const SECRET_LENGTH = 43;

export interface InvitationDeps {
  readonly store: NotificationStore;
  readonly clock: Clock;
}

/** @throws Problem `not_found`, `owner_only` */
export async function listInvitations(
  { store, clock }: InvitationDeps,
  person: Pick<Person, 'accountId'>,
  page: { readonly groupId: string; readonly after?: string | undefined; readonly limit: number },
): Promise<Static<typeof InvitationListSchema>> {
  const { groupId, after, limit } = page;
  await getOwnership(store.reader, { accountId: person.accountId, groupId });
  const nowMs = clock.nowMs();
  const found = await openInvitationsOf(store.reader, { groupId, nowMs, after, limit: limit + 1 });
  const { rows, last } = cutPage(found, limit);
  return { items: rows.map(invitationFrom), next: last?.id ?? null };
}

/** @throws Problem `not_found`, `owner_only`, `limit_reached`, `fields_invalid` */
export async function makeInvitation(
  deps: InvitationDeps & { readonly publicUrl: string },
  person: Person,
  values: { readonly groupId: string; readonly role: Role; readonly email: string | null },
): Promise<Static<typeof MadeInvitationSchema>> {
  const { store, clock, publicUrl } = deps;
  const { accountId } = person;
  const { groupId, role } = values;
  if (values.email !== null) checkEmail(values.email, '/email');
  const email = values.email === null ? null : foldEmail(values.email);
  const secret = randomBase62(SECRET_LENGTH);
  return await changePlanned(store, async () => {
    await getOwnership(store.reader, { accountId, groupId });
    const at = clock.nowMs();
    const page = { groupId, nowMs: at, after: undefined, limit: INVITATIONS_MAX };
    if ((await openInvitationsOf(store.reader, page)).length >= INVITATIONS_MAX) {
      throw new Problem(
        'limit_reached',
        `A group has at most ${INVITATIONS_MAX} open invitations: withdraw one`,
      );
    }
    const row: InvitationRow = {
      id: newId('inv'),
      groupId,
      role,
      email,
      invitedBy: person.name,
      createdAt: at,
      expiresAt: at + INVITATION_LIFE_MS,
    };
    return {
      guard: whileInvitationsBelow({
        groupId,
        ownerId: accountId,
        nowMs: at,
        invitationsMax: INVITATIONS_MAX,
      }),
      statements: [
        deleteEndedInvitations(groupId, at - ENDED_KEPT_MS),
        insertInvitation({ ...row, invitedBy: accountId, tokenHash: sha256Hex(secret) }),
        insertAuditEntry({
          at,
          actor: actorOf(person),
          action: 'invitation_made',
          groupId,
          subject: row.id,
          details: { role },
        }),
      ],
      result: {
        ...invitationFrom(row),
        url: `${publicUrl}${PAGES_PREFIX}/invitation/${secret}`,
      },
    };
  });
}

/**
 * Ends an open invitation.
 * @throws Problem `not_found`, `owner_only`
 */
export async function withdrawInvitation(
  { store, clock }: InvitationDeps,
  person: Person,
  { groupId, id }: { readonly groupId: string; readonly id: string },
): Promise<void> {
  await getOwnership(store.reader, { accountId: person.accountId, groupId });
  const at = clock.nowMs();
  const { kind } = await store.change({
    guard: whileInvitationOpen({ id, groupId, nowMs: at }),
    statements: [
      revokeInvitation(id, at),
      insertAuditEntry({
        at,
        actor: actorOf(person),
        action: 'invitation_revoked',
        groupId,
        subject: id,
        details: {},
      }),
    ],
  });
  if (kind === 'stale') throw new Problem('not_found', 'There is no such open invitation');
}

function invitationFrom(row: InvitationRow): Static<typeof InvitationSchema> {
  return {
    id: row.id,
    role: row.role,
    email: row.email,
    invited_by: row.invitedBy,
    created_at: instantText(row.createdAt),
    expires_at: instantText(row.expiresAt),
  };
}
