// Who did what to accounts and their roles: entries are written in the transaction of what they describe.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

export const AUDIT_ACTIONS = [
  'account_created',
  'account_changed',
  'account_password_changed',
  'account_password_reset',
  'account_exported',
  'account_erased',
  'sessions_ended',
  'setup_link_made',
  'invitation_made',
  'invitation_accepted',
  'invitation_revoked',
  'invitation_reopened',
  'account_taken_back',
  'role_granted',
  'role_changed',
  'role_taken',
  'sign_on_joined',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Who acts: a person, or the operator's command line and the service itself without an account. */
export interface Actor {
  readonly accountId: string | null;
  /** As it is shown: a person's name, `operator` or `service`. */
  readonly name: string;
}

/** The actor of links and accounts that are made without a log-in. */
export const SERVICE: Actor = { accountId: null, name: 'service' };

export interface AuditEntry {
  readonly at: number;
  readonly actor: Actor;
  readonly action: AuditAction;
  /** `group:…`, `brand:…` or `hub`; null: of an account. */
  readonly place: string | null;
  /** Id of what it was done to. */
  readonly subject: string | null;
  /** Never a secret. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}

export function insertAuditEntry(entry: AuditEntry): Sql {
  return sql`
    insert into audit (at, account_id, actor, action, place, subject, details)
    values (
      ${entry.at},
      ${entry.actor.accountId},
      ${entry.actor.name},
      ${entry.action},
      ${entry.place},
      ${entry.subject},
      ${JSON.stringify(entry.details)}
    )`;
}
