// What is kept of somebody, for the person: account, roles and places, sessions, invitations, audit.
import { instantText } from '@lothub/kit/clock';
import { SESSIONS_MAX } from '../access/sessions.ts';
import { accountOfId, readSessions } from '../accounts/queries.ts';
import { PeopleProblem } from '../errors.ts';
import { placeText } from '../places/place.ts';
import type { ExportedRow } from '../places/places.ts';
import { signOnsOfAccount } from '../sign-on/sign-on-queries.ts';
import { insertAuditEntry, type Actor } from '../store/audit.ts';
import type { DepartureDeps } from './deps.ts';
import { readAudit, readInvitations } from './queries.ts';

/** Entries of the audit in one export, the newest. */
export const EXPORTED_AUDIT_MAX = 10_000;
/** Invitations in one export, the newest. */
export const EXPORTED_INVITATIONS_MAX = 1_000;

export interface AccountExport {
  readonly account: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly has_password: boolean;
    readonly created_at: string;
  };
  readonly places: readonly {
    readonly place: string;
    readonly name: string;
    readonly role: string;
    readonly since: string;
  }[];
  /** Who the person is at providers of single sign-on. */
  readonly sign_ons: readonly ExportedRow[];
  readonly sessions: readonly ExportedRow[];
  /** Made or accepted. */
  readonly invitations: readonly ExportedRow[];
  /** What the person did, and what was done to the account. */
  readonly audit: readonly ExportedRow[];
  /** What the services keep besides, by its kind. */
  readonly more: Readonly<Record<string, readonly ExportedRow[]>>;
}

/**
 * @param actor the person, or the operator
 * @throws PeopleProblem `not_found`
 */
export async function exportAccount(
  { store, clock, places }: DepartureDeps,
  actor: Actor,
  accountId: string,
): Promise<AccountExport> {
  const { reader } = store;
  const account = await accountOfId(reader, accountId);
  if (account === undefined) throw new PeopleProblem('not_found', 'There is no such account');
  const nowMs = clock.nowMs();
  const stays = await Promise.all(places.all().map((kind) => kind.findStays(accountId)));
  const more = new Map<string, readonly ExportedRow[]>();
  for (const kind of places.all()) {
    for (const [name, rows] of Object.entries((await kind.exportMore?.(accountId)) ?? {})) {
      more.set(name, rows);
    }
  }
  const sessions = await readSessions(reader, { accountId, nowMs, limit: SESSIONS_MAX });
  const signOns = await signOnsOfAccount(reader, accountId);
  const invitations = await readInvitations(reader, { accountId, limit: EXPORTED_INVITATIONS_MAX });
  const audit = await readAudit(reader, { accountId, limit: EXPORTED_AUDIT_MAX });
  await store.write([
    insertAuditEntry({
      at: nowMs,
      actor,
      action: 'account_exported',
      place: null,
      subject: accountId,
      details: {},
    }),
  ]);
  return {
    account: {
      id: account.id,
      email: account.email,
      name: account.name,
      has_password: account.passwordHash !== null,
      created_at: instantText(account.createdAt),
    },
    places: stays.flat().map(({ place, name, role, since }) => ({
      place: placeText(place),
      name,
      role,
      since: instantText(since),
    })),
    sign_ons: signOns.map(({ issuer, subject, joinedAt, lastUsedAt }) => ({
      issuer,
      subject,
      joined_at: instantText(joinedAt),
      last_used_at: instantText(lastUsedAt),
    })),
    sessions: sessions.map((session) => ({
      agent: session.agent,
      created_at: instantText(session.createdAt),
      last_seen_at: instantText(session.lastSeenAt),
      expires_at: instantText(session.expiresAt),
    })),
    invitations: invitations.map((one) => ({
      id: one.id,
      place: one.place,
      role: one.role,
      email: one.email,
      is_own: one.invitedBy === accountId,
      created_at: instantText(one.createdAt),
      accepted_at: one.acceptedAt === null ? null : instantText(one.acceptedAt),
    })),
    audit: audit.map((entry) => ({ ...entry, at: instantText(entry.at) })),
    more: Object.fromEntries(more),
  };
}
