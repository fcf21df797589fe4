// The audit: who did what. An entry is written in the transaction of the change that it describes.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

export const AUDIT_ACTIONS = [
  'account_created',
  'account_changed',
  'account_password_changed',
  'account_password_reset',
  'sessions_ended',
  'setup_link_made',
  'group_created',
  'group_changed',
  'member_added',
  'member_role_changed',
  'member_removed',
  'invitation_made',
  'invitation_accepted',
  'invitation_revoked',
  'key_issued',
  'key_changed',
  'key_rotated',
  'key_revoked',
  'token_issued',
  'token_revoked',
  'device_added',
  'device_removed',
  'device_disabled',
  'webhook_created',
  'webhook_changed',
  'webhook_disabled',
  'webhook_secret_rotated',
  'webhook_deleted',
  'delivery_replayed',
  'webhook_tested',
  'notification_redacted',
  'escalation_set',
  'escalation_removed',
  'notification_escalated',
  'group_exported',
  'group_deleted',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Who acts: a person, or the operator's command line and the service itself without an account. */
export interface Actor {
  readonly accountId: string | null;
  /** As it is shown: a person's name, `operator` or `service`. */
  readonly name: string;
}

export interface AuditEntry {
  readonly at: number;
  readonly actor: Actor;
  readonly action: AuditAction;
  readonly groupId: string | null;
  /** Id of what it was done to. */
  readonly subject: string | null;
  /** Never a secret. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}

export function insertAuditEntry(entry: AuditEntry): Sql {
  return sql`
    insert into audit (at, account_id, actor, action, group_id, subject, details)
    values (
      ${entry.at},
      ${entry.actor.accountId},
      ${entry.actor.name},
      ${entry.action},
      ${entry.groupId},
      ${entry.subject},
      ${JSON.stringify(entry.details)}
    )`;
}
